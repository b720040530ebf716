/** Runs laid over the one of a page: how they are chosen, and their styles. */
import type {ComparedRun} from '../../../../renter/training/compared-runs.ts';
import {count, timeOfDay} from '../../../../renter/text/format.ts';
import {fit, fitMiddle, printable} from '../../../../renter/text/text-width.ts';
import {spread} from '../../../ui/chrome.ts';
import type {Curve} from '../../../ui/graph.ts';
import {inHeight, pickRow} from '../../../ui/panes.ts';
import type {Meaning, Theme} from '../../../ui/theme.ts';
import type {Size} from '../../../terminal/terminal.ts';

/** Most runs beside the one of the page: more cannot be distinguished. */
const MOST_OVER = 3;

/** Styles of the runs in the order in which they were chosen; the letter stays theirs. */
export const runStyles = [
	{tag: 'B', letter: 'b', dash: [4, 2], meaning: 'plain'},
	{tag: 'C', letter: 'c', dash: [1, 2], meaning: 'plain'},
	{tag: 'D', letter: 'd', dash: [2, 4], meaning: 'quiet'},
] as const satisfies ReadonlyArray<Omit<Curve, 'values'> & {readonly meaning: Meaning}>;

type RunChooser = {readonly at: number; readonly runs: readonly ComparedRun[]};

/** Adds a chosen run, or removes it; unchanged if there is no space for more. */
export function toggled(over: readonly number[], id: number): readonly number[] {
	if (over.includes(id)) return over.filter(other => other !== id);
	return over.length < MOST_OVER ? [...over, id] : over;
}

export const nameOfRun = ({id, label}: Pick<ComparedRun, 'id' | 'label'>) =>
	printable(label) || String(id);

const NAME = 24;

/** All runs, a line each, with the letter of those that are chosen. */
export function chooserLines(
	{at, runs}: RunChooser,
	over: readonly number[],
	{theme, size}: {readonly theme: Theme; readonly size: Size},
): readonly string[] {
	const {columns, rows} = size;
	const head = spread(columns, 'RUNS to lay over it', `${over.length} of at most ${MOST_OVER}`);
	if (runs.length === 0) {
		const texts = [
			'No other run is known: neither of an instance, nor of the last 30 days.',
			'Logs of what runs are read from now on.',
		];
		return inHeight([head, '', ...texts.map(text => fit(text, columns))], rows);
	}
	const room = rows - 1;
	const top = Math.max(0, Math.min(at - Math.floor(room / 2), runs.length - room));
	const lines = runs.slice(top, top + room).map((run, index) => {
		const isHere = top + index === at;
		const text = fit(runLine(run, over), columns - 2);
		return pickRow(theme, text, {isHere, width: columns});
	});
	return inHeight([head, ...lines], rows);
}

function runLine(run: ComparedRun, over: readonly number[]): string {
	const {id, of, steps, at, isEnded} = run;
	const letter = runStyles[over.indexOf(id)]?.tag;
	const last = steps.at(-1);
	const name = fit(fitMiddle(nameOfRun(run), NAME), NAME);
	const place = `step ${count(last?.step)}${of === undefined ? '' : ` of ${count(of)}`}`;
	const loss = Number((last?.loss ?? Number.NaN).toPrecision(3));
	const when = isEnded
		? `read last ${new Date(at).toISOString().slice(0, 10)} ${timeOfDay(new Date(at)).slice(0, 5)}`
		: 'is read now';
	return `[${letter ?? ' '}] ${name} ${fit(place, 24)} loss ${fit(String(loss), 8)} ${when}`;
}
