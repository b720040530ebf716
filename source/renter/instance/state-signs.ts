/** The one sign and the one word of each condition, for lists, dialogs, events, alerts and commands. */
import type {Condition} from './condition.ts';

type StateSign = {
	readonly sign: string;
	readonly word: string;
};

const RUNNING = '●';
const BOOTING = '◐';
const WATCHED = '▲';
const BAD = '✖';
const STOPPED = '○';
const GONE = '–';

export const stateSigns: Readonly<Record<Condition, StateSign>> = {
	undead: {sign: BAD, word: 'not gone'},
	stuck: {sign: BAD, word: 'stuck'},
	dead: {sign: BAD, word: 'dead'},
	noSsh: {sign: WATCHED, word: 'no ssh'},
	failing: {sign: WATCHED, word: 'exited'},
	slow: {sign: WATCHED, word: 'slow'},
	provisioning: {sign: BOOTING, word: 'provisioning'},
	loading: {sign: BOOTING, word: 'loading'},
	destroying: {sign: GONE, word: 'destroying'},
	other: {sign: WATCHED, word: 'in a new state'},
	running: {sign: RUNNING, word: 'running'},
	idle: {sign: WATCHED, word: 'idle'},
	waiting: {sign: STOPPED, word: 'waiting'},
	stopped: {sign: STOPPED, word: 'stopped'},
	unlisted: {sign: WATCHED, word: 'not listed yet'},
	gone: {sign: GONE, word: 'gone'},
};

/** Signs with what each means, in the order of help. */
export const signMeanings: ReadonlyArray<readonly [sign: string, meaning: string, of: Condition]> =
	[
		[RUNNING, 'running', 'running'],
		[BOOTING, 'on its way: provisioning, or loading its image', 'loading'],
		[
			WATCHED,
			'slow, idle, exited, without SSH, or in a state that is shown as it was sent',
			'slow',
		],
		[BAD, 'stuck longer than your limit, dead for good, or destroyed and still listed', 'dead'],
		[STOPPED, 'stopped: the disk is still charged', 'stopped'],
		[GONE, 'being destroyed, or gone', 'gone'],
	];
