import {useMemo, useState} from 'react';
import {useQuery} from '@tanstack/react-query';
import {alertLine, type KeptAlert} from '../../../renter/alerts/kept-alerts.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {count} from '../../../renter/text/format.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/painted.tsx';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {idOfText} from '../../list/columns.ts';
import {keptByStackEntry, type Destination, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal, useTime, type Services} from '../../services/services.tsx';
import {ChangeLease, extended, notExtendable} from '../instances/lease-prompt.tsx';
import {shortState} from '../instances/words.ts';
import {ListScreen, ListNotice} from '../../list/list-view.tsx';
import {
	alertBindings,
	alertColumns,
	type AlertsTarget,
	increaseBindings,
	increaseColumns,
	type IncreasesTarget,
} from './alerts.ts';
import type {PriceIncrease} from '../../../contract/nouns/price-increases.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {shownLabel} from '../../../renter/words/lease.ts';
import {increaseAlerts, increaseDays, increaseText} from '../../../renter/nouns/price-increases.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {askAgain} from '../../list/unreadable.ts';
import {ConfirmDialog, notifyOutcome} from '../dialogs.tsx';

const alertsAt = keptByStackEntry(() =>
	createList(
		alertColumns(120, new Date(0), () => undefined),
		({id}: KeptAlert) => idOfText(id),
	),
);

const alertsList = {
	title: 'Alerts',
	heading: 'ALERTS',
	bindings: alertBindings,
	note: ({length}: readonly KeptAlert[]) => `${count(length)} new`,
	about: aboutAlert,
} as const;

/** Unacknowledged alerts, newest first. */
export function AlertsScreen({stackEntry, router, size, say}: ScreenProps) {
	const {fleet} = useServices();
	const {alerts, copy} = useTerminal();
	const {now} = useTime();
	const list = alertsAt(stackEntry);
	const all = useStore(alerts);
	const shown = useMemo(() => all.filter(({isNew}) => isNew), [all]);
	const [extending, setExtending] = useState<FleetRow>();
	const {rows} = useStore(fleet.state);
	const columns = useMemo(() => {
		const conditions = new Map(rows.map(row => [row.instance.id, shortState(row)]));
		const stateNow = ({instance}: KeptAlert) => conditions.get(instance ?? Number.NaN);
		return alertColumns(size.columns - GUTTER, now(), stateNow);
	}, [size.columns, now, rows]);
	const row = () => rows.find(({instance}) => instance.id === list.current()?.instance);
	const target: AlertsTarget = {
		open: list.act(alert => {
			const subject = subjectOf(alert);
			if (subject !== undefined) router.go(subject);
		}),
		noSubject: () => noSubject(list.current()),
		acknowledge: list.act(({id}) => alerts.acknowledge([id])),
		acknowledgeAll: () => alerts.acknowledge(shown.map(({id}) => id)),
		extend: () => setExtending(row()),
		notExtendable() {
			const found = row();
			return found === undefined ? 'it is about no instance that is there' : notExtendable(found);
		},
		copy: list.act(alert => copy(alertLine(alert))),
	};
	return (
		<ListScreen
			{...alertsList}
			{...{list, columns, router, target, rows: shown, size}}
			instead={<Notice {...noAlerts} width={size.columns} height={size.rows} />}
		>
			{extending !== undefined && (
				<ChangeLease
					row={extending}
					change={extended}
					say={say}
					onClose={() => setExtending(undefined)}
				/>
			)}
		</ListScreen>
	);
}

const noAlerts = {
	title: 'There is no new alert.',
	lines: ['Alerts are listed here until they are acknowledged.', 'Esc goes back.'],
};

function subjectOf({kind, instance, offer}: KeptAlert): Destination | undefined {
	if (kind === 'price-rise') return {name: 'increases'};
	if (kind === 'agent-asks') return {name: 'activity'};
	if (instance !== undefined) return {name: 'instance', id: instance};
	return offer === undefined ? undefined : {name: 'offer', id: offer};
}

function noSubject(alert: KeptAlert | undefined): string | undefined {
	if (alert === undefined) return 'there is no new alert';
	return subjectOf(alert) === undefined ? 'it is about no single instance or offer' : undefined;
}

/** The whole text, as far as the line goes. */
function aboutAlert(alert: KeptAlert | undefined): string {
	return alert === undefined ? '' : ` ${alertLine(alert)}`;
}

type Row = {
	readonly id: number;
	readonly increase: PriceIncrease;
	readonly instance: string;
	readonly what: string;
	readonly kept: string;
	readonly until: string;
};

const risesAt = keptByStackEntry(() => createList<Row>(increaseColumns(120), ({id}) => id));

type Asked = {readonly row: Row; readonly answer: 'accept' | 'reject'};

const risesNotice = {
	noun: 'price increases',
	missing: 'This server tells of no price increases.',
	empty: [
		'No price increase waits for an answer.',
		'A rental keeps its price until it ends. A price increase waits here for your answer.',
	],
} as const;

const risesList = {
	title: 'Price increases',
	heading: 'PRICE INCREASES',
	bindings: increaseBindings,
	note: ({length}: readonly Row[]) =>
		`${count(length)} wait${length === 1 ? 's' : ''} for an answer`,
	about: aboutIncrease,
} as const;

function useIncreases(client: Services['client']) {
	return useQuery({
		queryKey: ['price increases'],
		queryFn: async ({signal}) => (await client()).instances.priceIncreases({signal}),
		// The increase may have been answered elsewhere since.
		staleTime: 0,
	});
}

/** Price increases that wait for the renter's answer. */
export function IncreasesScreen({stackEntry, router, size, say}: ScreenProps) {
	const {client, fleet} = useServices();
	const {alerts} = useTerminal();
	const list = risesAt(stackEntry);
	const [asked, setAsked] = useState<Asked>();
	const query = useIncreases(client);
	const {pending_price_increases: data, unreadable = noneUnreadable} = query.data ?? {};
	const rows = useMemo(
		() => data?.map(increase => rowOf(increase, labelOf(fleet.state.get().rows, increase))),
		[data, fleet],
	);
	const columns = useMemo(() => increaseColumns(size.columns - GUTTER), [size.columns]);

	async function send({row, answer}: Asked): Promise<void> {
		setAsked(undefined);
		const act = async () => {
			const {instances} = await client();
			if (answer === 'accept') await instances.acceptPriceIncrease(row.id);
			else await instances.rejectPriceIncrease(row.id);
			alerts.acknowledge(increaseAlerts(alerts.get(), row.id));
			return answer === 'accept'
				? `${row.instance} costs more from ${row.kept} on, and goes on until ${row.until}.`
				: `${row.instance} keeps its price, and ends on ${row.kept}.`;
		};
		await notifyOutcome(say, act, `Not ${answer}ed: `);
		await query.refetch();
	}

	if (asked !== undefined) {
		const answers = {
			onConfirm: () => void send(asked),
			onCancel: () => setAsked(undefined),
		};
		return <AnswerDialog {...{asked, size, say, ...answers}} />;
	}
	const target: IncreasesTarget = {
		accept: list.act(row => setAsked({row, answer: 'accept'})),
		reject: list.act(row => setAsked({row, answer: 'reject'})),
		instance: list.act(({increase}) => router.go({name: 'instance', id: increase.contract_id})),
		refresh: () =>
			void askAgain(query.refetch, {noun: 'price increases', width: size.columns, say}),
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

function rowOf(increase: PriceIncrease, label: string): Row {
	const {pending_price_increase_id: id, contract_id: instance} = increase;
	return {
		id,
		increase,
		instance: printable(label === '' ? `Instance ${instance}` : `${label} (${instance})`),
		what: increaseText(increase),
		...increaseDays(increase),
	};
}

function aboutIncrease(row: Row | undefined): string {
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
				noun: 'price increase',
				targets: [{id, name: '', detail: instance, state: what, level: 1}],
			}}
			{...{facts, size, say, onConfirm, onCancel}}
		/>
	);
}
