/** Lines put together from parts: one under the other, or side by side. */
import {pad} from '../chrome.ts';
import {fit} from '../../renter/text/text-width.ts';

type Fact = readonly [name: string, value: string];

/** Makes lines as many as asked for: those that are too many are left out, blank ones fill up. */
export function inHeight(lines: readonly string[], height: number): readonly string[] {
	const blank = Array.from({length: Math.max(0, height - lines.length)}, () => '');
	return [...lines.slice(0, height), ...blank];
}

/** Two columns of lines with a rule between them. Styled lines must fit into their column already. */
export function beside(
	left: readonly string[],
	right: readonly string[],
	{leftWidth, height}: {readonly leftWidth: number; readonly height: number},
): readonly string[] {
	const rights = inHeight(right, height);
	return inHeight(left, height).map((line, index) =>
		`${pad(line, leftWidth)} | ${rights[index] ?? ''}`.trimEnd(),
	);
}

/** Names and values as lines, the names in a column of their own. */
export function factLines(facts: readonly Fact[], width: number): readonly string[] {
	const names = Math.max(0, ...facts.map(([name]) => name.length)) + 2;
	return facts.map(([name, value]) => fit(` ${name.padEnd(names)}${value}`, width));
}
