import {useState} from 'react';
import {Choice} from '../../components/choice.tsx';
import {useServices} from '../../services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {KeyReview} from './key-review.tsx';
import {NewApiKey} from './new-api-key.tsx';
import {PasteKey} from '../paste-key.tsx';
import type {KeyRow} from './rows.ts';
import {showApiKey} from './show-api-key.ts';
import {useChange} from './use-keys.ts';

/** What stands in the place of the list until it is answered. */
export type Asking =
	| {readonly kind: 'choose' | 'apiKey' | 'paste'}
	| {readonly kind: 'delete' | 'reset' | 'attach'; readonly row: KeyRow};

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asking: Asking;
	readonly rows: readonly KeyRow[];
	readonly doors: ReadonlyMap<string, readonly number[]> | undefined;
	readonly onAsk: (asking: Asking | undefined) => void;
	readonly onClose: () => void;
};

export function KeyAsking(props: Props) {
	const {asking, size, say, doors, onClose} = props;
	const services = useServices();
	const change = useChange(say, onClose);
	switch (asking.kind) {
		case 'choose':
			return <ChooseNew {...props} />;
		case 'attach':
			return <ChooseInstance {...props} row={asking.row} />;
		case 'apiKey':
			return (
				<NewApiKey
					size={size}
					say={say}
					onClose={onClose}
					onCreate={wanted =>
						change(undefined, async ({apiKeys}) => {
							const {key} = await apiKeys.create(wanted);
							showApiKey(services, {name: wanted.name, value: key, isInUse: false});
						})
					}
				/>
			);
		case 'paste':
			return (
				<PasteKey
					size={size}
					onClose={onClose}
					onSend={text =>
						change(
							'The key is registered, for instances that are rented from now on.',
							async calls => {
								await calls.sshKeys.create(text);
							},
						)
					}
				/>
			);
		case 'delete':
		case 'reset':
			return (
				<KeyReview {...{deed: asking.kind, row: asking.row, doors, size, say, onClose, change}} />
			);
	}
}

const API = 'an API key, with rights that you choose';
const PASTE = 'an SSH key: paste its public half';

/** What is to be added: one of the keys that are here, or a new one. */
function ChooseNew({rows, size, say, onAsk, onClose}: Props) {
	const {theme, typeToInk} = useServices();
	const change = useChange(say, onClose);
	const here = rows.flatMap(row => (row.kind === 'ssh' && row.keyId === undefined ? [row] : []));
	const named = new Map(
		here.map(row => [printable(`register ${row.name} ${row.type} ${row.end}`), row.text]),
	);
	const first = [...named.keys()][0];
	return (
		<Choice
			title="Add"
			choices={[...named.keys(), API, PASTE]}
			chosen={first ?? API}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={choice => {
				const text = named.get(choice);
				if (text === undefined) return onAsk({kind: choice === API ? 'apiKey' : 'paste'});
				void change(
					'The key is registered, for instances that are rented from now on.',
					async calls => {
						await calls.sshKeys.create(text);
					},
				);
			}}
			onClose={onClose}
		/>
	);
}

/** Which instance a key shall open. */
function ChooseInstance({row, size, say, onClose}: Props & {readonly row: KeyRow}) {
	const {theme, typeToInk, fleet} = useServices();
	const change = useChange(say, onClose);
	// The list stays as it is while one chooses from it.
	const [named] = useState(
		() =>
			new Map(
				fleet.state
					.get()
					.rows.map(({instance: {id, label}}) => [printable(`${id} ${label ?? ''}`.trim()), id]),
			),
	);
	return (
		<Choice
			title="Let it enter"
			choices={[...named.keys()]}
			chosen={[...named.keys()][0] ?? ''}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={choice => {
				const id = named.get(choice);
				if (id === undefined || row.kind !== 'ssh') return;
				void change(`The key may enter instance ${id}.`, async ({instances}) =>
					instances.attachSshKey(id, row.text),
				);
			}}
			onClose={onClose}
		/>
	);
}
