/**
 * Template content as its creator sends it. Clients send null, numbers as text, or omit fields:
 * null counts as missing, and missing fields have defaults.
 */
import {parseEnv, printEnv, readEnvObject, envProblem} from '../rules/env.ts';
import {readBoolean, readNumber} from '../grammar/filter.ts';
import {isRecord} from '../grammar/json.ts';
import {parseRuntype, type Launch} from '../rules/runtype.ts';
import {countCharacters} from '../grammar/harmless-text.ts';

type Field<Value> = {
	readonly fallback: Value;
	/** Reads a value; undefined for one of another type. */
	readonly read: (value: unknown) => Value | undefined;
	/** Expected form, for the error message. */
	readonly expected: string;
};

type JsonObject = Readonly<Record<string, unknown>>;

export const DEFAULT_TEMPLATE_DISK_GB = 8;

const launchModes: ReadonlyArray<Launch['mode']> = ['ssh', 'jupyter', 'args'];

const contentFields = {
	name: text(),
	image: text(1024),
	tag: text(128, 'latest'),
	desc: text(),
	readme: text(),
	readme_visible: flag(true),
	env: {
		...text(),
		read: value => (isRecord(value) ? printEnv(readEnvObject(value)) : readText(value)),
		expected: 'a line of Docker flags',
	},
	onstart: text(4048),
	runtype: {
		fallback: 'args',
		read: value => launchModes.find(mode => mode === value),
		expected: `one of ${launchModes.join(', ')}`,
	} as Field<Launch['mode']>,
	args_str: text(4096),
	ssh_direct: flag(false),
	use_ssh: flag(false),
	jup_direct: flag(false),
	jupyter_dir: text(),
	use_jupyter_lab: flag(false),
	docker_login_repo: text(),
	docker_login_user: text(),
	docker_login_pass: text(),
	href: text(),
	repo: text(),
	extra_filters: {fallback: {}, read: readObject, expected: 'an object'} as Field<JsonObject>,
	recommended_disk_space: {
		fallback: DEFAULT_TEMPLATE_DISK_GB,
		read: value => atLeastZero(readNumber(value)),
		expected: 'a number of at least 0',
	} as Field<number>,
	private: flag(true),
	volume_info: {
		fallback: null,
		read: readObject,
		expected: 'an object',
	} as Field<JsonObject | null>,
} as const satisfies Readonly<Record<string, Field<unknown>>>;

type ContentField = keyof typeof contentFields;

export type TemplateContent = {
	readonly [Name in ContentField]: (typeof contentFields)[Name]['fallback'];
};

/** A new template: missing fields have defaults. */
export type NewTemplate = Pick<TemplateContent, 'name' | 'image'> & Partial<TemplateContent>;

export const contentNames: readonly ContentField[] =
	Object.keys(contentFields).filter(isContentField);

function isContentField(name: string): name is ContentField {
	return Object.hasOwn(contentFields, name);
}

export class TemplateError extends Error {
	override readonly name = 'TemplateError';
}

/** Reads the fields of a body; other keys and null are ignored. */
export function readTemplate(said: JsonObject): Partial<TemplateContent> {
	const body = {...said, ...launchFields(said)};
	const given = contentNames.filter(name => body[name] !== undefined && body[name] !== null);
	// TypeScript cannot relate a value to its field in a table walked by name.
	return Object.fromEntries(given.map(name => [name, readField(name, body[name])]));
}

/**
 * Launch fields of a template whose `runtype` is a word or a token list, as in instances: the mode,
 * and flags for direct SSH and Jupyter.
 */
export function launchFields({
	runtype,
	ssh_direct: ssh,
	jup_direct: jupyter,
}: JsonObject): JsonObject {
	const isMode = launchModes.some(mode => mode === runtype);
	const launch = typeof runtype === 'string' && !isMode ? parseRuntype(runtype) : undefined;
	if (launch === undefined) return {};
	const {mode, sshDirect, jupyterDirect} = launch;
	return {
		runtype: mode,
		ssh_direct: ssh ?? sshDirect,
		jup_direct: jupyter ?? jupyterDirect,
	};
}

function readField(name: ContentField, value: unknown): unknown {
	const field: Field<unknown> = contentFields[name];
	const read = field.read(value);
	if (read !== undefined) return read;
	throw new TemplateError(`${name}: expected ${field.expected}`);
}

export function completeTemplate(given: Partial<TemplateContent>): TemplateContent {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fallback for every field makes it whole
	const fallbacks = Object.fromEntries(
		contentNames.map(name => [name, contentFields[name].fallback]),
	) as TemplateContent;
	// `runtype` ssh or jupyter implies SSH, unless the request says otherwise.
	const derived = {use_ssh: given.runtype === 'ssh' || given.runtype === 'jupyter'};
	return {...fallbacks, ...derived, ...given};
}

/** Refuses a template whose fields contradict each other, even after a change of some. */
export function checkTemplate(content: TemplateContent): TemplateContent {
	if (content.name.trim() === '') throw new TemplateError('Template name is required');
	if (content.image.trim() === '') throw new TemplateError('Template image is required');
	if (countCharacters(content.args_str) + countCharacters(content.onstart) > 4096) {
		throw new TemplateError('args_str and onstart: expected at most 4096 characters together');
	}
	const problem = envProblem(parseEnv(content.env));
	if (problem !== undefined) throw new TemplateError(problem);
	return content;
}

export function launchOf({
	runtype: mode,
	ssh_direct: sshDirect,
	jup_direct: jupyterDirect,
}: TemplateContent): Launch {
	const plain = parseRuntype(mode) ?? {mode, sshDirect: false, jupyterDirect: false};
	if (mode === 'args') return plain;
	if (mode === 'ssh') return {...plain, sshDirect};
	return {...plain, sshDirect: sshDirect || jupyterDirect, jupyterDirect};
}

/** The tag or digest in an image's name; undefined without one. */
export function tagOf(image: string): string | undefined {
	const last = image.slice(image.lastIndexOf('/') + 1);
	const at = last.search(/[:@]/);
	return at < 0 ? undefined : last.slice(at + 1);
}

function text(most = Infinity, fallback = ''): Field<string> {
	const expected = most === Infinity ? 'text' : `text of at most ${most} characters`;
	return {fallback, read: value => withinLength(readText(value), most), expected};
}

function flag(fallback: boolean): Field<boolean> {
	return {fallback, read: readBoolean, expected: 'true or false'};
}

/** Text without a lone surrogate, and without NUL, which ends text in C; JSON can carry both. */
function readText(value: unknown): string | undefined {
	return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
		? value
		: undefined;
}

function withinLength(value: string | undefined, most: number): string | undefined {
	return value !== undefined && countCharacters(value) <= most ? value : undefined;
}

function atLeastZero(value: number | undefined): number | undefined {
	return value !== undefined && value >= 0 ? value : undefined;
}

const DEEPEST = 16;

function readObject(value: unknown): JsonObject | undefined {
	return isRecord(value) && isShallow(value, DEEPEST) ? value : undefined;
}

function isShallow(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return true;
	return levels > 0 && Object.values(value).every(part => isShallow(part, levels - 1));
}
