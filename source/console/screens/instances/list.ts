import {emptyLine} from '../../components/line-edit.ts';
import type {LineEdit} from '../../components/line-edit.ts';
import {createList} from '../../list/list.ts';
import {isProblem} from '../../../renter/fleet/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {kept} from '../../router.ts';
import {createStore} from '../../../renter/store.ts';
import {instanceColumns, ROOMY} from './columns.ts';
import {createHold} from './hold.ts';
import type {Pane} from './pane.ts';
import {labelOf, stateOf} from './words.ts';
import {gpusOf} from '../../../renter/format.ts';

export type Sieve = {
	/** What is looked for, each word of it. */
	readonly line: LineEdit;
	/** Whether it is being typed. */
	readonly isOpen: boolean;
	readonly onlyProblems: boolean;
};

const everything: Sieve = {line: emptyLine, isOpen: false, onlyProblems: false};

/** The list's state stays with its place, so that coming back finds it as it was. */
export const listAt = kept(() => ({
	table: createList<FleetRow>(instanceColumns(ROOMY), row => row.instance.id),
	sieve: createStore(everything),
	/** What stands beside it. */
	pane: createStore<Pane>({kind: 'money', isZoomed: false}),
	/** A sweep that was agreed to, and can still be taken back. */
	held: createHold(),
	/** How many are acted on, of which it was not seen so far what came of it. */
	underWay: createStore(0),
	/** When the cursor was last moved: milliseconds since 1970. */
	movedAt: createStore(Number.NEGATIVE_INFINITY),
}));

export type InstanceList = ReturnType<typeof listAt>;

export function isSifting({line, onlyProblems}: Sieve): boolean {
	return line.text.trim() !== '' || onlyProblems;
}

/** The rows in which every word of the filter is found. */
export function sift(
	rows: readonly FleetRow[],
	{line, onlyProblems}: Pick<Sieve, 'line' | 'onlyProblems'>,
): readonly FleetRow[] {
	const words = line.text
		.toLowerCase()
		.split(/\s+/)
		.filter(word => word !== '');
	if (words.length === 0 && !onlyProblems) return rows;
	return rows.filter(row => {
		if (onlyProblems && !isProblem(row.condition)) return false;
		const text = textOf(row).toLowerCase();
		return words.every(word => text.includes(word));
	});
}

/** The same, and those that are shown already: while nothing may move, they stay. */
export function siftBeside(
	rows: readonly FleetRow[],
	sieve: Pick<Sieve, 'line' | 'onlyProblems'>,
	shown: readonly FleetRow[],
): readonly FleetRow[] {
	const ids = new Set([...sift(rows, sieve), ...shown].map(({instance: {id}}) => id));
	return rows.filter(({instance: {id}}) => ids.has(id));
}

function textOf(row: FleetRow): string {
	const {instance, condition} = row;
	const idle = condition === 'idle' ? 'idle' : '';
	return [instance.id, labelOf(instance), gpusOf(instance), stateOf(row), idle].join(' ');
}
