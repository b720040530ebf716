/**
 * The one sign and the one word of each condition, for lists, dialogs, events, alerts and commands.
 */
import type {InstanceCondition} from './condition.ts';

type StateSign = {
	readonly sign: string;
	readonly word: string;
};

/** Signs by what an instance needs from its user. */
export const signs = {
	running: '●',
	booting: '◐',
	stopped: '○',
	watched: '▲',
	bad: '✖',
	gone: '–',
} as const;

export const stateSigns: Readonly<Record<InstanceCondition, StateSign>> = {
	undead: {sign: signs.bad, word: 'not gone'},
	stuck: {sign: signs.bad, word: 'stuck'},
	dead: {sign: signs.bad, word: 'dead'},
	noSsh: {sign: signs.watched, word: 'no ssh'},
	failing: {sign: signs.watched, word: 'exited'},
	failed: {sign: signs.watched, word: 'failed'},
	slow: {sign: signs.watched, word: 'slow'},
	provisioning: {sign: signs.booting, word: 'provisioning'},
	loading: {sign: signs.booting, word: 'loading'},
	destroying: {sign: signs.gone, word: 'destroying'},
	other: {sign: signs.watched, word: 'in a new state'},
	running: {sign: signs.running, word: 'running'},
	idle: {sign: signs.watched, word: 'idle'},
	waiting: {sign: signs.stopped, word: 'waiting'},
	stopped: {sign: signs.stopped, word: 'stopped'},
	unlisted: {sign: signs.watched, word: 'not listed yet'},
	gone: {sign: signs.gone, word: 'gone'},
};

/** Signs and their meanings, in the order of help. */
export const signMeanings: ReadonlyArray<
	readonly [sign: string, meaning: string, of: InstanceCondition]
> = [
	[signs.running, 'running', 'running'],
	[signs.booting, 'on its way: provisioning, or loading its image', 'loading'],
	[
		signs.watched,
		'slow, idle, exited, failed, without SSH, or in a state that is shown as it was sent',
		'slow',
	],
	[signs.bad, 'stuck longer than your limit, dead for good, or destroyed and still listed', 'dead'],
	[signs.stopped, 'stopped: the disk is still charged', 'stopped'],
	[signs.gone, 'being destroyed, or gone', 'gone'],
];
