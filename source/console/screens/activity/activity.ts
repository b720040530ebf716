/** The lists of activity and of changes that can be taken back: their keys, and their columns. */
import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	filterKey,
	movements,
	openKey,
	refreshKey,
	scrollKeys,
} from '../../list/bindings.ts';
import {type Column, mostColumn, textColumn, textColumns, widthLeft} from '../../list/columns.ts';
import {MISSING, money, timeOfDay} from '../../../renter/text/format.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {Activity} from '../../../renter/nouns/activity.ts';
import type {Meaning} from '../../ui/theme.ts';

type ActivityTarget = {
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => void;
	/** Takes back actions armed for its instances. */
	readonly takeBack: () => void;
	readonly notArmed: () => string | undefined;
	/** Refuses an agent's pending rent. */
	readonly refuse: () => void;
	readonly notWaiting: () => string | undefined;
	readonly showSeen: () => void;
};

const empty = (list: ListTarget) => list.ifEmpty('nothing is listed');

export const activityBindings: Bindings<ListTarget & ActivityTarget> = [
	openKey('nothing is listed'),
	{
		keys: ['y'],
		id: 'copy-json',
		title: 'copy it as JSON',
		hint: 'copy',
		run: list => list.copy(),
		unavailable: empty,
	},
	filterKey,
	{
		keys: ['v'],
		id: 'what-was-seen',
		title: 'what rentty saw of instances, or only what was done',
		hint: 'seen',
		run: list => list.showSeen(),
	},
	{
		keys: ['u'],
		id: 'disarm-instance',
		title: 'take back what is armed for its instance',
		run: list => list.takeBack(),
		unavailable: list => list.notArmed(),
	},
	{
		keys: ['x'],
		id: 'refuse-agent',
		title: 'refuse the rent that an agent asks for; it asks, and shows the quote',
		isChange: true,
		run: list => list.refuse(),
		unavailable: list => list.notWaiting(),
	},
	refreshKey({hint: 'refresh'}),
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back: filter, screen',
		run: list => list.back(),
		unavailable: list => list.backUnavailable(),
	},
	...movements,
	...columnKeys,
];

type EntryTarget = {
	readonly close: () => void;
	readonly copy: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const activityEntryBindings: Bindings<EntryTarget> = [
	{
		keys: ['Esc', 'q', 'Enter'],
		id: 'back',
		title: 'back',
		hint: 'back',
		run: entry => entry.close(),
	},
	{
		keys: ['y'],
		id: 'copy-json',
		title: 'copy it as JSON',
		hint: 'copy',
		run: entry => entry.copy(),
	},
	...scrollKeys(),
];

type EntryColumn = Column<Activity>;

const two = (value: number) => String(value).padStart(2, '0');

/** The day, if it is not today. */
export function timeOf(at: number, now: Date): string {
	const date = new Date(at);
	const time = timeOfDay(date);
	if (date.toDateString() === now.toDateString()) return time;
	return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${time.slice(0, 5)}`;
}

function text(id: 'what' | 'subject' | 'result', title: string, width: number): EntryColumn {
	return textColumn(
		[id, title, width, 0],
		(row: Activity) => row[id],
		words => words || MISSING,
	);
}

/** The result gets the rest of the width. */
export function activityColumns(width: number, now: Date): readonly EntryColumn[] {
	const isNarrow = width < 70;
	const columns: readonly EntryColumn[] = [
		{
			...textColumn(
				['time', 'TIME', 11, 0],
				({at}: Activity) => at,
				at => timeOf(at, now),
			),
			best: 'high',
		},
		text('what', 'WHAT', isNarrow ? 10 : 16),
		text('subject', 'ABOUT', isNarrow ? 12 : 22),
		...(isNarrow ? [] : [mostColumn(['price', '$', 7, 0], ({price}: Activity) => price, money)]),
	];
	const result = text('result', 'RESULT', Math.max(6, widthLeft(width, columns)));
	return [...columns, {...result, meaning: meaningOf}];
}

function meaningOf({isTrouble, source: {kind}}: Activity): Meaning {
	if (kind === 'waiting') return 'warning';
	if (isTrouble) return 'danger';
	return kind === 'seen' ? 'quiet' : 'good';
}

export function factLine(name: string, value: string, width: number): string {
	return fit(` ${fit(name, 12)}${value}`, width);
}

export const undoColumns = (width: number) => {
	const isNarrow = width < 70;
	const widths = [11, isNarrow ? 10 : 16, isNarrow ? 12 : 22] as const;
	const rest = Math.max(8, width - widths[0] - widths[1] - widths[2] - 3);
	return textColumns([
		['when', 'WHEN', widths[0], 0],
		['what', 'WHAT', widths[1], 0],
		['about', 'ABOUT', widths[2], 0],
		['back', 'BACK TO', rest, 0],
	]);
};

export const undoBindings: Bindings<ListTarget & {readonly open: () => void}> = [
	{
		keys: ['Enter', 'u'],
		id: 'take-it-back',
		title: 'take it back; it asks, and says what changed since',
		hint: 'take back',
		isChange: true,
		changesService: true,
		run: list => list.open(),
		unavailable: list => list.ifEmpty('nothing can be taken back'),
	},
	...movements,
	...columnKeys,
];
