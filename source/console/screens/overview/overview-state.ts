import {createStore} from '../../../renter/state/store.ts';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import type {FleetUseHistory} from '../../../renter/history/use-history.ts';
import type {PriceWatch} from '../../../renter/settings/default-settings.ts';
import type {WatchState} from '../../../renter/offers/watches.ts';
import type {RunReadings} from '../../../renter/training/run-watch.ts';
import type {Theme} from '../../ui/theme.ts';
import {keptByStackEntry, type Destination} from '../../services/router.ts';
import {createHeldSweep} from '../instances/use-actions.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../../contract/rules/durations.ts';

/** Parts of the overview that have lines, in the order of Tab. */
const parts = ['TROUBLE', 'ENDS', 'USE', 'MONEY', 'LAST CHANGES'] as const;

export type OverviewPart = (typeof parts)[number];

export type OverviewRow = {
	readonly part: OverviewPart;
	/** The cursor stays on the line with its key. */
	readonly key: string;
	readonly goes: Destination;
	/** Lines of the same part are made for the same width, behind a column for the cursor. */
	readonly write: (width: number, theme: Theme) => string;
};

export type OverviewState = {
	/** Key of the line that the cursor is on; undefined for the first. */
	readonly cursor: string | undefined;
	/** Index of the span of use. */
	readonly span: number;
	/** Use as numbers in place of bars. */
	readonly isTable: boolean;
};

export const overviewSpans = [
	{name: '10 min', ms: 10 * MINUTE_MS},
	{name: '60 min', ms: HOUR_MS},
	{name: '6 h', ms: 6 * HOUR_MS},
	{name: '24 h', ms: DAY_MS},
] as const;

export const overviewAt = keptByStackEntry(() => ({
	state: createStore<OverviewState>({cursor: undefined, span: 1, isTable: false}),
	held: createHeldSweep(),
	/** Count of instances that a sweep works on. */
	underWay: createStore(0),
}));

/** Days in UTC, from the first on, counted from 1970. */
type Days = {readonly first: number; readonly dollars: readonly number[]};

export type WatchedPrice = {readonly watch: PriceWatch; readonly state: WatchState};

export type OverviewData = {
	readonly fleet: FleetState;
	readonly history: FleetUseHistory;
	readonly runs: RunReadings;
	/** Dollars of the last days, today last; undefined if they are not known. */
	readonly days: Days | undefined;
	/** Watched prices, with their last polls. */
	readonly watched: readonly WatchedPrice[];
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: number;
};

/** Index of the line that the cursor is on: the first where its own is gone. */
export function cursorLineIndex(
	lines: readonly OverviewRow[],
	{cursor}: Pick<OverviewState, 'cursor'>,
): number {
	return Math.max(
		0,
		lines.findIndex(({key}) => key === cursor),
	);
}

/** Key of the line so many lines further, or of the first line of a part before or after. */
export function movedIn(
	lines: readonly OverviewRow[],
	state: Pick<OverviewState, 'cursor'>,
	step: number | 'next part' | 'part before',
): string | undefined {
	const at = cursorLineIndex(lines, state);
	if (typeof step === 'number')
		return lines[Math.max(0, Math.min(at + step, lines.length - 1))]?.key;
	const shown = parts.filter(part => lines.some(line => line.part === part));
	const now = shown.indexOf(lines[at]?.part ?? 'TROUBLE');
	const next = shown[(now + (step === 'next part' ? 1 : shown.length - 1)) % shown.length];
	return lines.find(({part}) => part === next)?.key;
}
