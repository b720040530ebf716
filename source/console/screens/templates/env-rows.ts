/** An environment as rows that can be edited, and as the line of Docker flags that says the same. */
import {parseEnv, printEnv, type Env, type EnvEntry} from '../../../contract/env.ts';
import {containerPort, envProblem} from '../../../contract/env-ports.ts';

/** An entry as it is typed: `NAME=value`, or a flag like `-p 8080:80`. */
export function writeRow([key, value]: EnvEntry): string {
	if (key === '-h') return `-h ${value}`;
	return key.startsWith('-') ? key : `${key}=${value}`;
}

type Read = {readonly entry: EnvEntry} | {readonly problem: string};

/** Reads one entry as it was typed. A value is taken as it stands, quotes and all. */
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

/** Kind of an entry, in a word. */
export function kindOf([key]: EnvEntry): string {
	if (containerPort(key) !== undefined) return 'port';
	if (key === '-h') return 'host name';
	return key.startsWith('-') ? 'flag' : 'variable';
}

/** The entries with another in the place of one, or behind them all; a name is there once. */
export function putRow(env: Env, at: number, entry: EnvEntry): Env {
	const others = env.filter(([key], index) => index === at || key !== entry[0]);
	const before = env[at];
	const place = before === undefined ? -1 : others.indexOf(before);
	return place === -1 ? [...others, entry] : others.with(place, entry);
}

type Line = {readonly line: string} | {readonly problem: string};

/** The line of Docker flags, where there is one that says all of it. */
export function lineOfEnv(env: Env): Line {
	const problem = envProblem(env);
	if (problem !== undefined) return {problem: problem.replace(/^env: /, '')};
	const line = printEnv(env);
	return line === undefined
		? {problem: 'no Docker flags can say this value: it has both kinds of quotes'}
		: {line};
}

/** Reads a line of Docker flags; what is not understood is left out, and how much that was is said. */
export function readLine(text: string): {readonly env: Env; readonly leftOut: boolean} {
	const env = parseEnv(text);
	const line = printEnv(env) ?? '';
	return {env, leftOut: line.replaceAll(/\s|["']/g, '') !== text.replaceAll(/\s|["']/g, '')};
}
