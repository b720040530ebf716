import {useMemo, useState} from 'react';
import {alertLine, type KeptAlert} from '../../../renter/alerts/kept-alerts.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {count, MISSING} from '../../../renter/text/format.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/use-store.ts';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListScope, useRows} from '../../list/list-scope.tsx';
import {idOfText} from '../../list/text-columns.ts';
import {TitledList} from '../../list/list-rows.tsx';
import {kept, type Destination, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal, useTime} from '../../services/services.tsx';
import {ChangeLease, extended, notExtendable} from '../instances/lease-prompt.tsx';
import {shortState} from '../instances/words.ts';
import {alertBindings, type AlertsTarget} from './bindings.ts';
import type {AlertKind} from '../../../renter/words/alert.ts';
import type {Column} from '../../list/columns.ts';
import type {Meaning} from '../../ui/theme.ts';
import {timeOf} from '../activity/columns.ts';

/**
 * Kinds of alerts that cost or lose something until somebody acts: in capitals, for there may be
 * no colour.
 */
const grave: ReadonlySet<AlertKind> = new Set([
	'stuck',
	'dead',
	'undead',
	'host-lost',
	'not-as-ordered',
	'lease-failed',
]);

const words: Readonly<Partial<Record<AlertKind, string>>> = {
	'lease-ending': 'ends soon',
	'lease-ended': 'ended',
	'lease-failed': 'NOT ENDED',
	'lease-postponed': 'ends later',
	'guard-trouble': 'not guarded',
	'price-rise': 'costs more',
};

function wordOf({kind}: KeptAlert): string {
	const word = words[kind] ?? kind.replaceAll('-', ' ');
	return grave.has(kind) ? word.toUpperCase() : word;
}

function meaningOf({kind}: KeptAlert): Meaning {
	if (grave.has(kind)) return 'danger';
	return kind === 'lease-ending' || kind === 'budget' || kind === 'idle' ? 'warning' : 'plain';
}

/** State of what an alert is about; undefined where that is not known. */
type StateNow = (alert: KeptAlert) => string | undefined;

/** The columns for a width; the text gets all that is left. */
function alertColumns(
	width: number,
	now: Date,
	stateNow: StateNow,
): ReadonlyArray<Column<KeptAlert>> {
	const state = (alert: KeptAlert) => stateNow(alert) ?? MISSING;
	const same = {align: 'left', rank: 0, best: 'low'} as const;
	const columns: ReadonlyArray<Column<KeptAlert>> = [
		{
			...same,
			id: 'time',
			title: 'TIME',
			width: 11,
			cell: ({at}) => timeOf(Date.parse(at), now),
			sortKey: ({at}) => Date.parse(at),
			best: 'high',
		},
		{
			...same,
			id: 'what',
			title: 'WHAT',
			width: 14,
			cell: wordOf,
			sortKey: wordOf,
			meaning: meaningOf,
		},
		{...same, id: 'now', title: 'NOW', width: 10, cell: state, sortKey: state},
	];
	const used = columns.reduce((sum, column) => sum + column.width + 1, 0);
	const text = {cell: alertLine, sortKey: alertLine, width: Math.max(10, width - used)};
	return [...columns, {...same, id: 'text', title: 'TEXT', ...text}];
}

const listAt = kept(() =>
	createList(
		alertColumns(120, new Date(0), () => undefined),
		({id}: KeptAlert) => idOfText(id),
	),
);

/** Alerts that nobody has acknowledged, newest first. */
export function AlertsScreen({place, router, size, say}: ScreenProps) {
	const {fleet} = useServices();
	const {alerts, copy} = useTerminal();
	const {now} = useTime();
	const list = listAt(place);
	const all = useStore(alerts);
	const shown = useMemo(() => all.filter(({isNew}) => isNew), [all]);
	const [extending, setExtending] = useState<FleetRow>();
	const {rows} = useStore(fleet.state);
	const columns = useMemo(() => {
		const conditions = new Map(rows.map(row => [row.instance.id, shortState(row)]));
		const stateNow = ({instance}: KeptAlert) => conditions.get(instance ?? Number.NaN);
		return alertColumns(size.columns - GUTTER, now(), stateNow);
	}, [size.columns, now, rows]);
	useRows(list, shown);
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
		<ListScope title="Alerts" bindings={alertBindings} {...{list, columns, router, target}}>
			{extending !== undefined && (
				<ChangeLease
					row={extending}
					change={extended}
					say={say}
					onClose={() => setExtending(undefined)}
				/>
			)}
			{shown.length === 0 ? (
				<Notice {...nothing} width={size.columns} height={size.rows} />
			) : (
				<TitledList
					title="ALERTS"
					note={`${count(shown.length)} new`}
					about={aboutAlert}
					unreadable={noneUnreadable}
					{...{list, columns, size}}
				/>
			)}
		</ListScope>
	);
}

const nothing = {
	title: 'There is no new alert.',
	lines: ['What rentty tells is listed here until it is acknowledged.', 'Esc goes back.'],
};

function subjectOf({kind, instance, offer}: KeptAlert): Destination | undefined {
	if (kind === 'price-rise') return {name: 'rises'};
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
