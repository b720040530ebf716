/** A command in several instances, an instance a row: its columns and their words. */
import {openIn, type Run} from '../../../../renter/connect/runs.ts';
import type {ExecRow} from '../../../../renter/connect/exec.ts';
import {count, MISSING} from '../../../../renter/text/format.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import type {Column} from '../../../list/columns.ts';
import {readLines} from '../logs/log-lines.ts';

/** A row of a run, which is another one with every change. */
export type CommandRow = ExecRow & {readonly label: string};

export function rowsOf({rows, labels}: Run): readonly CommandRow[] {
	return rows.get().map(row => ({...row, label: labels.get(row.id) ?? ''}));
}

/** A state in a word or two: "exit 3". */
export function stateOf({state, exitCode, problem}: ExecRow): string {
	if (problem === 'stopped') return problem;
	return exitCode === undefined ? state : `exit ${exitCode}`;
}

export function hasFailed({state, exitCode}: ExecRow): boolean {
	return state === 'failed' || (exitCode ?? 0) !== 0;
}

/** True where SSH was refused for want of a key. */
export function isNotLetIn({state, problem}: ExecRow): boolean {
	return state === 'failed' && (problem ?? '').includes('Permission denied (');
}

/** The instance's last line of output; the reason where it was not entered. */
export function lastLine({problem, lines}: ExecRow): string {
	const text = problem ?? lines.at(-1)?.text ?? '';
	return readLines(text).at(-1) ?? '';
}

/** Counts by state: "1 running, 2 done, 1 failed". */
export function summaryOf(rows: readonly ExecRow[]): string {
	const open = openIn(rows).length;
	const failed = rows.filter(hasFailed).length;
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
	if (hasFailed(row)) return 0;
	return order.includes(row.state) ? 1 : 2;
}

/** The columns for a width; what was written last has all that is left. */
export function commandColumns(width: number): ReadonlyArray<Column<CommandRow>> {
	const isNarrow = width < 70;
	const columns: ReadonlyArray<Column<CommandRow>> = [
		{
			...plain('id', 'ID', 9),
			align: 'right',
			cell: ({id}) => String(id),
			sortKey: ({id}) => id,
		},
		{
			...plain('label', 'LABEL', isNarrow ? 10 : 16),
			cell: ({label}) => fit(label === '' ? MISSING : label, isNarrow ? 10 : 16).trimEnd(),
			sortKey: ({label}) => label,
		},
		{
			...plain('state', 'STATE', 8),
			cell: stateOf,
			sortKey: graveness,
			meaning: row => (hasFailed(row) ? 'danger' : row.state === 'ended' ? 'good' : 'plain'),
		},
		{
			...plain('lines', 'LINES', 6),
			align: 'right',
			best: 'high',
			cell: ({count: lines}) => count(lines),
			sortKey: ({count: lines}) => lines,
		},
	];
	const used = columns.reduce((sum, column) => sum + column.width + 1, 0);
	const last = {...plain('last', 'LAST LINE', Math.max(8, width - used)), sortKey: lastLine};
	return [...columns, {...last, cell: row => lastLine(row) || MISSING}];
}

function plain(id: string, title: string, width: number) {
	return {id, title, width, align: 'left', rank: 0, best: 'low'} as const;
}
