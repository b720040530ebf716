import {
	containerPort,
	envProblem,
	parseEnv,
	printEnv,
	type Env,
	type EnvEntry,
} from '../../../contract/rules/env.ts';
import type {Store} from '../../../renter/state/store.ts';
import {emptyLine, newLineEdit, type LineEdit} from '../../ui/line-edit.ts';

export type EnvState = {
	readonly env: Env;
	readonly initial: Env;
	readonly at: number;
	/** Text being typed: an entry, a new one, or all of it as Docker flags. */
	readonly editing: {readonly what: 'entry' | 'new' | 'flags'; readonly line: LineEdit} | undefined;
	readonly problem: string | undefined;
};

export function openEnv(env: Env): EnvState {
	return {env, initial: env, at: 0, editing: undefined, problem: undefined};
}

function moveEntry(state: EnvState, by: number): EnvState {
	const at = Math.max(0, Math.min(state.at + by, state.env.length - 1));
	return {...state, at, problem: undefined};
}

export function beginEntry(state: EnvState, what: 'entry' | 'new' | 'flags'): EnvState {
	const entry = state.env[state.at];
	const flags = lineOfEnv(state.env);
	const text = what === 'flags' ? ('line' in flags ? flags.line : '') : '';
	const line =
		what === 'entry' && entry !== undefined ? newLineEdit(writeRow(entry)) : newLineEdit(text);
	return {...state, editing: {what, line: what === 'new' ? emptyLine : line}, problem: undefined};
}

export function cancelEntry(state: EnvState): EnvState {
	return {...state, editing: undefined, problem: undefined};
}

/** Takes the typed text, or shows its problem and goes on. */
export function applyEntry(state: EnvState): EnvState {
	const {editing, env, at} = state;
	if (editing === undefined) return state;
	if (editing.what === 'flags') {
		const read = readLine(editing.line.text);
		const problem = read.leftOut ? 'what is no Docker flag was left out' : undefined;
		return accept({...state, problem}, read.env, 0);
	}
	const read = readRow(editing.line.text);
	if ('problem' in read) return {...state, problem: read.problem};
	const next = putRow(env, editing.what === 'new' ? env.length : at, read.entry);
	const index = next.findIndex(([key]) => key === read.entry[0]);
	return accept({...state, problem: undefined}, next, index);
}

/** Every state in between fits into Docker flags, so that saving brings no surprise. */
function accept(state: EnvState, env: Env, at: number): EnvState {
	const line = lineOfEnv(env);
	if ('problem' in line) return {...state, problem: line.problem};
	return {...state, env, at: Math.max(0, at), editing: undefined};
}

export function removeEntry(state: EnvState): EnvState {
	const env = state.env.toSpliced(state.at, 1);
	return moveEntry({...state, env}, 0);
}

export function restoreEnv(state: EnvState): EnvState {
	return openEnv(state.initial);
}

/** An entry as it is typed: `NAME=value`, or a flag like `-p 8080:80`. */
export function writeRow([key, value]: EnvEntry): string {
	if (key === '-h') return `-h ${value}`;
	return key.startsWith('-') ? key : `${key}=${value}`;
}

type Read = {readonly entry: EnvEntry} | {readonly problem: string};

/** Reads one typed entry. A value is taken literally, quotes included. */
export function readRow(text: string): Read {
	const trimmed = text.trim();
	if (trimmed.startsWith('-')) {
		const [entry, another] = parseEnv(trimmed);
		return entry === undefined || another !== undefined
			? {problem: 'expected NAME=value, or a flag like -p 8080:80'}
			: {entry};
	}
	const at = text.indexOf('=');
	const name = text.slice(0, Math.max(0, at)).trim();
	if (at < 0 || name === '') return {problem: 'expected NAME=value, or a flag like -p 8080:80'};
	return {entry: [name, text.slice(at + 1)]};
}

export function envEntryKind([key]: EnvEntry): string {
	if (containerPort(key) !== undefined) return 'port';
	if (key === '-h') return 'host name';
	return key.startsWith('-') ? 'flag' : 'variable';
}

/** The entries with one replaced, or added at the end; a name occurs once. */
function putRow(env: Env, at: number, entry: EnvEntry): Env {
	const others = env.filter(([key], index) => index === at || key !== entry[0]);
	const before = env[at];
	const index = before === undefined ? -1 : others.indexOf(before);
	return index === -1 ? [...others, entry] : others.with(index, entry);
}

type Line = {readonly line: string} | {readonly problem: string};

/** The line of Docker flags, where one can hold all entries. */
export function lineOfEnv(env: Env): Line {
	const problem = envProblem(env);
	if (problem !== undefined) return {problem: problem.replace(/^env: /, '')};
	const line = printEnv(env);
	return line === undefined
		? {problem: 'no Docker flags can say this value: it has both kinds of quotes'}
		: {line};
}

/** Reads a line of Docker flags; unknown parts are left out, and counted in a message. */
function readLine(text: string): {readonly env: Env; readonly leftOut: boolean} {
	const env = parseEnv(text);
	const line = printEnv(env) ?? '';
	return {env, leftOut: line.replaceAll(/\s|["']/g, '') !== text.replaceAll(/\s|["']/g, '')};
}

export function envTarget(store: Store<EnvState>, done: () => void) {
	const change = (step: (state: EnvState) => EnvState) => store.set(step(store.get()));
	return {
		move: (by: number) => change(state => moveEntry(state, by)),
		edit: () => change(state => beginEntry(state, 'entry')),
		add: () => change(state => beginEntry(state, 'new')),
		remove: () => change(removeEntry),
		editLine: () => change(state => beginEntry(state, 'flags')),
		restore: () => change(restoreEnv),
		done,
		missing: () => (store.get().env.length === 0 ? 'there is no entry; n makes one' : undefined),
	};
}

export type EnvTarget = ReturnType<typeof envTarget>;
