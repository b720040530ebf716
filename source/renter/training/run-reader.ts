/** Reads a run from its log, and from TensorBoard's event files if the log has no steps. */
import type {RunInside} from '../leases/inside.ts';
import type {Settings} from '../settings/default-settings.ts';
import {splitLines} from '../text/new-lines.ts';
import {openEventReader} from './event-reader.ts';
import {readPatterns} from './own-patterns.ts';
import {openRunReadings, type RunReading, type RunRow} from './run-reading.ts';
import {openTraining, openTrainingLog, type Training} from './training-log.ts';

export type RunSettings = Pick<Settings, 'runPatterns' | 'runFolders'>;

type Options = {
	readonly settings: RunSettings;
	/** Enters instances; undefined if impossible: then only logs are read. */
	readonly inside: RunInside | undefined;
	/** Time of the first read, in milliseconds since 1970. */
	readonly since: number;
};

export type RunReader = (row: RunRow, text: string, now: number) => Promise<RunReading>;

export function openRunReader({settings, inside, since}: Options): RunReader {
	const {runPatterns, runFolders} = settings;
	const log = openTrainingLog(readPatterns(runPatterns));
	const events = inside && openEventReader(inside, runFolders);
	const addEvents = openTraining();
	const judge = openRunReadings(since);
	const end = openEnd();
	return async (row, text, now) => {
		const logged = log(splitLines(text), now);
		const hasSteps = logged.step !== undefined && logged.position !== 'bar';
		const isWanted = !hasSteps || runFolders.length > 0;
		const isRunning = row.instance.actual_status === 'running';
		const scalars = isWanted && isRunning ? await events?.(row.instance, now) : undefined;
		const drawn = addEvents(scalars ?? [], 0);
		if (drawn.step === undefined) return judge(row, logged, now);
		const isDone = end(logged, drawn);
		const {checkpoint, isEvaluating, isFollowed, lines} = logged;
		const told = {isDone, checkpoint, isEvaluating, isFollowed, lines};
		return judge(row, {...drawn, ...told, isOfEvents: true}, now);
	};
}

/**
 * Combines a run's steps from a file with the end in its log, which is valid until there are
 * further steps.
 */
function openEnd(): (logged: Training, drawn: Training) => boolean {
	let doneAt: number | undefined;
	let wasDone = false;
	return ({isDone}, {step}) => {
		if (isDone && !wasDone) doneAt = step;
		wasDone = isDone;
		return isDone && step === doneAt;
	};
}
