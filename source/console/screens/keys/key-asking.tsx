import {ConfirmDialog, notifyOutcome, PasteKey} from '../dialogs.tsx';
import type {ActionTarget} from '../../ui/confirmation.ts';
import {useQueryClient} from '@tanstack/react-query';
import {useState, type Dispatch, type SetStateAction} from 'react';
import type {Client} from '../../../client/client.ts';
import {endingAfter} from '../../../renter/actions/instance-actions.ts';
import {Choice} from '../../ui/dialog.tsx';
import type {FormState} from '../../ui/form-state.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import {instanceNameOf} from '../instances/words.ts';
import type {ScreenProps} from '../../services/router.ts';
import {NewApiKey, showApiKey} from './new-api-key.tsx';
import {keysKey, type Entrances} from '../../queries/account.ts';
import type {KeyRow} from './rows.ts';

export type KeyOverlay =
	| {readonly kind: 'choose' | 'paste'}
	/** Form of a new key, as it was when the service refused it. */
	| {readonly kind: 'apiKey'; readonly form?: FormState}
	| {readonly kind: 'delete' | 'reset' | 'attach'; readonly row: KeyRow};

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asking: KeyOverlay;
	readonly rows: readonly KeyRow[];
	readonly entrances: Entrances | undefined;
	readonly onAsk: Dispatch<SetStateAction<KeyOverlay | undefined>>;
	readonly onClose: () => void;
};

export function KeyAsking(props: Props) {
	const {asking, size, say, entrances, onAsk, onClose} = props;
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
					opened={asking.form}
					onClose={onClose}
					onCreate={(wanted, form) =>
						change(undefined, async ({apiKeys}) => {
							try {
								const {key} = await apiKeys.create(wanted);
								showApiKey(services, {name: wanted.name, value: key, isInUse: false});
							} catch (error) {
								const isRefused = endingAfter(error).kind !== 'unknown';
								if (isRefused) onAsk(now => now ?? {kind: 'apiKey', form});
								throw error;
							}
						})
					}
				/>
			);
		case 'paste':
			return <PasteKey size={size} onClose={onClose} onSend={text => register(change, text)} />;
		case 'delete':
		case 'reset':
			return (
				<KeyReview
					{...{
						action: asking.kind,
						row: asking.row,
						entrances: entrances,
						size,
						say,
						onClose,
						change,
					}}
				/>
			);
	}
}

type Change = (done: string | undefined, act: (client: Client) => Promise<void>) => Promise<void>;

function register(change: Change, publicKey: string): Promise<void> {
	const done = 'The key is registered, for instances that are rented from now on.';
	return change(done, async ({sshKeys}) => {
		await sshKeys.create(publicKey);
	});
}

/** Sends a change, and shows its outcome. The list is read again either way. */
function useChange(say: Props['say'], onClose: () => void): Change {
	const {client} = useServices();
	const live = useQueryClient();
	return async (done, act) => {
		onClose();
		await notifyOutcome(say, async () => {
			await act(await client());
			return done;
		});
		await live.invalidateQueries({queryKey: keysKey});
	};
}

const API = 'an API key, with rights that you choose';
const PASTE = 'an SSH key: paste its public half';

/** Chooser of a key to add: one of this machine, or a new one. */
function ChooseNew({rows, size, say, onAsk, onClose}: Props) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	const change = useChange(say, onClose);
	// The list stays as it is while one chooses from it.
	const [named] = useState(() => {
		const here = rows.flatMap(row => (row.kind === 'ssh' && row.keyId === undefined ? [row] : []));
		return new Map(
			here.map(row => [printable(`register ${row.name} ${row.type} ${row.end}`), row.text]),
		);
	});
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
				void register(change, text);
			}}
			onClose={onClose}
		/>
	);
}

function ChooseInstance({row, size, say, onClose}: Props & {readonly row: KeyRow}) {
	const {theme, fleet} = useServices();
	const {typeToInk} = useTerminal();
	const change = useChange(say, onClose);
	// The list stays as it is while one chooses from it.
	const [named] = useState(
		() =>
			new Map(fleet.state.get().rows.map(({instance}) => [instanceNameOf(instance), instance.id])),
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

type ReviewProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly action: 'delete' | 'reset';
	readonly row: KeyRow;
	readonly entrances: Entrances | undefined;
	readonly onClose: () => void;
	readonly change: Change;
};

/** Asks before a key is deleted, harder for a key in use. */
function KeyReview({action, row, entrances, size, say, onClose, change}: ReviewProps) {
	const services = useServices();
	const opens = row.kind === 'ssh' ? (entrances?.byKey.get(row.blob) ?? []) : [];
	const isUsed = row.kind === 'api' ? row.isInUse : opens.length > 0 || entrances?.isWhole !== true;
	const name = printable(row.name === '' ? row.end : row.name);
	function confirm(): void {
		const {keyId} = row;
		if (keyId === undefined) return;
		if (action === 'reset') {
			void change(undefined, async ({apiKeys}) => {
				const value = await apiKeys.reset(keyId);
				showApiKey(services, {name: row.name, value, isInUse: isUsed});
			});
			return;
		}
		void change(`The key ${name} is deleted.`, async ({apiKeys, sshKeys}) => {
			await (row.kind === 'api' ? apiKeys : sshKeys).delete(keyId);
		});
	}
	return (
		<ConfirmDialog
			question={{
				verb: action,
				noun: row.kind === 'api' ? 'API key' : 'SSH key',
				targets: [doomedOf(row, isUsed)],
			}}
			facts={factsOf(action, row, {opens, isWhole: entrances?.isWhole === true})}
			size={size}
			say={say}
			onConfirm={confirm}
			onCancel={onClose}
		/>
	);
}

function doomedOf(row: KeyRow, isUsed: boolean): ActionTarget {
	return {
		id: row.keyId ?? row.id,
		name: row.name,
		detail: [row.end, row.type, row.where].filter(word => word !== '').join('  '),
		state: '',
		level: isUsed ? 2 : 1,
	};
}

type Opened = {
	readonly opens: readonly number[];
	/** All instances were asked, and answered. */
	readonly isWhole: boolean;
};

function factsOf(action: ReviewProps['action'], row: KeyRow, {opens, isWhole}: Opened) {
	const money = ['Money', 'Instances keep running, and are charged.'] as const;
	if (row.kind === 'ssh') {
		const now =
			opens.length === 0
				? 'No running instance is known to have it.'
				: `It opens ${opens.join(', ')}.`;
		const others = isWhole ? '' : ' Not every instance could be asked.';
		return [
			['What happens', 'The account forgets the key: new instances will not have it.'],
			['Instances', `${now}${others} Those keep it until it is taken out there.`],
			money,
		] as const;
	}
	const self = row.isInUse ? ' It is the key that rentty itself uses.' : '';
	return [
		[
			'What happens',
			action === 'reset'
				? 'It gets a new value, which is shown once. The old value ends at once.'
				: 'It ends at once, and cannot be brought back.',
		],
		['Who uses it', `Programs that use it get 401 on their next call.${self}`],
		money,
	] as const;
}
