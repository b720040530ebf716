/** A line of text: edits by keys, and the part that fits. The cursor stands between whole characters. */
import {characterOf, type Key} from '../terminal/input/keys.ts';
import {clustersOf, plainWidth, clusterWidth, printable} from '../../renter/text/text-width.ts';
import type {Theme} from './theme.ts';

export type LineEdit = {
	readonly text: string;
	/** Cursor as an index into the text: never inside of one visible character. */
	readonly cursor: number;
	/** The first character typed replaces the whole text, as in a browser's address. */
	readonly isProposed?: boolean;
};

export const emptyLine: LineEdit = {text: '', cursor: 0};

/** A text with the cursor behind it. */
export function newLineEdit(text: string): LineEdit {
	return {text, cursor: text.length};
}

/** A text that is typed over; the keys that move the cursor keep it. */
export function proposedLine(text: string): LineEdit {
	return text === '' ? emptyLine : {...newLineEdit(text), isProposed: true};
}

/** Line after a key; undefined for keys that edit nothing. */
export function editLine(line: LineEdit, key: Key): LineEdit | undefined {
	if (line.isProposed === true && erasers.has(key)) return emptyLine;
	const change = changes[key];
	if (change !== undefined) return change(line);
	const character = characterOf(key);
	return character === undefined ? undefined : insertText(line, character);
}

/** Inserts a text at the cursor. Line breaks become blanks, so that a paste submits nothing. */
export function insertText(line: LineEdit, inserted: string): LineEdit {
	const {text, cursor} = line.isProposed === true ? emptyLine : line;
	const before = text.slice(0, cursor) + flatten(inserted);
	return settled(before + text.slice(cursor), before.length);
}

function flatten(text: string): string {
	return (
		text
			.toWellFormed()
			.replaceAll(/\r\n|[\t\n\r\u0085\u2028\u2029]/g, ' ')
			// oxlint-disable-next-line no-control-regex -- these are the characters that command terminals
			.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '')
	);
}

const erasers: ReadonlySet<Key> = new Set(['Ctrl-U', 'Ctrl-K', 'Ctrl-W', 'Backspace', 'Delete']);

const changes: Readonly<Record<Key, (line: LineEdit) => LineEdit>> = {
	Left: ({text, cursor}) => ({text, cursor: boundaryBefore(text, cursor)}),
	Right: ({text, cursor}) => ({text, cursor: boundaryAfter(text, cursor)}),
	Home: ({text}) => ({text, cursor: 0}),
	'Ctrl-A': ({text}) => ({text, cursor: 0}),
	End: ({text}) => newLineEdit(text),
	'Ctrl-E': ({text}) => newLineEdit(text),
	'Ctrl-Left': ({text, cursor}) => ({text, cursor: wordBefore(text, cursor)}),
	'Ctrl-Right': ({text, cursor}) => ({text, cursor: wordAfter(text, cursor)}),
	'Ctrl-U': ({text, cursor}) => without(text, 0, cursor),
	'Ctrl-K': ({text, cursor}) => without(text, cursor, text.length),
	'Ctrl-W': ({text, cursor}) => without(text, wordBefore(text, cursor), cursor),
	Backspace: ({text, cursor}) => without(text, boundaryBefore(text, cursor), cursor),
	Delete: ({text, cursor}) => without(text, cursor, boundaryAfter(text, cursor)),
};

function without(text: string, from: number, to: number): LineEdit {
	return settled(text.slice(0, from) + text.slice(to), from);
}

/** Moves the cursor behind a character that an edit has joined with its neighbours. */
function settled(text: string, cursor: number): LineEdit {
	const isBetween = cursor === 0 || boundariesAround(text, cursor).includes(cursor);
	return {text, cursor: isBetween ? cursor : boundaryAfter(text, cursor)};
}

function boundaryBefore(text: string, at: number): number {
	if (at === 0) return 0;
	return boundariesAround(text, at - 1).findLast(boundary => boundary < at) ?? 0;
}

function boundaryAfter(text: string, at: number): number {
	return boundariesAround(text, at).find(boundary => boundary > at) ?? text.length;
}

function wordBefore(text: string, at: number): number {
	let start = at;
	while (start > 0 && isBlank(text, start - 1)) start--;
	while (start > 0 && !isBlank(text, start - 1)) start--;
	return settled(text, start).cursor;
}

function wordAfter(text: string, at: number): number {
	let end = at;
	while (end < text.length && isBlank(text, end)) end++;
	while (end < text.length && !isBlank(text, end)) end++;
	return settled(text, end).cursor;
}

function isBlank(text: string, at: number): boolean {
	return text[at]?.trim() === '';
}

/**
 * Character boundaries around a position. Only a part of the text is examined, so that a key press
 * in a long text stays cheap.
 */
function boundariesAround(text: string, at: number): readonly number[] {
	let start = at;
	while (start > 0 && !isSeam(text, start)) start--;
	let end = at + 1;
	while (end < text.length && !isSeam(text, end)) end++;
	const boundaries = [start];
	let boundary = start;
	for (const cluster of clustersOf(text.slice(start, end))) {
		boundary += cluster.length;
		boundaries.push(boundary);
	}
	return boundaries;
}

/** Two plain characters never join. */
function isSeam(text: string, at: number): boolean {
	return plainWidth(text.charCodeAt(at - 1)) !== 0 && plainWidth(text.charCodeAt(at)) !== 0;
}

/** Visible part of a line: exactly as wide as the field, filled with blanks. */
type LineWindow = {
	readonly before: string;
	/** Character under the cursor; a blank at the end of the line. */
	readonly under: string;
	readonly after: string;
	/** The line goes on to the left. */
	readonly isCutLeft: boolean;
};

/**
 * The window of a width with the cursor in it. The window moves by half of itself, so that the text
 * stands still.
 */
export function windowOnto({text, cursor}: LineEdit, width: number, mask = ''): LineWindow {
	const show = (part: string) => (mask === '' ? printable(part) : maskOf(part, mask));
	const left = clustersOf(show(text.slice(0, cursor)));
	const right = clustersOf(show(text.slice(cursor)));
	const half = Math.max(1, Math.floor(width / 2));
	const over = sum(left) + clusterWidth(right[0] ?? ' ') - width;
	const hidden = over <= 0 ? 0 : Math.ceil(over / half) * half;
	const shownLeft = dropColumns(left, hidden);
	const under = right[0] ?? ' ';
	const room = width - sum(shownLeft) - clusterWidth(under);
	const shownRight = takeColumns(right.slice(1), room);
	return {
		before: shownLeft.join(''),
		under,
		after: shownRight.join('') + ' '.repeat(Math.max(0, room - sum(shownRight))),
		isCutLeft: shownLeft.length < left.length,
	};
}

function maskOf(text: string, mask: string): string {
	return mask.repeat(clustersOf(text).length);
}

function sum(clusters: readonly string[]): number {
	return clusters.reduce((columns, cluster) => columns + clusterWidth(cluster), 0);
}

function dropColumns(clusters: readonly string[], columns: number): readonly string[] {
	let dropped = 0;
	const from = clusters.findIndex(cluster => {
		const isKept = dropped >= columns;
		dropped += clusterWidth(cluster);
		return isKept;
	});
	return columns === 0 ? clusters : from === -1 ? [] : clusters.slice(from);
}

function takeColumns(clusters: readonly string[], columns: number): readonly string[] {
	let taken = 0;
	const end = clusters.findIndex(cluster => {
		taken += clusterWidth(cluster);
		return taken > columns;
	});
	return end === -1 ? clusters : clusters.slice(0, end);
}

type FieldStyle = {
	readonly width: number;
	/** The cursor is drawn where keys go. */
	readonly hasFocus: boolean;
	/** A secret: every character is drawn as the same sign. */
	readonly isSecret?: boolean;
};

const KEEP_HINT = ' End keeps it';

/** The visible part of an edited line, no wider than asked for; a proposed one says how it is kept. */
export function formatLineEdit(theme: Theme, line: LineEdit, style: FieldStyle): string {
	if (line.isProposed === true && style.hasFocus) {
		const width = style.width - KEEP_HINT.length;
		const {under, after} = windowOnto({text: line.text, cursor: 0}, width);
		return theme.style('chosen', under) + theme.style('quiet', after + KEEP_HINT);
	}
	const {before, under, after} = windowOnto(line, style.width, style.isSecret === true ? '*' : '');
	if (!style.hasFocus) return before + under + after;
	// On an empty line the cursor can also be seen without colours.
	return before + theme.style('chosen', under === ' ' ? '_' : under) + after;
}
