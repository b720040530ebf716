/** Chooser of an SSH key: one of this machine, one that is made, or one that is pasted. */
import {useState} from 'react';
import {makeSshKey, type LocalKey} from '../../../renter/connect/keys.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {SshKey} from '../../../contract/nouns/ssh-keys.ts';
import type {ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {Choice} from '../../ui/dialog.tsx';
import {PasteKey} from '../dialogs.tsx';
import {keyRows} from './rows.ts';

const PASTE = 'another one: paste its public half';

type Props = Pick<ScreenProps, 'size'> & {
	readonly title: string;
	readonly local: readonly LocalKey[];
	/** Keys of the account, which are no choice. */
	readonly registered?: readonly SshKey[];
	/** File that a new key would have; undefined if none can be made. */
	readonly newFile: string | undefined;
	/** Called once. A new key is made only when its text is asked for. */
	readonly onKey: (key: () => Promise<string>) => void;
	readonly onClose: () => void;
};

export function ChooseKey({title, local, registered = [], newFile, size, onKey, onClose}: Props) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	const [named] = useState(() => textsByName(local, registered));
	const [isPasting, setPasting] = useState(false);
	if (isPasting)
		return (
			<PasteKey size={size} onClose={onClose} onSend={async text => onKey(async () => text)} />
		);
	const make = newFile === undefined ? [] : [`make a new one: ${newFile}`];
	const others = named.size === 0 ? [...make, PASTE] : [PASTE, ...make];
	const choices = [...named.keys(), ...others];
	return (
		<Choice
			title={title}
			choices={choices}
			chosen={choices[0] ?? PASTE}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={choice => {
				if (choice === PASTE) return setPasting(true);
				onClose();
				const text = named.get(choice);
				onKey(async () => text ?? makeSshKey(newFile ?? ''));
			}}
			onClose={onClose}
		/>
	);
}

/** Texts of usable keys by what the list shows. */
function textsByName(
	local: readonly LocalKey[],
	sshKeys: readonly SshKey[],
): ReadonlyMap<string, string> {
	const rows = keyRows({apiKeys: [], sshKeys, local, inUse: undefined, end: undefined});
	return new Map(
		rows.flatMap(row =>
			row.kind === 'ssh' && row.keyId === undefined
				? [[printable(`${row.name} ${row.type} ${row.end}`.trim()), row.text] as const]
				: [],
		),
	);
}
