/** Logs of a simulated container and of its host. */
import type {Task, Work} from '../../contract/nouns/host-work.ts';
import {linesOf} from '../instance/site.ts';
import type {Moment} from './script.ts';

/** One start of a container: what has become of it so far, and when it was ended, if it was. */
export type Run = {
	readonly startedAt: number;
	readonly moments: readonly Moment[];
	readonly endedAt: number | undefined;
};

type Logged = {readonly work: Work; readonly runs: readonly Run[]};

/** A container that has run for weeks has written no more than this. */
const MOST_STEPS = 2000;
const STEP_SECONDS = 15;

type Line = {readonly at: number; readonly text: string};

/** Requested part of a container's log at a moment. */
export function logOf({work, runs}: Logged, task: Task, now: number): string {
	const lines = runs.flatMap(run =>
		task.daemon_logs === true ? hostLines(work, run) : containerLines(work, run, now),
	);
	return linesOf(lines.map(print).join('\n'), task);
}

function print({at, text}: Line): string {
	return `${new Date(at * 1000).toISOString()} ${text}`;
}

function hostLines({instance_id: id}: Work, {startedAt, moments, endedAt}: Run): readonly Line[] {
	const begun = {at: startedAt, text: `C.${id}: start requested`};
	const happened = moments.map(({at, message}) => ({
		at: startedAt + at,
		text: `C.${id}: ${message}`,
	}));
	const ended = endedAt === undefined ? [] : [{at: endedAt, text: `C.${id}: stopped`}];
	return [begun, ...happened, ...ended];
}

function containerLines(
	work: Work,
	{startedAt, moments, endedAt}: Run,
	now: number,
): readonly Line[] {
	const running = moments.find(({status}) => status === 'running');
	const crash = moments.find(({status}) => status === 'exited');
	const crashed = crash === undefined ? [] : [{at: startedAt + crash.at, text: crash.message}];
	if (running === undefined) return crashed;
	const at = startedAt + running.at;
	const end = Math.min(endedAt ?? now, crash === undefined ? now : startedAt + crash.at);
	const greeted = greetings(work).map(text => ({at, text}));
	return [...greeted, ...steps(at, end), ...crashed];
}

function greetings({launch, onstart = '', args = [], label}: Work): readonly string[] {
	const name = label === undefined || label === null || label === '' ? [] : [`Label: ${label}`];
	const scripts = onstart === '' ? [] : ['Running onstart', 'onstart: done'];
	const ssh = ['Server listening on 0.0.0.0 port 22.', 'Server listening on :: port 22.'];
	const jupyter = ['Jupyter Server is running at https://0.0.0.0:8080/'];
	if (launch?.mode === 'jupyter') return [...name, ...ssh, ...jupyter, ...scripts];
	if (launch?.mode === 'ssh') return [...name, ...ssh, ...scripts];
	return [...name, `Started with: ${JSON.stringify(args)}`];
}

/** Output of a training program while it runs. */
function steps(from: number, to: number): readonly Line[] {
	const count = Math.max(0, Math.floor((to - from) / STEP_SECONDS));
	const first = Math.max(0, count - MOST_STEPS);
	return Array.from({length: count - first}, (_, index) => {
		const step = first + index + 1;
		const loss = 1.2 + 2.8 / (1 + step / 40) + 0.05 * Math.sin(step * 1.7);
		return {at: from + step * STEP_SECONDS, text: `step ${step * 10}  loss ${loss.toFixed(4)}`};
	});
}
