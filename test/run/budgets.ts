/** Processor time that files of tests may take, so that none grows slow unseen. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';

/** What one file spent, in seconds. */
export type Spent = {
	readonly file: string;
	readonly processor: number;
	readonly clock: number;
};

type Budgets = Readonly<Record<string, number>>;

/** Seconds of a file that the list does not name: other programs may make the same work twice as dear. */
const USUAL_S = 4;

/** A file fails where it takes so many times its budget. */
const TOLERANCE = 1.5;

const isAll = process.env['TEST_ALL'] === '1';
const list = join(import.meta.dirname, isAll ? 'budgets-all.json' : 'budgets.json');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeBudgets` writes it
const kept = JSON.parse(readFileSync(list, 'utf8')) as Budgets;

/** Seconds that a file may take. */
export function budgetOf(file: string): number {
	return kept[file] ?? USUAL_S;
}

/** What is said of a file that took far more than it may, where all of them run. */
export function overspent({file, processor}: Spent): string | undefined {
	const budget = budgetOf(file);
	if (process.env['TEST_BUDGETS'] !== '1' || processor <= budget * TOLERANCE) return undefined;
	return `${file} took ${processor.toFixed(1)} s of processor time, and its budget is ${budget} s`;
}

/** Keeps what files have spent as what they may spend. */
export function writeBudgets(all: readonly Spent[]): void {
	const measured = all.map(({file, processor}) => [file, Math.ceil(processor * 1.2)] as const);
	const dear = measured.filter(([, seconds]) => seconds > USUAL_S);
	const names = new Set(measured.map(([file]) => file));
	const others = Object.entries(kept).filter(([file]) => !names.has(file));
	const lines = [...others, ...dear].toSorted(([one], [other]) => (one < other ? -1 : 1));
	writeFileSync(list, `${JSON.stringify(Object.fromEntries(lines), undefined, '\t')}\n`);
}
