/** Boxes over a screen, as a person reads them: what lies dimmed behind one is no part of it. */
import {clustersOf, widthOf} from '../../../source/renter/text/text-width.ts';

type Cells = readonly string[];

/** Cells of a line; a wide character stands in its first one. */
function cellsIn(line: string): Cells {
	return clustersOf(line).flatMap(cluster => (widthOf(cluster) === 2 ? [cluster, ''] : [cluster]));
}

const sides = new Set(['│', '|']);
const corners = {
	top: /^[┌+][─-] (.*?) ?[─-]*( as of [\d:]+ [─-])?[┐+]$/,
	bottom: /^[└+][─-]+[┘+]$/,
};

/** The box whose upper side is in a line: its columns, and the words there. */
function topOf(
	line: Cells,
): {readonly from: number; readonly to: number; readonly words: string} | undefined {
	const text = line.join('');
	const found = /[┌+][─-] .*[─-][┐+]/.exec(text);
	if (found === null) return undefined;
	const from = cellsIn(text.slice(0, found.index)).length;
	const [, title = '', asOf = ''] = corners.top.exec(found[0]) ?? [];
	const to = from + cellsIn(found[0]).length - 1;
	return {from, to, words: `${title}${asOf.replace(/ [─-]$/, '')}`};
}

/** The screen with the content of its box in the place of its body; as it is where there is none. */
export function withoutBox(screen: string): string {
	const lines = screen.split('\n').map(cellsIn);
	for (const [at, line] of lines.entries()) {
		const top = topOf(line);
		if (top === undefined) continue;
		const {from, to, words} = top;
		const below = lines.slice(at + 1);
		const length = below.findIndex(one => corners.bottom.test(one.slice(from, to + 1).join('')));
		const content = below.slice(0, length);
		const isBox = content.every(one => sides.has(one[from] ?? '') && sides.has(one[to] ?? ''));
		if (length < 1 || !isBox) continue;
		const inside = content.map(one =>
			one
				.slice(from + 2, to - 1)
				.join('')
				.trimEnd(),
		);
		const [head, foot] = [lines.slice(0, 2), lines.slice(-2)].map(part =>
			part.map(one => one.join('')),
		);
		return [...(head ?? []), words, ...inside, ...(foot ?? [])].join('\n');
	}
	return screen;
}
