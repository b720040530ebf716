/** Runs to compare in one chart: current ones, and stored ones. */
import type {FleetRow} from '../fleet/fleet-state.ts';
import {shownLabel} from '../words/lease.ts';
import type {KeptRun} from './kept-runs.ts';
import type {RunReadings} from './run-watch.ts';

export type ComparedRun = KeptRun & {
	/** True if its steps are no longer read. */
	readonly isEnded: boolean;
};

type Sources = {
	readonly rows: readonly FleetRow[];
	readonly readings: RunReadings;
	readonly kept: readonly KeptRun[];
	/** Milliseconds since 1970. */
	readonly now: number;
};

/** All runs but one: current ones first, then the latest. @param own id of its instance */
export function comparedRuns(
	own: number,
	{rows, readings, kept, now}: Sources,
): readonly ComparedRun[] {
	const live = rows.flatMap(({instance: {id, label}, condition}) => {
		const training = readings.get(id)?.training;
		if (id === own || training === undefined || training.steps.length === 0) return [];
		const {steps, of, lastStepAt = now} = training;
		const isEnded = condition === 'gone';
		return {id, label: shownLabel(label), at: lastStepAt, of, steps, isEnded};
	});
	const known = new Set([own, ...live.map(({id}) => id)]);
	const ended = kept.filter(({id}) => !known.has(id));
	return [...live, ...ended.map(run => ({...run, isEnded: true}))];
}
