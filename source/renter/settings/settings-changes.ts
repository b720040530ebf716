/** User's settings file with the entries that this version does not read. */
import {isRecord} from '../../contract/grammar/json.ts';
import {defaultSettings, type Settings} from './default-settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** These are keyed by names that users and screens choose. */
const freelyNamed = ['columns', 'keys'];

/** The path to the first name in a file that is no setting. */
export function strangerIn(
	json: unknown,
	known: Json = defaultSettings,
	path: readonly string[] = [],
): readonly string[] | undefined {
	if (!isRecord(json)) return undefined;
	for (const [name, value] of Object.entries(json)) {
		const here = [...path, name];
		if (!Object.hasOwn(known, name)) return here;
		const usual = known[name];
		if (!isRecord(usual) || freelyNamed.includes(name)) continue;
		const inside = strangerIn(value, usual, here);
		if (inside !== undefined) return inside;
	}
	return undefined;
}

/**
 * A file with some settings changed: what is as usual is left out, what is not known is kept. What
 * was not changed since the file was `known` stays as others have set it meanwhile.
 */
export function withChanges(file: Json, patch: Partial<Settings>, known: Json = file): Json {
	return merged({file, known, usual: defaultSettings}, patch);
}

type Merging = {readonly file: Json; readonly known: Json; readonly usual: Json};

function merged({file, known, usual}: Merging, patch: Json): Json {
	const next: Record<string, unknown> = {...file};
	for (const [name, value] of Object.entries(patch)) {
		const before = known[name] ?? usual[name];
		if (isSame(value, before)) continue;
		const after = mergedValue({file: file[name], before, usual: usual[name]}, value, name);
		const isUsual =
			isSame(after, usual[name]) || (isNested(usual[name], name) && isSame(after, {}));
		if (isUsual) delete next[name];
		else next[name] = after;
	}
	return next;
}

type Value = {readonly file: unknown; readonly before: unknown; readonly usual: unknown};

function mergedValue({file, before, usual}: Value, value: unknown, name: string): unknown {
	if (Array.isArray(value)) return mergedList(listOf(file), listOf(before), value);
	if (!isRecord(value) || !isRecord(usual)) return value;
	const merging = {file: recordOf(file), known: recordOf(before)};
	if (isNested(usual, name)) return merged({...merging, usual}, value);
	const after = merged({...merging, usual: {}}, value);
	const gone = Object.keys(merging.known).filter(one => !Object.hasOwn(value, one));
	return Object.fromEntries(Object.entries(after).filter(([one]) => !gone.includes(one)));
}

/** Merges local additions and removals into the list in the file. */
function mergedList(
	file: readonly unknown[],
	before: readonly unknown[],
	value: readonly unknown[],
): readonly unknown[] {
	if (isSame(file, before)) return value;
	const isIn = (list: readonly unknown[], item: unknown) => list.some(one => isSame(one, item));
	const left = file.filter(item => isIn(value, item) || !isIn(before, item));
	return [...left, ...value.filter(item => !isIn(before, item) && !isIn(left, item))];
}

function isNested(usual: unknown, name: string): boolean {
	return isRecord(usual) && !freelyNamed.includes(name);
}

function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function recordOf(value: unknown): Json {
	return isRecord(value) ? value : {};
}

/** Settings as a file that people read and write. */
export function writeSettings(json: Json): string {
	return `${JSON.stringify(json, undefined, '\t')}\n`;
}
