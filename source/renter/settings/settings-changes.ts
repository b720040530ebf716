/** What the user's file of settings holds, beside what this version reads from it. */
import {isRecord} from '../../contract/json.ts';
import {defaultSettings} from './default-settings.ts';
import type {Settings} from './default-settings.ts';

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

/** A file with some settings changed: what is as usual is left out, what is not known is kept. */
export function withChanges(file: Json, patch: Partial<Settings>): Json {
	return merged(file, patch, defaultSettings);
}

function merged(file: Json, patch: Json, usual: Json): Json {
	const next: Record<string, unknown> = {...file};
	for (const [name, value] of Object.entries(patch)) {
		const known = usual[name];
		const isNested = isRecord(value) && isRecord(known) && !freelyNamed.includes(name);
		const before = file[name];
		const after = isNested ? merged(isRecord(before) ? before : {}, value, known) : value;
		const isUsual = isNested
			? isRecord(after) && Object.keys(after).length === 0
			: JSON.stringify(after) === JSON.stringify(known);
		if (isUsual) delete next[name];
		else next[name] = after;
	}
	return next;
}

/** Settings as a file that people read and write. */
export function writeSettings(json: Json): string {
	return `${JSON.stringify(json, undefined, '\t')}\n`;
}
