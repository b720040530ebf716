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

/** And beside that what the first file of a process loads, compiles and warms up for those after it. */
const FIRST_OF_PROCESS_S = 4;

const isAll = process.env['TEST_ALL'] === '1';
const list = join(import.meta.dirname, isAll ? 'budgets-all.json' : 'budgets.json');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeBudgets` writes it
const kept = JSON.parse(readFileSync(list, 'utf8')) as Budgets;

/** Files that have a budget of their own. */
export const budgeted = Object.keys(kept).map(name => name.replace(' on PostgreSQL', ''));

/** Seconds that a file may take. */
export function budgetOf(file: string): number {
	return kept[file] ?? USUAL_S;
}

/**
 * What is said of files that took far more than they may.
 *
 * How dear all of a run is says nothing of one file: the same work needs more time on another
 * machine, and beside other programs. So budgets grow with the run's own dearness.
 */
export function overspent(all: readonly Spent[]): readonly string[] {
	const dearness = Math.max(1, median(all.flatMap(shareOfBudget)));
	return all.flatMap(({file, processor}) => {
		const budget = budgetOf(file) * dearness;
		if (processor <= budget * TOLERANCE + FIRST_OF_PROCESS_S) return [];
		const times =
			dearness > 1 ? ` in this run, where files take ${dearness.toFixed(1)} times theirs` : '';
		return `${file} took ${processor.toFixed(1)} s of processor time, and its budget is ${budget.toFixed(1)} s${times}`;
	});
}

/** Nothing of files without a budget of their own: most take far less than all may. */
function shareOfBudget({file, processor}: Spent): readonly number[] {
	const budget = kept[file];
	return budget === undefined ? [] : [processor / budget];
}

function median(numbers: readonly number[]): number {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 1;
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
