import {messageOf} from '../../../contract/rules/thrown.ts';
import {useQueryClient} from '@tanstack/react-query';
import {useState} from 'react';
import {Choice} from '../../ui/choice.tsx';
import {sentence} from '../../../renter/text/format.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import {PasteKey} from '../prompt.tsx';
import {makeKey} from '../../../renter/connect/keys.ts';
import {keysKey} from '../../queries/keys.ts';
import {keyRows} from '../keys/rows.ts';
import type {ScreenProps} from '../../services/router.ts';
import {refreshAround} from './reviewing.ts';
import type {Renting} from './rent-state.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly renting: Renting;
	readonly onClose: () => void;
};

const PASTE = 'another one: paste its public half';

/** Registers an SSH key; it stands in the place of the rent form, whose draft stays as it is. */
export function RegisterKey({renting, size, say, onClose}: Props) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	const register = useRegister(renting, say);
	const [named] = useState(() => localChoices(renting));
	const {newKeyFile: newFile} = renting.rent.facts.get();
	const [isPasting, setPasting] = useState(false);
	if (isPasting)
		return (
			<PasteKey size={size} onClose={onClose} onSend={async text => register(async () => text)} />
		);
	const make = newFile === undefined ? [] : [`make a new one: ${newFile}`];
	const others = named.size === 0 ? [...make, PASTE] : [PASTE, ...make];
	const choices = [...named.keys(), ...others];
	return (
		<Choice
			title="Register an SSH key"
			choices={choices}
			chosen={choices[0] ?? PASTE}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={choice => {
				if (choice === PASTE) return setPasting(true);
				onClose();
				const text = named.get(choice);
				void register(async () => text ?? makeKey(newFile ?? ''));
			}}
			onClose={onClose}
		/>
	);
}

/** SSH keys of this machine that are usable and not registered: their text by what the list shows. */
function localChoices({rent}: Renting): ReadonlyMap<string, string> {
	const {sshKeys = [], localKeys: local} = rent.facts.get();
	const rows = keyRows({apiKeys: [], sshKeys, local, inUse: undefined, end: undefined});
	return new Map(
		rows.flatMap(row =>
			row.kind === 'ssh' && row.keyId === undefined
				? [[printable(`${row.name} ${row.type} ${row.end}`.trim()), row.text]]
				: [],
		),
	);
}

type Register = (key: () => Promise<string>) => Promise<void>;

/** Sends a public key, and reads again what the form says of keys. */
function useRegister(renting: Renting, say: Props['say']): Register {
	const live = useQueryClient();
	return async key => {
		try {
			const text = await key();
			await (await renting.services.client()).sshKeys.create(text);
			say({text: 'The key is registered: what is rented from now on lets it in.', isError: false});
			await refreshAround(renting);
		} catch (error) {
			const why = messageOf(error);
			say({text: sentence(printable(why)), isError: true});
		}
		await live.invalidateQueries({queryKey: keysKey});
	};
}
