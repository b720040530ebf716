/** Lines of logs: how they are made harmless, put together and broken to fit. Pure rules. */
import {clustersOf, plainWidth, printable, widthOf} from '../../../terminal/output/text-width.ts';

/** A line as it can be shown. It stays the same object for as long as it is kept. */
export type LogLine = {readonly text: string};

/** More lines than this are not kept. */
export const MOST_LINES = 10_000;

/** What a program writes to colour its words, which would only be noise here. */
// oxlint-disable-next-line no-control-regex -- these are the sequences that are taken out
const looks = /\u001B\[[\d:;]*m/g;

/** A text as lines. Of what a program wrote over itself, such as its progress, the last is kept. */
export function readLines(text: string): readonly string[] {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	return lines.map(line => {
		const last = line
			.replaceAll(looks, '')
			.split('\r')
			.findLast(part => part !== '');
		return printable((last ?? '').replaceAll('\t', '    '));
	});
}

/** What is kept, with what was read anew at its end. */
export type Merged = {
	readonly lines: readonly LogLine[];
	/** How many lines were dropped at the beginning. */
	readonly dropped: number;
	/** Whether the new lines follow the old ones without a gap. */
	readonly isWhole: boolean;
};

/** Puts behind the lines that are kept those of the fresh ones that are new. */
export function mergeLines(kept: readonly LogLine[], fresh: readonly string[]): Merged {
	const shared = overlap(kept, fresh);
	const isWhole = kept.length === 0 || fresh.length === 0 || shared > 0;
	const before = isWhole ? kept : [];
	const added = fresh.slice(shared).map(text => ({text}));
	if (isWhole && added.length === 0) return {lines: kept, dropped: 0, isWhole};
	const all = [...before, ...added];
	const dropped = Math.max(0, all.length - MOST_LINES);
	return {lines: dropped === 0 ? all : all.slice(dropped), dropped, isWhole};
}

/** How many of the first fresh lines are the last ones that are kept. */
function overlap(kept: readonly LogLine[], fresh: readonly string[]): number {
	for (let start = Math.max(0, kept.length - fresh.length); start < kept.length; start++) {
		let length = 0;
		while (start + length < kept.length && kept[start + length]?.text === fresh[length]) length++;
		if (start + length === kept.length) return length;
	}
	return 0;
}

/** A row of the screen, and the line that it is a part of. */
export type LogRow = {readonly line: number; readonly text: string};

const broken = new WeakMap<LogLine, {readonly width: number; readonly parts: readonly string[]}>();

const wrapped = new WeakMap<
	readonly LogLine[],
	{readonly width: number; readonly rows: readonly LogRow[]}
>();

/** All rows of lines that are broken to fit. What was broken before is not broken again. */
export function wrappedRows(lines: readonly LogLine[], width: number): readonly LogRow[] {
	const known = wrapped.get(lines);
	if (known?.width === width) return known.rows;
	const rows = breakLines(lines, width);
	wrapped.set(lines, {width, rows});
	return rows;
}

function breakLines(lines: readonly LogLine[], width: number): readonly LogRow[] {
	const rows: LogRow[] = [];
	for (const [line, entry] of lines.entries()) {
		for (const text of partsOf(entry, width)) rows.push({line, text});
	}
	return rows;
}

function partsOf(line: LogLine, width: number): readonly string[] {
	const known = broken.get(line);
	if (known?.width === width) return known.parts;
	const parts = breakAt(line.text, Math.max(2, width));
	broken.set(line, {width, parts});
	return parts;
}

function breakAt(text: string, width: number): readonly string[] {
	if (text.length <= width && widthOf(text) <= width) return [text];
	const parts: string[] = [];
	if (isPlain(text)) {
		for (let at = 0; at < text.length; at += width) parts.push(text.slice(at, at + width));
		return parts;
	}
	let part = '';
	let used = 0;
	for (const cluster of clustersOf(text)) {
		const columns = widthOf(cluster);
		if (used + columns > width) {
			parts.push(part);
			part = '';
			used = 0;
		}
		part += cluster;
		used += columns;
	}
	return [...parts, part];
}

/** Whether every unit of it is one column. */
function isPlain(text: string): boolean {
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code > 0x7e || plainWidth(code) !== 1) return false;
	}
	return true;
}

/** Finds words wherever they stand, large or small; undefined where nothing is looked for. */
export function finder(words: string): RegExp | undefined {
	if (words === '') return undefined;
	return new RegExp(words.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'giu');
}

/** The next line in which something is found, from a line on and round again. */
export function nextHit(
	lines: readonly LogLine[],
	pattern: RegExp,
	from: number,
	step: 1 | -1,
): number | undefined {
	const {length} = lines;
	for (let count = 1; count <= length; count++) {
		const at = (((from + step * count) % length) + length) % length;
		if (isFound(lines[at], pattern)) return at;
	}
	return undefined;
}

const counted = new WeakMap<readonly LogLine[], {readonly words: string; readonly hits: number}>();

/** How many lines have the words in them. */
export function countHits(lines: readonly LogLine[], words: string): number {
	const known = counted.get(lines);
	if (known?.words === words) return known.hits;
	const pattern = finder(words);
	const hits = pattern === undefined ? 0 : lines.filter(line => isFound(line, pattern)).length;
	counted.set(lines, {words, hits});
	return hits;
}

export function isFound(line: LogLine | undefined, pattern: RegExp): boolean {
	pattern.lastIndex = 0;
	return line !== undefined && pattern.test(line.text);
}
