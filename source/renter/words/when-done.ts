/** The work of an instance after which its lease ends it, before the deadline. */
import {countCharacters} from '../../contract/grammar/harmless-text.ts';

/** A verdict on its run, a step, a text in a line of its log, or a file in it. */
export type WhenDone =
	| {readonly kind: 'run'}
	| {readonly kind: 'step'; readonly step: number}
	| {readonly kind: 'line' | 'file'; readonly text: string};

/** Most characters of a line's text, or of a path. */
const LONGEST_TEXT = 80;

/** Reads `done`, `step=5000`, `line=All done` or `file=/root/out/DONE`; undefined for anything else. */
export function readWhen(written: string): WhenDone | undefined {
	if (written === 'done') return {kind: 'run'};
	const [, kind, value = ''] = /^(step|line|file)=(.*)$/s.exec(written) ?? [];
	if (kind === 'step') {
		const isStep = /^\d{1,12}$/.test(value) && Number(value) > 0;
		return isStep ? {kind, step: Number(value)} : undefined;
	}
	const text = kind === undefined ? undefined : textIn(value);
	if (text === undefined) return undefined;
	if (kind === 'line') return {kind, text};
	return text.startsWith('/') ? {kind: 'file', text} : undefined;
}

/** A text with or without quotes; undefined if it could not be read or written. */
function textIn(value: string): string | undefined {
	const text = value.replace(/^"(.*)"$/s, '$1');
	const isText = countCharacters(text) <= LONGEST_TEXT && /^[^\p{C}"]+$/u.test(text);
	return isText && text.trim() !== '' ? text : undefined;
}

/** Writes it as `readWhen` reads it, as one word of a lease's terms. */
export function writeWhen(when: WhenDone): string {
	switch (when.kind) {
		case 'run':
			return 'done';
		case 'step':
			return `step=${when.step}`;
		case 'line':
		case 'file':
			return `${when.kind}=${/\s/.test(when.text) ? `"${when.text}"` : when.text}`;
	}
}

export const WHEN_HINT = 'when done, step=5000, line="Bye", file=/DONE: by a guard';

export const whenForms = 'done, step=5000, line="All done" or file=/root/out/DONE';

/**
 * Writes it as a separate mark before the lease in a label: readers that do not know such a mark
 * treat it as a part of the label, and never end anything by it.
 */
export function printWhenDone(when: WhenDone): string {
	return `[when1 ${encodeURIComponent(writeWhen(when))}]`;
}

/** Reads the inside of a mark; undefined if it is damaged, or of another version. */
export function parseWhenDone(version: string | undefined, value = ''): WhenDone | undefined {
	if (version !== '1') return undefined;
	try {
		return readWhen(decodeURIComponent(value));
	} catch {
		return undefined;
	}
}
