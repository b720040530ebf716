import {harmlessLine, replaceHarmful, REPLACEMENT} from '../../contract/grammar/harmless-text.ts';
import {columnsOfCluster} from './cluster-width.ts';

// First and last code unit of ranges in which each character is a cluster of one column, never joins its neighbours
// from these ranges, and is drawn in one column by every terminal: Latin, Greek, Cyrillic, punctuation, currency,
// letterlike, arrows, mathematics, box drawing, blocks, shapes, check marks, braille, private use.
const narrowRanges = [
	0xa0, 0xac, 0xae, 0x2ff, 0x370, 0x482, 0x48a, 0x52f, 0x2010, 0x2027, 0x2030, 0x205e, 0x20a0,
	0x20cf, 0x2100, 0x2319, 0x231c, 0x2328, 0x232b, 0x23e8, 0x2400, 0x25fc, 0x2600, 0x2613, 0x270c,
	0x2727, 0x2761, 0x2794, 0x2798, 0x27af, 0x27c0, 0x2b1a, 0xe000, 0xf8ff,
] as const;

// The same for two columns: CJK punctuation, kana, ideographs, Hangul syllables, fullwidth forms.
const wideRanges = [
	0x3001, 0x3029, 0x3041, 0x3096, 0x30a0, 0x30ff, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xac00, 0xd7a3,
	0xff01, 0xff60,
] as const;

function isWithin(code: number, ranges: readonly number[]): boolean {
	for (let index = 0; index < ranges.length; index += 2) {
		if (code < (ranges[index] ?? 0)) return false;
		if (code <= (ranges[index + 1] ?? 0)) return true;
	}
	return false;
}

/**
 * Width of a code unit that is a cluster by itself among such, 0 for one that needs a segmenter.
 */
export function plainWidth(code: number): 0 | 1 | 2 {
	if (code < 0x7f) return code < 0x20 ? 0 : 1;
	if (isWithin(code, narrowRanges)) return 1;
	return isWithin(code, wideRanges) ? 2 : 0;
}

function findUneven(text: string, from: number): number {
	for (let index = from; index < text.length; index++) {
		if (plainWidth(text.charCodeAt(index)) === 0) return index;
	}
	return -1;
}

// Two plain characters in a row end the part of a text that needs a segmenter.
function endOfUneven(text: string, from: number): number {
	let index = from + 1;
	while (index < text.length) {
		if (plainWidth(text.charCodeAt(index)) === 0) index += 1;
		else if (plainWidth(text.charCodeAt(index - 1)) === 0) index += 1;
		else break;
	}
	return index;
}

let segmenter: Intl.Segmenter | undefined;

function segment(text: string): Intl.Segments {
	// Created when first needed: that takes about 10 ms.
	segmenter ??= new Intl.Segmenter('en', {granularity: 'grapheme'});
	return segmenter.segment(text);
}

// Real clusters are shorter: longer ones are not worth the time.
const longestCluster = 64;

/**
 * Adds a cluster in pieces: letters that do not combine, such as Hangul vowels in a row, are one
 * cluster of many columns. Each piece alone is as wide as it is in the cluster.
 */
function pushPieces(cluster: string, clusters: string[]): void {
	if (cluster.length > longestCluster) {
		for (const character of cluster) clusters.push(character);
		return;
	}
	let [before, piece] = ['', ''];
	for (const character of cluster) {
		const added = columnsOfCluster(before + character) - columnsOfCluster(before);
		const columns = columnsOfCluster(piece + character);
		if (columns > 2 || columns - columnsOfCluster(piece) !== added) {
			clusters.push(piece);
			piece = '';
		}
		before += character;
		piece += character;
	}
	clusters.push(piece);
}

/** The grapheme clusters of a text without escape sequences; none of them takes more than two columns. */
export function clustersOf(text: string): readonly string[] {
	let uneven = findUneven(text, 0);
	if (uneven === -1) return text.split('');
	const clusters: string[] = [];
	let index = 0;
	while (uneven !== -1) {
		const start = Math.max(index, uneven - 1);
		while (index < start) clusters.push(text[index++] ?? '');
		index = endOfUneven(text, uneven);
		for (const {segment: cluster} of segment(text.slice(start, index))) {
			if (cluster.length > 1 && columnsOfCluster(cluster) > 2) pushPieces(cluster, clusters);
			else clusters.push(cluster);
		}
		uneven = findUneven(text, index);
	}
	while (index < text.length) clusters.push(text[index++] ?? '');
	return clusters;
}

/**
 * The grapheme clusters of a text as cells show them, without its harmful characters, which take no
 * columns. A tab is a blank, as in Ink's layout.
 */
export function cellsOf(text: string): readonly string[] {
	if (findUneven(text, 0) === -1) return text.split('');
	return clustersOf(replaceHarmful(text, character => (character === '\t' ? ' ' : '')));
}

/** The columns of one of the clusters that `clustersOf` gives. */
export function clusterWidth(cluster: string): 0 | 1 | 2 {
	const plain = cluster.length === 1 ? plainWidth(cluster.charCodeAt(0)) : 0;
	if (plain !== 0) return plain;
	const columns = columnsOfCluster(cluster);
	return columns === 0 || columns === 1 ? columns : 2;
}

/** Width of a text without escape sequences in columns, as in Ink's layout. */
export function widthOf(text: string): number {
	let columns = 0;
	for (let index = 0; index < text.length; index++) {
		const plain = plainWidth(text.charCodeAt(index));
		if (plain === 0) return carefulWidth(text);
		columns += plain;
	}
	return columns;
}

function carefulWidth(text: string): number {
	let columns = 0;
	for (const cluster of clustersOf(text)) columns += clusterWidth(cluster);
	return columns;
}

/** As many whole clusters as fit into a width. */
function take(clusters: Iterable<string>, width: number): readonly string[] {
	const taken: string[] = [];
	let columns = 0;
	for (const cluster of clusters) {
		columns += clusterWidth(cluster);
		if (columns > width) break;
		taken.push(cluster);
	}
	return taken;
}

/**
 * Makes a printable text exactly `width` columns wide: cut with an ellipsis, or padded with blanks.
 */
export function fit(
	text: string,
	width: number,
	align: 'left' | 'right' = 'left',
	ellipsis = '…',
): string {
	const columns = widthOf(text);
	if (columns <= width) {
		const blanks = ' '.repeat(width - columns);
		return align === 'left' ? text + blanks : blanks + text;
	}
	const room = width - widthOf(ellipsis);
	const kept =
		room < 0 ? take(clustersOf(text), width) : [...take(clustersOf(text), room), ellipsis];
	return fitShort(kept.join(''), width, align);
}

// A wide character that did not fit leaves a blank column behind.
function fitShort(text: string, width: number, align: 'left' | 'right'): string {
	const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
	return align === 'left' ? text + blanks : blanks + text;
}

/** Makes a printable text exactly `width` columns wide, keeping its beginning and its end. */
export function fitMiddle(text: string, width: number, ellipsis = '…'): string {
	const room = width - widthOf(ellipsis);
	if (room < 2 || widthOf(text) <= width) return fit(text, width, 'left', ellipsis);
	const clusters = clustersOf(text);
	const head = take(clusters, Math.ceil(room / 2));
	const tail = take(clusters.toReversed(), room - widthOf(head.join(''))).toReversed();
	return fitShort([...head, ellipsis, ...tail].join(''), width, 'left');
}

/** Replaces a first or last character that would join its neighbour on screen, such as a combining mark. */
function detach(text: string): string {
	const [first = ''] = text;
	const last = text.slice(isPairAtEnd(text) ? -2 : -1);
	const start = joins(first, `a${first}`) ? REPLACEMENT + text.slice(first.length) : text;
	// A replaced character joins nothing on its other side.
	if (start !== text && first.length === text.length) return start;
	return joins(last, `${last}a`) ? start.slice(0, -last.length) + REPLACEMENT : start;
}

function isPairAtEnd(text: string): boolean {
	return (text.codePointAt(text.length - 2) ?? 0) > 0xffff;
}

/** True if a character forms one cluster with its neighbour in a pair. */
function joins(character: string, pair: string): boolean {
	if (plainWidth(character.charCodeAt(0)) !== 0) return false;
	return segment(pair).containing(0)?.segment.length === pair.length;
}

/**
 * Makes foreign text fit for a part of one line: harmful characters, and those that we use as
 * placeholders, become a visible `�`; a line break or a tab becomes a blank.
 */
export function printable(text: string): string {
	if (findUneven(text, 0) === -1 && !/[\uE000-\uF8FF]/.test(text)) return text;
	return detach(harmlessLine(text).replaceAll(/[\uE000-\uF8FF]/g, REPLACEMENT));
}
