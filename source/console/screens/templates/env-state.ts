/** Editing an environment: where the cursor is, and what is being typed. */
import type {Env} from '../../../contract/env.ts';
import {emptyLine, lineOf, type LineEdit} from '../../components/line-edit.ts';
import {lineOfEnv, putRow, readLine, readRow, writeRow} from './env-rows.ts';

export type EnvState = {
	readonly env: Env;
	/** Environment when it was opened. */
	readonly initial: Env;
	readonly at: number;
	/** Text being typed: an entry, a new one, or all of it as Docker flags. */
	readonly editing: {readonly what: 'entry' | 'new' | 'flags'; readonly line: LineEdit} | undefined;
	readonly problem: string | undefined;
};

export function openEnv(env: Env): EnvState {
	return {env, initial: env, at: 0, editing: undefined, problem: undefined};
}

export function moveEntry(state: EnvState, by: number): EnvState {
	const at = Math.max(0, Math.min(state.at + by, state.env.length - 1));
	return {...state, at, problem: undefined};
}

export function beginEntry(state: EnvState, what: 'entry' | 'new' | 'flags'): EnvState {
	const entry = state.env[state.at];
	const flags = lineOfEnv(state.env);
	const text = what === 'flags' ? ('line' in flags ? flags.line : '') : '';
	const line = what === 'entry' && entry !== undefined ? lineOf(writeRow(entry)) : lineOf(text);
	return {...state, editing: {what, line: what === 'new' ? emptyLine : line}, problem: undefined};
}

export function cancelEntry(state: EnvState): EnvState {
	return {...state, editing: undefined, problem: undefined};
}

/** Takes what was typed, or says what is wrong with it and goes on. */
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
	const place = next.findIndex(([key]) => key === read.entry[0]);
	return accept({...state, problem: undefined}, next, place);
}

/** Every state in between can be said by Docker flags: nothing is found out only on saving. */
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
