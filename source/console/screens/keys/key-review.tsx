import type {Doomed} from '../../components/confirmation.ts';
import {Dialog} from '../../components/dialog.tsx';
import {useServices} from '../../services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../place.ts';
import type {KeyRow} from './rows.ts';
import {showApiKey} from './show-api-key.ts';
import type {Change} from './use-keys.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly deed: 'delete' | 'reset';
	readonly row: KeyRow;
	readonly doors: ReadonlyMap<string, readonly number[]> | undefined;
	readonly onClose: () => void;
	readonly change: Change;
};

/** Asks before a key ends: harder where something uses it. */
export function KeyReview({deed, row, doors, size, say, onClose, change}: Props) {
	const services = useServices();
	const {theme, now, linkMs} = services;
	const opens = row.kind === 'ssh' ? (doors?.get(row.blob) ?? []) : [];
	const isUsed = row.kind === 'api' ? row.isInUse : opens.length > 0 || doors === undefined;
	const name = printable(row.name === '' ? row.end : row.name);
	function confirm(): void {
		const {keyId} = row;
		if (keyId === undefined) return;
		if (deed === 'reset') {
			void change(undefined, async ({apiKeys}) => {
				const value = await apiKeys.reset(keyId);
				showApiKey(services, {name: row.name, value, isInUse: isUsed});
			});
			return;
		}
		void change(`The key ${name} is deleted.`, async ({apiKeys, sshKeys}) =>
			row.kind === 'api' ? apiKeys.delete(keyId) : sshKeys.delete(keyId),
		);
	}
	return (
		<Dialog
			question={{
				verb: deed,
				noun: row.kind === 'api' ? 'API key' : 'SSH key',
				targets: [doomedOf(row, isUsed)],
			}}
			facts={factsOf(deed, row, opens)}
			theme={theme}
			size={size}
			now={now}
			linkMs={linkMs()}
			say={say}
			onConfirm={confirm}
			onCancel={onClose}
		/>
	);
}

function doomedOf(row: KeyRow, isUsed: boolean): Doomed {
	return {
		id: row.keyId ?? row.id,
		name: row.name,
		detail: [row.end, row.type, row.where].filter(word => word !== '').join('  '),
		state: '',
		level: isUsed ? 2 : 1,
	};
}

function factsOf(deed: Props['deed'], row: KeyRow, opens: readonly number[]) {
	const money = ['Money', 'Instances keep running, and are charged.'] as const;
	if (row.kind === 'ssh') {
		const now =
			opens.length === 0
				? 'No running instance is known to have it.'
				: `It opens ${opens.join(', ')}.`;
		return [
			['What happens', 'The account forgets the key: new instances will not have it.'],
			['Instances', `${now} Those keep it until it is taken out there.`],
			money,
		] as const;
	}
	const self = row.isInUse ? ' It is the key that rentty itself uses.' : '';
	return [
		[
			'What happens',
			deed === 'reset'
				? 'It gets a new value, which is shown once. The old value ends at once.'
				: 'It ends at once, and cannot be brought back.',
		],
		['Who uses it', `Programs that use it get 401 on their next call.${self}`],
		money,
	] as const;
}
