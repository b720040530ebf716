/** Processor time of test files: kept to order a run, and to report which files grew. It fails nothing. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';

/** What one file spent, in seconds. */
export type Spent = {
	readonly file: string;
	readonly processor: number;
	readonly clock: number;
};

/** Files that take less are not kept. */
const SHORT_S = 4;

/** A file is reported from so many times its kept time on, and from so many seconds more. */
const GROWN = {times: 1.5, seconds: 4};

const list = join(import.meta.dirname, 'times.json');

/** What the files of the last whole run spent, one JSON line each; git ignores its folder. */
export const lastRun = join(import.meta.dirname, '..', '..', '.cache', 'tests.jsonl');

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `keepTimes` writes it
const kept = JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, number>>;

/** Files whose time is kept. */
export const timedFiles = Object.keys(kept).map(name => name.replace(' on PostgreSQL', ''));

/** Seconds that a file is expected to take. */
export function expectedTime(file: string): number {
	return kept[file] ?? SHORT_S;
}

/** Reads lines that `each-file` wrote. */
export function readSpent(path: string): readonly Spent[] {
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `each-file` writes it
	return lines.map(line => JSON.parse(line) as Spent);
}

/**
 * Says which files took far more than they did, next to the rest of their run: the same work takes more
 * processor time on another machine, and beside other programs.
 */
export function reportGrowth(all: readonly Spent[]): readonly string[] {
	const slowness = Math.max(1, median(all.flatMap(shareOfKept)));
	return all.flatMap(({file, processor}) => {
		const expected = expectedTime(file) * slowness;
		if (processor <= expected * GROWN.times + GROWN.seconds) return [];
		return `${file} took ${processor.toFixed(1)} s of processor time; ${expected.toFixed(1)} s were expected`;
	});
}

function shareOfKept({file, processor}: Spent): readonly number[] {
	const expected = kept[file];
	return expected === undefined ? [] : [processor / expected];
}

function median(numbers: readonly number[]): number {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 1;
}

/** Keeps what files have spent as what is expected of them. */
function keepTimes(all: readonly Spent[]): void {
	const measured = all.map(({file, processor}) => [file, Math.ceil(processor)] as const);
	const long = measured.filter(([, seconds]) => seconds > SHORT_S);
	const names = new Set(measured.map(([file]) => file));
	const others = Object.entries(kept).filter(([file]) => !names.has(file));
	const lines = [...others, ...long].toSorted(([one], [other]) => (one < other ? -1 : 1));
	writeFileSync(list, `${JSON.stringify(Object.fromEntries(lines), undefined, '\t')}\n`);
}

if (import.meta.main) {
	const all = readSpent(lastRun);
	if (process.argv.includes('--keep')) keepTimes(all);
	else console.log([...reportGrowth(all), `${all.length} files in the last run`].join('\n'));
}
