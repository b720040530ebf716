import {useQuery} from '@tanstack/react-query';
import {useMemo, useState} from 'react';
import type {PriceIncrease} from '../../../contract/nouns/price-increases.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {count} from '../../../renter/text/format.ts';
import {shownLabel} from '../../../renter/words/lease.ts';
import {riseAlerts, riseDays, riseWords} from '../../../renter/nouns/rises.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {askAgain} from '../../list/unreadable.ts';
import {kept, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal, type Services} from '../../services/services.tsx';
import {ConfirmDialog, sayOutcome} from '../dialogs.tsx';
import {ListNotice, ListScreen} from '../list-screen.tsx';
import {riseBindings, riseColumns, type RisesTarget} from './rises.ts';

type Row = {
	readonly id: number;
	readonly rise: PriceIncrease;
	readonly instance: string;
	readonly what: string;
	readonly kept: string;
	readonly until: string;
};

const listAt = kept(() => createList<Row>(riseColumns(120), ({id}) => id));

type Asked = {readonly row: Row; readonly answer: 'accept' | 'reject'};

const risesNotice = {
	noun: 'price rises',
	missing: 'This server tells of no price rises.',
	empty: [
		'No price rise waits for an answer.',
		'What is rented keeps its price until its end. A higher one waits here.',
	],
} as const;

const risesList = {
	title: 'Price rises',
	heading: 'PRICE RISES',
	bindings: riseBindings,
	note: ({length}: readonly Row[]) =>
		`${count(length)} wait${length === 1 ? 's' : ''} for an answer`,
	about: aboutRise,
} as const;

function useRises(client: Services['client']) {
	return useQuery({
		queryKey: ['price rises'],
		queryFn: async ({signal}) => (await client()).instances.priceIncreases({signal}),
		// Another place may have answered since.
		staleTime: 0,
	});
}

/** Price increases that wait for the renter's answer. */
export function RisesScreen({place, router, size, say}: ScreenProps) {
	const {client, fleet} = useServices();
	const {alerts} = useTerminal();
	const list = listAt(place);
	const [asked, setAsked] = useState<Asked>();
	const query = useRises(client);
	const {pending_price_increases: data, unreadable = noneUnreadable} = query.data ?? {};
	const rows = useMemo(
		() => data?.map(rise => rowOf(rise, labelOf(fleet.state.get().rows, rise))),
		[data, fleet],
	);
	const columns = useMemo(() => riseColumns(size.columns - GUTTER), [size.columns]);

	async function send({row, answer}: Asked): Promise<void> {
		setAsked(undefined);
		const act = async () => {
			const {instances} = await client();
			if (answer === 'accept') await instances.acceptPriceIncrease(row.id);
			else await instances.rejectPriceIncrease(row.id);
			alerts.acknowledge(riseAlerts(alerts.get(), row.id));
			return answer === 'accept'
				? `${row.instance} costs more from ${row.kept} on, and goes on until ${row.until}.`
				: `${row.instance} keeps its price, and ends on ${row.kept}.`;
		};
		await sayOutcome(say, act, `Not ${answer}ed: `);
		await query.refetch();
	}

	if (asked !== undefined) {
		const answers = {
			onConfirm: () => void send(asked),
			onCancel: () => setAsked(undefined),
		};
		return <AnswerDialog {...{asked, size, say, ...answers}} />;
	}
	const target: RisesTarget = {
		accept: list.act(row => setAsked({row, answer: 'accept'})),
		reject: list.act(row => setAsked({row, answer: 'reject'})),
		instance: list.act(({rise}) => router.go({name: 'instance', id: rise.contract_id})),
		refresh: () => void askAgain(query.refetch, {noun: 'price rises', width: size.columns, say}),
	};
	return (
		<ListScreen
			{...risesList}
			{...{list, columns, router, target, rows, unreadable, size}}
			instead={<ListNotice {...query} {...risesNotice} unreadable={unreadable} size={size} />}
		/>
	);
}

function labelOf(rows: readonly FleetRow[], {contract_id: id}: PriceIncrease): string {
	return shownLabel(rows.find(({instance}) => instance.id === id)?.instance.label);
}

function rowOf(rise: PriceIncrease, label: string): Row {
	const {pending_price_increase_id: id, contract_id: instance} = rise;
	return {
		id,
		rise,
		instance: printable(label === '' ? `Instance ${instance}` : `${label} (${instance})`),
		what: riseWords(rise),
		...riseDays(rise),
	};
}

function aboutRise(row: Row | undefined): string {
	if (row === undefined) return '';
	return ` from ${row.kept} on, if you accept: ${row.what}`;
}

type DialogProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asked: Asked;
	readonly onConfirm: () => void;
	readonly onCancel: () => void;
};

function AnswerDialog({asked: {row, answer}, size, say, onConfirm, onCancel}: DialogProps) {
	const {id, instance, what} = row;
	const facts =
		answer === 'accept'
			? ([
					['You pay', what],
					['From', `${row.kept} on; until then the price stays`],
					['It ends', `${row.until} at the latest, or when you destroy it`],
				] as const)
			: ([
					['It keeps', 'its price'],
					['It ends', `${row.kept}: it is stopped then, and its disk still costs`],
				] as const);
	return (
		<ConfirmDialog
			question={{
				verb: answer,
				noun: 'price rise',
				targets: [{id, name: '', detail: instance, state: what, level: 1}],
			}}
			{...{facts, size, say, onConfirm, onCancel}}
		/>
	);
}
