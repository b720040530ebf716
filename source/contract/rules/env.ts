/**
 * An instance's environment: variables, and flags such as ports. On the wire it is a
 * line of Docker flags or an object:
 *
 * -e NAME=value -p 8080:80      {"NAME": "value", "-p 8080:80": "1"}
 */
import {countCharacters} from '../grammar/harmless-text.ts';

/** Entries in order, each key once. A key is a variable's name, `-h`, or a flag with its argument. */
export type Env = ReadonlyArray<EnvEntry>;
export type EnvEntry = readonly [key: string, value: string];

type Flag = '-e' | '-p' | '-h' | '-v' | '-n';

/** Reads a line of Docker flags, without unknown words. */
export function parseEnv(line: string): Env {
	return lastOfEach(readLine(line).entries);
}

/** The first part of a line that is no entry, and is dropped; undefined if all of it is read. */
export function unreadEnvPart(line: string): string | undefined {
	return readLine(line).unread.find(part => part !== '');
}

function readLine(line: string) {
	const entries: EnvEntry[] = [];
	const unread: string[] = [];
	let flag: Flag | undefined;
	for (const word of splitWords(line)) {
		if (flag === undefined) {
			flag = flagOf(word);
			if (flag === undefined) unread.push(word);
			continue;
		}
		// Any word completes a flag, even an empty one: two spaces after a flag leave it without
		// its argument.
		const entry = readWord(flag, word);
		if (entry === undefined) unread.push(`${flag} ${word}`);
		else entries.push(entry);
		flag = undefined;
	}
	return {entries, unread: flag === undefined ? unread : [...unread, flag]};
}

/** Writes a line that can be parsed back; undefined for values whose quotes no line can express. */
export function printEnv(env: Env): string | undefined {
	const words = env.map((entry, index) => printEntry(entry, index === env.length - 1));
	return words.includes(undefined) ? undefined : words.join(' ');
}

/** Reads the object form: the same keys, and values of any kind. Null is "not given". */
export function readEnvObject(object: Readonly<Record<string, unknown>>): Env {
	const entries = Object.entries(object).map(([key, value]) =>
		value === null || value === undefined ? undefined : readKey(key, valueText(value)),
	);
	return lastOfEach(entries.filter(entry => entry !== undefined));
}

/** Keeps the later of two entries with the same key, in its later position. */
export function lastOfEach(entries: Env): Env {
	const kept = new Map<string, string>();
	for (const [key, value] of entries) {
		kept.delete(key);
		kept.set(key, value);
	}
	return [...kept];
}

/** Splits at spaces outside quotes; a quote that is never closed reaches to the end. */
function splitWords(line: string): readonly string[] {
	const words: string[] = [];
	let start = 0;
	for (const [index, open] of quotesOf(line).entries()) {
		if (open !== '' || line[index] !== ' ') continue;
		words.push(line.slice(start, index));
		start = index + 1;
	}
	return [...words, line.slice(start)];
}

/** The open quote at each character; inside it the other kind of quote is an ordinary character. */
function quotesOf(line: string): readonly string[] {
	let open = '';
	return line.split('').map(character => {
		if (character === open) open = '';
		else if (open === '' && (character === '"' || character === "'")) open = character;
		return open;
	});
}

const flags: readonly string[] = ['-e', '-p', '-h', '-v', '-n'] satisfies readonly Flag[];

function isFlag(word: string): word is Flag {
	return flags.includes(word);
}

function flagOf(word: string): Flag | undefined {
	return isFlag(word) ? word : undefined;
}

function readWord(flag: Flag, word: string): EnvEntry | undefined {
	if (flag !== '-e') return readFlag(flag, word);
	const text = isOneQuote(word) ? word.slice(1, -1) : word;
	const at = text.indexOf('=');
	return at < 0 ? undefined : readVariable(text.slice(0, at), unquote(text.slice(at + 1)));
}

const specs: Readonly<Record<Exclude<Flag, '-e' | '-h'>, RegExp>> = {
	'-p': /^[0-9:tcp/ud]+$/,
	'-v': /^[A-Za-z0-9:./_]+$/,
	'-n': /^[a-z0-9-]+$/,
};

function readFlag(flag: Exclude<Flag, '-e'>, spec: string): EnvEntry | undefined {
	if (flag === '-h') return spec === '' ? undefined : ['-h', spec];
	return specs[flag].test(spec) ? [`${flag} ${spec}`, '1'] : undefined;
}

function readVariable(name: string, value: string): EnvEntry | undefined {
	const trimmed = trimSpaces(name);
	if (trimmed === '' || trimmed.startsWith('-') || trimmed.includes('=')) return undefined;
	return [trimmed, value];
}

function readKey(key: string, value: string): EnvEntry | undefined {
	const trimmed = trimSpaces(key);
	if (!trimmed.startsWith('-')) return readVariable(trimmed, value);
	const flag = flagOf(trimmed.slice(0, 2));
	if (flag === undefined || flag === '-e') return undefined;
	if (trimmed === '-h') return readFlag('-h', value);
	return trimmed[2] === ' ' ? readFlag(flag, trimSpaces(trimmed.slice(2))) : undefined;
}

/** Trims only spaces: other invisible characters are part of the value. */
function trimSpaces(text: string): string {
	return text.replaceAll(/^ +|(?<! ) +$/g, '');
}

function valueText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function isOneQuote(word: string): boolean {
	return /^(?:"[^"]*"|'[^']*')$/s.test(word);
}

function unquote(value: string): string {
	return /^(?:".*"|'.*')$/s.test(value) ? value.slice(1, -1) : value;
}

function printEntry([key, value]: EnvEntry, isLast: boolean): string | undefined {
	const flag = key.startsWith('-') ? flagOf(key.slice(0, 2)) : '-e';
	if (flag === undefined) return undefined;
	const word = argumentsFor(flag, key, value).find(candidate => {
		const open = quotesOf(candidate).at(-1) ?? '';
		const [read, another] = splitWords(candidate);
		if (read === undefined || another !== undefined || (open !== '' && !isLast)) return false;
		const [readKeyBack, readValueBack] = readWord(flag, read) ?? [];
		return readKeyBack === key && readValueBack === value;
	});
	return word === undefined ? undefined : `${flag} ${word}`;
}

/** The ways to write an entry, the plainest first. */
function argumentsFor(flag: Flag, key: string, value: string): readonly string[] {
	if (flag === '-h') return [value];
	if (flag !== '-e') return [key.slice(3)];
	return [`${key}=${value}`, `${key}="${value}"`, `${key}='${value}'`, `"${key}=${value}"`];
}

/** Variable with the idempotency mark of a request; the market creates one instance per mark. */
export const MARK_VARIABLE = 'RENTTY_WISH';

/** The mark in an environment; undefined without a valid one. */
export function requestMarkOf(env: Env | null | undefined): string | undefined {
	const mark = env?.find(([name]) => name === MARK_VARIABLE)?.[1];
	return mark !== undefined && /^[\w-]{1,64}$/.test(mark) ? mark : undefined;
}

type ContainerPort = {readonly port: number; readonly protocol: 'tcp' | 'udp'};

/** First identity port: such a port has the same number inside and outside, chosen by the host. */
const FIRST_IDENTITY_PORT = 70_000;

export const MOST_PORTS = 64;
const LONGEST_NAME = 256;
const LONGEST_ENV = 32_768;

/** The port that a key such as `-p 8080:80/udp` maps; undefined for other keys. */
export function containerPort(key: string): ContainerPort | undefined {
	const match = /^-p (?:\d+:)?(\d+)(?:\/(tcp|udp))?$/.exec(key);
	if (match === null) return undefined;
	return {port: Number(match[1]), protocol: match[2] === 'udp' ? 'udp' : 'tcp'};
}

export function isIdentityPort({port}: ContainerPort): boolean {
	return port >= FIRST_IDENTITY_PORT;
}

/**
 * Merges two environments: for a key, and for a port of the container, the upper one takes
 * precedence.
 */
export function layEnv(lower: Env, upper: Env): Env {
	const ports = new Set<string>();
	const isFirst = ([key]: EnvEntry) => {
		const mapped = containerPort(key);
		if (mapped === undefined) return true;
		const name = `${mapped.port}/${mapped.protocol}`;
		return !ports.has(name) && ports.add(name).size > 0;
	};
	return lastOfEach([...lower, ...upper])
		.toReversed()
		.filter(isFirst)
		.toReversed();
}

export function envProblem(env: Env): string | undefined {
	const long = env.find(([key]) => countCharacters(key) > LONGEST_NAME);
	if (long !== undefined) return `env: a name has at most ${LONGEST_NAME} characters`;
	const total = env.reduce(
		(sum, [key, value]) => sum + countCharacters(key) + countCharacters(value),
		0,
	);
	if (total > LONGEST_ENV) {
		return `env: names and values have at most ${LONGEST_ENV} characters together`;
	}
	const ports = env.filter(([key]) => key.startsWith('-p '));
	return ports.length > MOST_PORTS ? `env: at most ${MOST_PORTS} ports can be mapped` : undefined;
}
