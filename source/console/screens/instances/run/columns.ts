/** A command in several instances, a row each: the columns and their texts. */
import {openIn, type CommandRun} from '../../../../renter/connect/runs.ts';
import type {ExecRow} from '../../../../renter/connect/exec.ts';
import {count, MISSING} from '../../../../renter/text/format.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import {
	type Column,
	leastColumn,
	mostColumn,
	textColumn,
	widthLeft,
} from '../../../list/columns.ts';
import {readLogLines} from '../logs/log-lines.ts';

/** A row of a run, replaced at every change. */
export type CommandRow = ExecRow & {readonly label: string};

export function commandRowsOf({rows, labels}: CommandRun): readonly CommandRow[] {
	return rows.get().map(row => ({...row, label: labels.get(row.id) ?? ''}));
}

/** A state in a word or two: "exit 3". */
export function commandStateText({state, exitCode, problem}: ExecRow): string {
	if (problem === 'stopped') return problem;
	return exitCode === undefined ? state : `exit ${exitCode}`;
}

export function hasCommandFailed({state, exitCode}: ExecRow): boolean {
	return state === 'failed' || (exitCode ?? 0) !== 0;
}

/** True if SSH was refused for lack of a key. */
export function isNotLetIn({state, problem}: ExecRow): boolean {
	return state === 'failed' && (problem ?? '').includes('Permission denied (');
}

/** The instance's last line of output; the reason where it was not entered. */
export function lastLine({problem, lines}: ExecRow): string {
	const text = problem ?? lines.at(-1)?.text ?? '';
	return readLogLines(text).at(-1) ?? '';
}

/** Counts by state: "1 running, 2 done, 1 failed". */
export function summaryOf(rows: readonly ExecRow[]): string {
	const open = openIn(rows).length;
	const failed = rows.filter(hasCommandFailed).length;
	const parts: ReadonlyArray<readonly [number, string]> = [
		[open, 'running'],
		[rows.length - open - failed, 'done'],
		[failed, 'failed'],
	];
	return parts.flatMap(([amount, word]) => (amount === 0 ? [] : [`${amount} ${word}`])).join(', ');
}

const order = ['running', 'waiting'];

/** Order of rows: failures first, then running ones. */
function graveness(row: ExecRow): number {
	if (hasCommandFailed(row)) return 0;
	return order.includes(row.state) ? 1 : 2;
}

/** The last line of output gets the rest of the width. */
export function commandColumns(width: number): ReadonlyArray<Column<CommandRow>> {
	const isNarrow = width < 70;
	const labelWidth = isNarrow ? 10 : 16;
	const columns: ReadonlyArray<Column<CommandRow>> = [
		leastColumn(['id', 'ID', 9, 0], ({id}) => id, String),
		textColumn(
			['label', 'LABEL', labelWidth, 0],
			({label}) => label,
			label => fit(label === '' ? MISSING : label, labelWidth).trimEnd(),
		),
		{
			...textColumn(['state', 'STATE', 8, 0], graveness, String),
			cell: commandStateText,
			meaning: row => (hasCommandFailed(row) ? 'danger' : row.state === 'ended' ? 'good' : 'plain'),
		},
		mostColumn(['lines', 'LINES', 6, 0], ({count: lines}) => lines, count),
	];
	const rest = Math.max(8, widthLeft(width, columns));
	const last = textColumn(['last', 'LAST LINE', rest, 0], lastLine, line => line || MISSING);
	return [...columns, last];
}
