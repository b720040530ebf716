/** Times at the start of log lines, by which the lines of several logs are merged. */

/** A date and a time of day within the first characters, as usual loggers write them. */
const stamp =
	/^.{0,24}?(\d{4})[-/](\d\d)[-/](\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? ?(Z|[+-]\d\d:?\d\d)?/;

/**
 * Time at the start of a line, in milliseconds since 1970. Without a zone it is UTC, as in
 * containers.
 */
export function timeIn(line: string): number | undefined {
	const [, year, month, day, time, part = '0', zone = 'Z'] = stamp.exec(line) ?? [];
	if (year === undefined) return undefined;
	const at = Date.parse(`${year}-${month}-${day}T${time}.${part.slice(0, 3)}${zone}`);
	return Number.isFinite(at) ? at : undefined;
}

/**
 * Reader of the times of a log, piece by piece. Its lines keep their order: none is earlier than
 * the previous one. A line without a time, such as one of a traceback, belongs to the previous one,
 * or at the beginning to the next with a time; a log without any was written when it was read.
 */
export function openLogTimes(): (lines: readonly string[], readAt: number) => readonly number[] {
	let latest: number | undefined;
	return (lines, readAt) => {
		const times = lines.map(timeIn);
		latest ??= times.find(time => time !== undefined);
		return times.map(time => {
			if (latest === undefined) return readAt;
			latest = Math.max(latest, time ?? latest);
			return latest;
		});
	};
}

type Timed = {readonly at?: number};

/**
 * Lines of two logs merged by their times; each log keeps its order, and of equal times `a` is
 * first.
 */
export function mergeByTime<Line extends Timed>(
	a: readonly Line[],
	b: readonly Line[],
): readonly Line[] {
	const merged: Line[] = [];
	let from = 0;
	for (const line of a) {
		for (
			let next = b[from];
			next !== undefined && (next.at ?? 0) < (line.at ?? 0);
			next = b[from]
		) {
			merged.push(next);
			from++;
		}
		merged.push(line);
	}
	return [...merged, ...b.slice(from)];
}
