/** The text of the user's settings: JSON, read and written by hand. */
import * as z from 'zod/mini';
import {
	defaultSettings,
	freelyNamed,
	groupings,
	themeNames,
	type Settings,
} from './default-settings.ts';
import {lineOfPath, lineOfSyntaxError} from '../files/json-lines.ts';
import {isRecord} from '../../contract/grammar/json.ts';

const atLeast = (least: number, unit: string) =>
	z.number().check(z.minimum(least, `expected a number of ${unit}, at least ${least}`));
const minutes = atLeast(0, 'minutes');
const dollars = atLeast(0, 'dollars per hour');
const percent = atLeast(0, 'percent');
const text = z.string().check(z.minLength(1, 'expected a text that is not empty'));
const flag = z.boolean();

function oneOf<const Words extends readonly string[]>(...words: Words) {
	const quoted = words.map(word => `"${word}"`);
	const expected = `expected ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
	return z.enum(words, expected);
}

const columnChoice = z.object({
	set: z._default(oneOf('compact', 'normal', 'wide'), 'normal'),
	visible: z._default(z.record(z.string(), flag), {}),
	order: z._default(z.array(z.string()), []),
	widths: z._default(z.record(z.string(), atLeast(1, 'columns')), {}),
});

const usual = defaultSettings;

const limits = z.object({
	nullSlowMinutes: z._default(minutes, usual.limits.nullSlowMinutes),
	nullStuckMinutes: z._default(minutes, usual.limits.nullStuckMinutes),
	loadingSlowMinutes: z._default(minutes, usual.limits.loadingSlowMinutes),
	bootMinutes: z._default(minutes, usual.limits.bootMinutes),
	noSshMinutes: z._default(minutes, usual.limits.noSshMinutes),
	idleMinutes: z._default(minutes, usual.limits.idleMinutes),
	idleBelowPercent: z._default(percent, usual.limits.idleBelowPercent),
});

const notify = z.object({
	bell: z._default(flag, usual.notify.bell),
	osc9: z._default(flag, usual.notify.osc9),
});

const spend = z.object({
	askOverPerHour: z._default(z.nullable(dollars), usual.spend.askOverPerHour),
	fleetMaxPerHour: z._default(z.nullable(dollars), usual.spend.fleetMaxPerHour),
});

const fallback = z.object({
	tries: z._default(
		z.int().check(z.minimum(0, 'expected a whole number of tries')),
		usual.fallback.tries,
	),
	ceilingPercent: z._default(percent, usual.fallback.ceilingPercent),
});

const keysOf = z.union([text, z.array(text)], 'expected a key like "e", or a list of keys');

const view = z.object({
	name: text,
	words: z.string(),
	order: z.optional(z.array(text)),
	columns: z.optional(columnChoice),
	group: z.optional(oneOf(...groupings)),
	key: z.optional(text),
});

const customCommand = z.object({
	name: text,
	key: z.optional(text),
	screen: oneOf('offers', 'instances', 'templates'),
	command: z.array(text).check(z.minLength(1, 'expected a program and its arguments')),
	runs: z._default(oneOf('aside', 'background'), 'aside'),
	asks: z._default(flag, false),
});

export const settingsSchema = z.object({
	diskGb: z._default(atLeast(8, 'GB'), usual.diskGb),
	hours: z._default(atLeast(0, 'hours'), usual.hours),
	inGbPerHour: z._default(atLeast(0, 'GB per hour'), usual.inGbPerHour),
	outGbPerHour: z._default(atLeast(0, 'GB per hour'), usual.outGbPerHour),
	columns: z._default(z.record(z.string(), columnChoice), {}),
	searches: z._default(z.array(z.object({name: text, words: z.string()})), []),
	watches: z._default(z.array(z.object({words: z.string(), below: dollars})), []),
	views: z._default(z.array(view), []),
	startView: z._default(z.string(), usual.startView),
	ssh: z._default(oneOf('stepAside', 'tmuxWindow', 'print'), usual.ssh),
	limits: z._default(limits, usual.limits),
	notify: z._default(notify, usual.notify),
	spend: z._default(spend, usual.spend),
	fallback: z._default(fallback, usual.fallback),
	templateHash: z._default(z.nullable(text), usual.templateHash),
	templateLeases: z._default(z.record(z.string(), z.string()), {}),
	keepInstanceKeys: z._default(flag, usual.keepInstanceKeys),
	lease: z._default(z.string(), usual.lease),
	glyphs: z._default(oneOf('auto', 'ascii', 'unicode'), usual.glyphs),
	colour: z._default(oneOf('auto', 'never'), usual.colour),
	theme: z._default(oneOf(...themeNames), usual.theme),
	keys: z._default(z.record(z.string(), keysOf), {}),
	runPatterns: z._default(
		z
			.array(text.check(z.maxLength(200, 'expected a pattern of at most 200 characters')))
			.check(z.maxLength(10, 'expected at most 10 patterns')),
		[],
	),
	runFolders: z._default(
		z
			.array(
				z
					.string()
					.check(z.regex(/^\/[^\p{Cc}]{0,300}$/u, 'expected a folder like "/workspace/runs"')),
			)
			.check(z.maxLength(10, 'expected at most 10 folders')),
		[],
	),
	commands: z._default(z.array(customCommand), []),
	mouse: z._default(
		z.union([z.literal('auto'), flag], 'expected "auto", true or false'),
		usual.mouse,
	),
});

type SettingsRead = {
	/** Undefined for an invalid file; then the settings stay as they were. */
	readonly settings: Settings | undefined;
	readonly problem: string | undefined;
};

export function readSettings(file: string, content: string): SettingsRead {
	const refuse = (line: number, expected: string): SettingsRead => ({
		settings: undefined,
		problem: `${file} line ${line}: ${expected}`,
	});
	let json: unknown;
	try {
		json = JSON.parse(content);
	} catch (error) {
		return refuse(lineOfSyntaxError(content, error), 'expected JSON, like {"diskGb": 40}');
	}
	const read = settingsSchema.safeParse(json);
	if (read.success) return {settings: read.data, problem: strangers(file, content, json)};
	const [issue] = read.error.issues;
	const path = (issue?.path ?? []).map(part => (typeof part === 'number' ? part : String(part)));
	if (path.length === 0) return refuse(1, 'expected an object, like {"diskGb": 40}');
	return refuse(lineOfPath(content, path), `"${path.join('.')}": ${expectedBy(issue)}`);
}

const articles: Readonly<Record<string, string>> = {
	array: 'a list',
	object: 'an object',
	int: 'a whole number',
};

function expectedBy(issue: z.core.$ZodIssue | undefined): string {
	if (issue?.code !== 'invalid_type') return issue?.message ?? 'expected another value';
	return `expected ${articles[issue.expected] ?? `a ${issue.expected}`}`;
}

/** Sentence about the first unknown name: a typing error, or a setting of another version. */
function strangers(file: string, content: string, json: unknown): string | undefined {
	const path = strangerIn(json);
	if (path === undefined) return undefined;
	const line = lineOfPath(content, path);
	return `${file} line ${line}: "${path.join('.')}" is not a setting; it is left as it is.`;
}

/** The path to the first unknown name in a file. */
function strangerIn(
	json: unknown,
	known: Readonly<Record<string, unknown>> = defaultSettings,
	path: readonly string[] = [],
): readonly string[] | undefined {
	if (!isRecord(json)) return undefined;
	for (const [name, value] of Object.entries(json)) {
		const here = [...path, name];
		if (!Object.hasOwn(known, name)) return here;
		const inner = known[name];
		if (!isRecord(inner) || freelyNamed.includes(name)) continue;
		const inside = strangerIn(value, inner, here);
		if (inside !== undefined) return inside;
	}
	return undefined;
}
