/** The list of alerts: its columns, and its keys. */
import {alertLine, type KeptAlert} from '../../../renter/alerts/kept-alerts.ts';
import {MISSING} from '../../../renter/text/format.ts';
import type {AlertKind} from '../../../renter/words/alert.ts';
import {columnKeys, movements, openKey, type ListTarget} from '../../list/bindings.ts';
import type {Column} from '../../list/columns.ts';
import type {Bindings} from '../../ui/bindings.ts';
import type {Meaning} from '../../ui/theme.ts';
import {timeOf} from '../activity/activity.ts';

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
export function alertColumns(
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

/** Key methods of the list of alerts, beside those of every list. */
export type AlertsTarget = {
	readonly open: () => void;
	/** Why there is nothing to go to; undefined where there is. */
	readonly noSubject: () => string | undefined;
	readonly acknowledge: () => void;
	readonly acknowledgeAll: () => void;
	readonly extend: () => void;
	/** Why no deadline can be put off; undefined where one can. */
	readonly notExtendable: () => string | undefined;
	readonly copy: () => void;
};

const empty = ['ifEmpty', 'there is no new alert'] as const;

export const alertBindings: Bindings<ListTarget & AlertsTarget> = [
	{
		...openKey('there is no new alert'),
		title: 'go to what it is about',
		hint: 'go there',
		unavailable: 'noSubject',
	},
	{
		keys: ['Space'],
		id: 'acknowledge',
		title: 'acknowledge it: it leaves the list',
		hint: 'acknowledge',
		does: 'acknowledge',
		unavailable: empty,
	},
	{
		keys: ['*'],
		id: 'acknowledge-all',
		title: 'acknowledge all that are listed',
		hint: 'all',
		does: 'acknowledgeAll',
		unavailable: empty,
	},
	{
		keys: ['+'],
		id: 'put-its-deadline-off',
		title: 'put the deadline of its instance off by an hour',
		hint: 'an hour more',
		isChange: true,
		changesService: true,
		does: 'extend',
		unavailable: 'notExtendable',
	},
	{
		keys: ['y'],
		id: 'copy-its-text',
		title: 'copy its text',
		does: 'copy',
		unavailable: empty,
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back',
		does: 'back',
		unavailable: 'backUnavailable',
	},
	...movements,
	...columnKeys,
];
