/** View of a comparison: its columns, its rows, and the job that is being edited. */
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {kept} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import type {JobEdit} from './job-edit.ts';

export type CompareState = {
	/** The offers whose columns were dropped. */
	readonly dropped: readonly number[];
	/** The offer whose column is picked; undefined for the first. */
	readonly pickedId: number | undefined;
	/** Rows in which the offers do not differ are hidden. */
	readonly isOnlyDifferences: boolean;
	/** Rows scrolled away. */
	readonly top: number;
	/** The offers whose part in the fallback order is another than it would be by itself. */
	readonly reversed: readonly number[];
	/** The offers as they were when their prices were first read, or read again by hand. */
	readonly seen: ReadonlyMap<number, Offer>;
	/** The job inputs while they are edited. */
	readonly edit: JobEdit | undefined;
};

export const wholeComparison: CompareState = {
	dropped: [],
	pickedId: undefined,
	isOnlyDifferences: false,
	top: 0,
	reversed: [],
	seen: new Map(),
	edit: undefined,
};

/** The state stays with its place, so that coming back from an offer finds it as it was. */
export const comparisonAt = kept(() => createStore(wholeComparison));

/** Index of the picked offer among the shown ones. */
export function pickedOf({pickedId}: CompareState, ids: readonly number[]): number {
	return pickedId === undefined ? 0 : Math.max(0, ids.indexOf(pickedId));
}

export function pickColumn(
	state: CompareState,
	ids: readonly number[],
	step: 1 | -1,
): CompareState {
	const at = pickedOf(state, ids) + step;
	return {...state, pickedId: ids[Math.max(0, Math.min(at, ids.length - 1))]};
}

/** Takes the picked column away; the one that takes its place is picked then. */
export function dropColumn(state: CompareState, ids: readonly number[]): CompareState {
	const at = pickedOf(state, ids);
	const id = ids[at];
	if (id === undefined) return state;
	const left = ids.filter(other => other !== id);
	const pickedId = left[Math.min(at, left.length - 1)];
	return {...state, dropped: [...state.dropped, id], pickedId};
}

/** Keeps the picked offer out of the fallback order, or puts it back. */
export function toggleFallback(state: CompareState, ids: readonly number[]): CompareState {
	const id = ids[pickedOf(state, ids)];
	if (id === undefined) return state;
	const others = state.reversed.filter(other => other !== id);
	const isReversed = others.length < state.reversed.length;
	return {...state, reversed: isReversed ? others : [...others, id]};
}

/** Scrolls, within what there is: `hidden` rows do not fit. */
export function scrollRows(state: CompareState, by: number, hidden: number): CompareState {
	const top = Math.max(0, Math.min(Math.min(state.top, hidden) + by, hidden));
	return top === state.top ? state : {...state, top};
}

export function toggleDifferences(state: CompareState): CompareState {
	return {...state, isOnlyDifferences: !state.isOnlyDifferences, top: 0};
}

/** The job that is shown: while it is edited, with what of that makes sense. */
export function jobShown({edit}: CompareState, job: Job): Job {
	return edit === undefined ? job : {...job, ...edit.job};
}
