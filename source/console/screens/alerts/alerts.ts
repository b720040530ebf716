/** The lists of alerts and of price increases: their columns, and their keys. */
import type {ListTarget} from '../../list/list-target.ts';
import {alertLine, type KeptAlert} from '../../../renter/alerts/kept-alerts.ts';
import {MISSING} from '../../../renter/text/format.ts';
import type {AlertKind} from '../../../renter/words/alert.ts';
import {
	columnKeys,
	movements,
	openKey,
	refreshKey,
	refreshUnreadableTexts,
} from '../../list/bindings.ts';
import {type Column, textColumn, textColumns, widthLeft} from '../../list/columns.ts';
import type {Bindings} from '../../ui/bindings.ts';
import type {Meaning} from '../../ui/theme.ts';
import {timeOf} from '../activity/activity.ts';

/** Kinds of alerts that cost money or data until the user acts: in capitals, for there may be no colour. */
const grave: ReadonlySet<AlertKind> = new Set([
	'stuck',
	'dead',
	'undead',
	'host-lost',
	'gpu-sick',
	'not-as-ordered',
	'lease-failed',
	'run-nan',
	'run-silent',
]);

const warned: ReadonlySet<AlertKind> = new Set([
	'lease-ending',
	'lease-changed',
	'budget',
	'idle',
	'failed',
	'agent-asks',
	'dearer',
]);

const words: Readonly<Partial<Record<AlertKind, string>>> = {
	'lease-ending': 'ends soon',
	'lease-ended': 'ended',
	'lease-failed': 'NOT ENDED',
	'lease-postponed': 'ends later',
	'lease-changed': 'new lease',
	'guard-trouble': 'not guarded',
	'price-rise': 'costs more',
	dearer: 'costs more',
	'run-nan': 'loss nan',
	'run-rising': 'loss rises',
	'run-silent': 'no step',
	'run-done': 'run done',
};

function wordOf({kind}: KeptAlert): string {
	const word = words[kind] ?? kind.replaceAll('-', ' ');
	return grave.has(kind) ? word.toUpperCase() : word;
}

function meaningOf({kind}: KeptAlert): Meaning {
	if (grave.has(kind)) return 'danger';
	return warned.has(kind) ? 'warning' : 'plain';
}

/** State of an alert's subject; undefined if it is unknown. */
type StateNow = (alert: KeptAlert) => string | undefined;

/** The text gets the rest of the width. */
export function alertColumns(
	width: number,
	now: Date,
	stateNow: StateNow,
): ReadonlyArray<Column<KeptAlert>> {
	const state = (alert: KeptAlert) => stateNow(alert) ?? MISSING;
	const columns: ReadonlyArray<Column<KeptAlert>> = [
		{
			...textColumn(
				['time', 'TIME', 11, 0],
				({at}: KeptAlert) => Date.parse(at),
				at => timeOf(at, now),
			),
			best: 'high',
		},
		{...textColumn(['what', 'WHAT', 14, 0], wordOf, String), meaning: meaningOf},
		textColumn(['now', 'NOW', 10, 0], state, String),
	];
	const rest = Math.max(10, widthLeft(width, columns));
	return [...columns, textColumn(['text', 'TEXT', rest, 0], alertLine, String)];
}

export type AlertsTarget = {
	readonly open: () => void;
	/** Reason why the alert has no subject to open; undefined if it has one. */
	readonly noSubject: () => string | undefined;
	readonly acknowledge: () => void;
	readonly acknowledgeAll: () => void;
	readonly extend: () => void;
	/** Reason why the deadline cannot be put off; undefined if it can. */
	readonly notExtendable: () => string | undefined;
	readonly copy: () => void;
};

const noAlert = (list: ListTarget) => list.ifEmpty('there is no new alert');

export const alertBindings: Bindings<ListTarget & AlertsTarget> = [
	{
		...openKey('there is no new alert'),
		title: 'go to what it is about',
		hint: 'go there',
		unavailable: list => list.noSubject(),
	},
	{
		keys: ['Space'],
		id: 'acknowledge',
		title: 'acknowledge it: it leaves the list',
		hint: 'acknowledge',
		run: list => list.acknowledge(),
		unavailable: noAlert,
	},
	{
		keys: ['*'],
		id: 'acknowledge-all',
		title: 'acknowledge all that are listed',
		hint: 'all',
		run: list => list.acknowledgeAll(),
		unavailable: noAlert,
	},
	{
		keys: ['+'],
		id: 'extend-lease',
		title: 'put the deadline of its instance off by an hour',
		hint: 'an hour more',
		isChange: true,
		changesService: true,
		run: list => list.extend(),
		unavailable: list => list.notExtendable(),
	},
	{
		keys: ['y'],
		id: 'copy-its-text',
		title: 'copy its text',
		run: list => list.copy(),
		unavailable: noAlert,
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back',
		run: list => list.back(),
		unavailable: list => list.backUnavailable(),
	},
	...movements,
	...columnKeys,
];

export const increaseColumns = (width: number) => {
	const name = width < 100 ? 14 : 26;
	const rest = Math.max(10, width - name - 2 * 11 - 3);
	return textColumns([
		['instance', 'INSTANCE', name, 0],
		['what', 'WHAT COSTS MORE', rest, 0],
		['kept', 'NOT BEFORE', 11, 0],
		['until', 'THEN UNTIL', 11, 0],
	]);
};

export type IncreasesTarget = {
	readonly accept: () => void;
	readonly reject: () => void;
	readonly instance: () => void;
	readonly refresh: () => void;
};

const noIncrease = (list: ListTarget) => list.ifEmpty('nothing waits for an answer');

export const increaseBindings: Bindings<ListTarget & IncreasesTarget> = [
	{
		keys: ['Enter'],
		id: 'accept-price',
		title: 'accept the new price; it asks, and says from when on',
		hint: 'accept',
		isChange: true,
		changesService: true,
		run: list => list.accept(),
		unavailable: noIncrease,
	},
	{
		keys: ['x'],
		id: 'reject-price',
		title: 'reject the new price: the instance ends at its end; it asks',
		hint: 'reject',
		isChange: true,
		changesService: true,
		run: list => list.reject(),
		unavailable: noIncrease,
	},
	{
		keys: ['i'],
		id: 'open-instance',
		title: 'go to its instance',
		hint: 'instance',
		run: list => list.instance(),
		unavailable: noIncrease,
	},
	refreshKey(refreshUnreadableTexts),
	...movements,
	...columnKeys,
];
