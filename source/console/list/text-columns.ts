import type {Column} from './columns.ts';
import {MISSING} from '../../renter/text/format.ts';
import {printable} from '../../renter/text/text-width.ts';

type Sketch<Id> = readonly [id: Id, title: string, width: number, rank: number];

/** Columns of rows that hold their cells as texts. */
export function textColumns<Id extends string>(
	sketches: ReadonlyArray<Sketch<Id>>,
): ReadonlyArray<Column<Readonly<Record<Id, string>>>> {
	return sketches.map(([id, title, width, rank]) => ({
		id,
		title,
		width,
		rank,
		align: 'left',
		best: 'low',
		cell: row => (row[id] === '' ? MISSING : printable(row[id])),
		sortKey: row => row[id].toLowerCase(),
	}));
}

/** A number made of a text: the same for the same text. Lists tell their rows apart by numbers. */
export function idOfText(text: string): number {
	// FNV-1a.
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}
