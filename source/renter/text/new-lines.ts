/** Lines added to a log since it was read. */

/** Lines of `after` that are new, although `before` may have lost lines at its start since. */
export function newLines(before: readonly string[], after: readonly string[]): readonly string[] {
	return linesSince(before, after, 1) ?? after;
}

/**
 * The same, if so many of the earlier lines are still there, or all of them; undefined if not: then
 * new lines cannot be told from old ones.
 */
export function linesSince(
	before: readonly string[],
	after: readonly string[],
	least: number,
): readonly string[] | undefined {
	for (let gone = 0; gone < before.length; gone++) {
		const kept = before.length - gone;
		if (kept < least && gone > 0) return undefined;
		if (kept <= after.length && startsWith(after, before, gone))
			return [...grown(before.at(-1), after[kept - 1]), ...after.slice(kept)];
	}
	return undefined;
}

function startsWith(after: readonly string[], before: readonly string[], from: number): boolean {
	for (let at = from; at < before.length; at++) {
		const isLast = at === before.length - 1;
		const [one = '', other = ''] = [before[at], after[at - from]];
		if (one !== other && !(isLast && other.startsWith(`${one}\r`))) return false;
	}
	return true;
}

/** Text that a progress bar has added to its unfinished line. */
function grown(before = '', after = ''): readonly string[] {
	return after.length > before.length ? [after.slice(before.length + 1)] : [];
}

/**
 * Text as lines, without the last line feed. A line keeps every other character of the workload.
 */
export function splitLines(text: string): readonly string[] {
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
