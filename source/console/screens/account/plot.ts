/** Amounts as bars of characters that every terminal has, the largest the highest. */

/** Draws one column for each value; a value that is not 0 is never drawn as nothing. */
export function plot(values: readonly number[], height: number): readonly string[] {
	const most = Math.max(...values, 0);
	const levels = values.map(value =>
		most === 0 || value <= 0 ? 0 : Math.max(1, Math.round((value / most) * height)),
	);
	return Array.from({length: height}, (_, row) =>
		levels.map(level => (level >= height - row ? ' ##' : '   ')).join(''),
	);
}
