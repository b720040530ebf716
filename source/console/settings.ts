/** The user's file of settings: JSON, read and written by hand. */
import * as z from 'zod/mini';
import {defaultSettings} from './default-settings.ts';
import type {Settings} from './default-settings.ts';

const diskGb = z.number().check(z.minimum(8, 'expected a number of GB, at least 8'));
const glyphs = z.enum(['auto', 'ascii', 'unicode'], 'expected "auto", "ascii" or "unicode"');
const colour = z.enum(['auto', 'never'], 'expected "auto" or "never"');

const schema = z.strictObject({
	/** The disk that every price includes. */
	diskGb: z._default(diskGb, defaultSettings.diskGb),
	/** Whether rules and bars are drawn with line characters. */
	glyphs: z._default(glyphs, defaultSettings.glyphs),
	/** Whether colours are used. */
	colour: z._default(colour, defaultSettings.colour),
});

export type SettingsRead = {
	readonly settings: Settings;
	/** One sentence about what is wrong with the file; then the settings are the defaults. */
	readonly problem: string | undefined;
};

/** Reads the text of a settings file. */
export function readSettings(file: string, text: string): SettingsRead {
	const refuse = (line: number, expected: string): SettingsRead => ({
		settings: defaultSettings,
		problem: `${file} line ${line}: ${expected}; the default settings are used.`,
	});
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		return refuse(lineOfSyntaxError(text, error), 'expected JSON, like {"diskGb": 40}');
	}
	const read = schema.safeParse(json);
	if (read.success) return {settings: read.data, problem: undefined};
	const {line, expected} = explain(text, read.error.issues[0]);
	return refuse(line, expected);
}

type Issue = z.core.$ZodIssue | undefined;

/** Where in the file an issue is, and what was expected there. */
function explain(text: string, issue: Issue): {readonly line: number; readonly expected: string} {
	if (issue?.code === 'unrecognized_keys') {
		const [key = ''] = issue.keys;
		const names = Object.keys(schema.shape).join(', ');
		const expected = `"${key}" is not a setting, expected one of ${names}`;
		return {line: lineOfKey(text, key), expected};
	}
	const key = String(issue?.path[0] ?? '');
	if (key === '') return {line: 1, expected: 'expected an object, like {"diskGb": 40}'};
	const expected = issue?.code === 'invalid_type' ? `expected a ${issue.expected}` : issue?.message;
	return {
		line: lineOfKey(text, key),
		expected: `"${key}": ${expected ?? 'expected another value'}`,
	};
}

function lineOfSyntaxError(text: string, error: unknown): number {
	const message = error instanceof Error ? error.message : '';
	const position = /position (\d+)/.exec(message)?.[1];
	return lineAt(text, position === undefined ? text.length : Number(position));
}

function lineOfKey(text: string, key: string): number {
	return lineAt(text, Math.max(0, text.indexOf(JSON.stringify(key))));
}

function lineAt(text: string, position: number): number {
	return text.slice(0, position).split('\n').length;
}
