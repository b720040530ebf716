/** The part of an edited line that fits on the screen. */
import type {Theme} from './theme.ts';
import type {LineEdit} from './line-edit.ts';
import {clustersOf, clusterWidth, printable} from '../../renter/text/text-width.ts';

/** Visible part of a line: exactly as wide as the field, filled with blanks. */
export type LineWindow = {
	readonly before: string;
	/** Character under the cursor; a blank at the end of the line. */
	readonly under: string;
	readonly after: string;
	/** The line goes on at this side. */
	readonly isCutLeft: boolean;
	readonly isCutRight: boolean;
};

/** The window of a width with the cursor in it. It moves by half of itself, so that the text stands still. */
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
		isCutRight: shownRight.length < right.length - 1,
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

type FieldLook = {
	readonly width: number;
	/** The cursor is drawn where keys go. */
	readonly hasFocus: boolean;
	/** A secret: every character is drawn as the same sign. */
	readonly isSecret?: boolean;
};

/** The visible part of an edited line, as wide as asked for. */
export function drawLine(theme: Theme, line: LineEdit, look: FieldLook): string {
	const {before, under, after} = windowOnto(line, look.width, look.isSecret === true ? '*' : '');
	if (!look.hasFocus) return before + under + after;
	// On an empty line the cursor can also be seen without colours.
	return before + theme.style('chosen', under === ' ' ? '_' : under) + after;
}
