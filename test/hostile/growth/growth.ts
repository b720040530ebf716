import process from 'node:process';

/** The processor's milliseconds that this thread needs for a run: the least of several, since others share it. */
export function workOf(run: () => void, times = 3): number {
	return Math.min(...Array.from({length: times}, () => once(run)));
}

function once(run: () => void): number {
	const before = process.threadCpuUsage();
	run();
	const {user, system} = process.threadCpuUsage(before);
	return (user + system) / 1000;
}

/** A unit of text again and again, so many characters of it, with a start and an end of its own. */
export function textOf(unit: string, length: number, start = '', end = ''): string {
	return start + unit.repeat(Math.ceil(length / unit.length)) + end;
}

/** Work below this is not compared: a pause of the compiler or the collector is as long. */
const SMALL_MS = 60;

/**
 * Whether ten times the text takes no more than four times what linear work would: what grows with the
 * square takes ten times that, at any speed of the machine.
 */
export function growsLinearly<Input>(
	run: (input: Input) => void,
	inputAt: (length: number) => Input,
	lengths: readonly number[] = [1000, 10_000],
): boolean {
	return lengths.every(length => {
		const long = inputAt(length * 10);
		if (workOf(() => run(long), 1) < SMALL_MS) return true;
		const short = inputAt(length);
		return (
			workOf(() => run(long)) <
			40 *
				Math.max(
					workOf(() => run(short)),
					SMALL_MS / 40,
				)
		);
	});
}
