/** The lines of a log that were not there at the last look: a look shows the last lines alone. */

/** What is new in `after`, where `before` may have lost lines at its start since. */
export function newLines(before: readonly string[], after: readonly string[]): readonly string[] {
	for (let gone = 0; gone < before.length; gone++) {
		const kept = before.length - gone;
		if (kept <= after.length && startsWith(after, before, gone)) return after.slice(kept);
	}
	return after;
}

function startsWith(after: readonly string[], before: readonly string[], from: number): boolean {
	for (let at = from; at < before.length; at++) {
		if (after[at - from] !== before[at]) return false;
	}
	return true;
}

/** Text as lines, without the end of the last one. Each keeps what a workload wrote before its line feed. */
export function linesOf(text: string): readonly string[] {
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
