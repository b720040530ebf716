/** Lines of logs: made harmless, joined, and wrapped. Pure rules. */
import {mergeByTime} from '../../../../renter/text/log-times.ts';
import {clustersOf, printable, widthOf} from '../../../../renter/text/text-width.ts';

/** A line as it can be shown, the same object for as long as it is kept. */
export type LogLine = {
	readonly text: string;
	/** The line's instance, where lines of several are shown. */
	readonly from?: LogSource;
	/** The line's time, where lines of several are in the order of their times. */
	readonly at?: number;
};

/** A name, and its index, which chooses its colour. */
export type LogSource = {readonly name: string; readonly at: number};

export const MOST_KEPT_LINES = 100_000;

/**
 * Lines beyond the limit before the first ones are dropped, all at once, since all results about lines
 * then begin anew.
 */
export const SPARE_LINES = 10_000;

/** Escape sequences of colours, which would only be noise here. */
// oxlint-disable-next-line no-control-regex -- these are the sequences that are taken out
const looks = /\u001B\[[\d:;]*m/g;

/** A text as lines. Of overwritten text, such as progress, the last is kept. */
export function readLogLines(text: string): readonly string[] {
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

/** The kept lines, with the newly read ones at their end. */
export type MergedLog = {
	readonly lines: readonly LogLine[];
	readonly dropped: number;
	/** True if the new lines follow the old ones without a gap. */
	readonly isWhole: boolean;
};

export function mergeLines(kept: readonly LogLine[], fresh: readonly string[]): MergedLog {
	const shared = overlap(kept, fresh);
	const isWhole = kept.length === 0 || fresh.length === 0 || shared > 0;
	const added = fresh.slice(shared).map(text => ({text}));
	return {...addLines(isWhole ? kept : [], added), isWhole};
}

/** Appends lines; beyond the limit the first ones are dropped. */
export function addLines(
	kept: readonly LogLine[],
	added: readonly LogLine[],
): Pick<MergedLog, 'lines' | 'dropped'> {
	if (added.length === 0) return {lines: kept, dropped: 0};
	const all = inOrder(kept, added);
	const dropped = all.length > MOST_KEPT_LINES + SPARE_LINES ? all.length - MOST_KEPT_LINES : 0;
	return {lines: dropped === 0 ? all : all.slice(dropped), dropped};
}

/** Puts lines behind those that are kept, or by their times between them. */
function inOrder(kept: readonly LogLine[], added: readonly LogLine[]): readonly LogLine[] {
	const at = added[0]?.at ?? Number.POSITIVE_INFINITY;
	const later = 1 + kept.findLastIndex(line => (line.at ?? 0) <= at);
	return [...kept.slice(0, later), ...mergeByTime(kept.slice(later), added)];
}

/** The count of first fresh lines that repeat the last kept ones. */
function overlap(kept: readonly LogLine[], fresh: readonly string[]): number {
	for (let start = Math.max(0, kept.length - fresh.length); start < kept.length; start++) {
		let length = 0;
		while (start + length < kept.length && kept[start + length]?.text === fresh[length]) length++;
		if (start + length === kept.length) return length;
	}
	return 0;
}

/**
 * Keeps results computed from lines, so that only the new lines of a longer list are read. Another
 * purpose begins anew.
 */
function keptFor<Purpose, Result>(
	none: Result,
	add: (before: Result, fresh: readonly LogLine[], purpose: Purpose, from: number) => Result,
) {
	type LinesResult = {
		readonly lines: readonly LogLine[];
		readonly purpose: Purpose;
		readonly result: Result;
	};
	const made = new WeakMap<LogLine, LinesResult>();
	return (lines: readonly LogLine[], purpose: Purpose): Result => {
		const [first] = lines;
		if (first === undefined) return none;
		const known = made.get(first);
		if (known?.lines === lines && known.purpose === purpose) return known.result;
		const from =
			known?.purpose === purpose && isBegunBy(lines, known.lines) ? known.lines.length : 0;
		const before = from === 0 || known === undefined ? none : known.result;
		const result = add(before, from === 0 ? lines : lines.slice(from), purpose, from);
		made.set(first, {lines, purpose, result});
		return result;
	};
}

/** True if the lines begin with all of the others. */
function isBegunBy(lines: readonly LogLine[], beginning: readonly LogLine[]): boolean {
	// Two selections of the same lines may have the same first and last.
	return lines.length >= beginning.length && beginning.every((line, at) => lines[at] === line);
}

/** A row of the screen, and the line that it is a part of. */
export type LogRow = {
	readonly line: number;
	readonly text: string;
	/** The line's instance; only the first row of a wrapped line has it. */
	readonly from?: LogSource | undefined;
};

export const wrappedRows = keptFor<number, readonly LogRow[]>([], (rows, fresh, width, from) =>
	rows.concat(
		fresh.flatMap(({text, from: source}, at) =>
			breakAt(text, Math.max(2, width)).map((part, row) => ({
				line: from + at,
				text: part,
				from: row === 0 ? source : undefined,
			})),
		),
	),
);

/** Characters that are one column each. */
const plain = /^[ -~]*$/;

function breakAt(text: string, width: number): readonly string[] {
	const parts: string[] = [];
	if (plain.test(text)) {
		for (let at = 0; at < text.length; at += width) parts.push(text.slice(at, at + width));
		return text === '' ? [text] : parts;
	}
	if (widthOf(text) <= width) return [text];
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

/** Finds words anywhere, in any case; undefined without words. */
export function finder(words: string): RegExp | undefined {
	if (words === '') return undefined;
	return new RegExp(words.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'giu');
}

/** The lines that have some words in them or in their name; with a `!` before the words, all others. */
export function linesWith(lines: readonly LogLine[], words: string): readonly LogLine[] {
	return words === '' || words === '!' ? lines : chosenLines(lines, words);
}

const chosenLines = keptFor<string, readonly LogLine[]>([], (before, fresh, words) => {
	const isWithout = words.startsWith('!');
	const pattern = finder(isWithout ? words.slice(1) : words);
	if (pattern === undefined) return fresh;
	const isIn = ({text, from}: LogLine) =>
		isFound({text: from === undefined ? text : `${from.name} ${text}`}, pattern);
	return before.concat(fresh.filter(line => isIn(line) !== isWithout));
});

/** The next line with a match, from a line on and round again. */
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

export const countHits = keptFor<string, number>(0, (hits, fresh, words) => {
	const pattern = finder(words);
	return pattern === undefined ? 0 : hits + fresh.filter(line => isFound(line, pattern)).length;
});

function isFound(line: LogLine | undefined, pattern: RegExp): boolean {
	pattern.lastIndex = 0;
	return line !== undefined && pattern.test(line.text);
}
