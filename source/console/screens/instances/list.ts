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

/** The list's state stays with its place, so that coming back finds it as it was. */
export const listAt = kept(() => ({
	table: createList<FleetRow>(instanceColumns(ROOMY), row => row.instance.id, {
		watched: {
			isOver: ({condition}) => condition === 'destroying' || condition === 'gone',
			changedAt: ({becameAt}) => becameAt,
		},
	}),
	/** What stands beside it. */
	pane: createStore<Pane>({kind: 'money', isZoomed: false}),
	/** A sweep that was agreed to, and can still be taken back. */
	held: createHold(),
	/** How many are acted on, of which it was not seen so far what came of it. */
	underWay: createStore(0),
}));

export type InstanceList = ReturnType<typeof listAt>;

/** Which of the instances are wanted in the list. */
export type Wanted = {
	/** What is looked for, each word of it. */
	readonly words: string;
	readonly onlyProblems: boolean;
};

export function wantedIn({table: {filter}}: InstanceList): Wanted {
	return {words: filter.words(), onlyProblems: filter.state.get().isNarrowed};
}

export function isFiltering({words, onlyProblems}: Wanted): boolean {
	return words !== '' || onlyProblems;
}

/** The rows in which every word of the filter is found. */
export function filtered(rows: readonly FleetRow[], wanted: Wanted): readonly FleetRow[] {
	if (!isFiltering(wanted)) return rows;
	const words = wanted.words.toLowerCase().split(/\s+/);
	return rows.filter(row => {
		if (wanted.onlyProblems && !isProblem(row.condition)) return false;
		const text = textOf(row).toLowerCase();
		return words.every(word => text.includes(word));
	});
}

/** The same, and those that are shown already: while nothing may move, they stay. */
export function filteredBeside(
	rows: readonly FleetRow[],
	wanted: Wanted,
	shown: readonly FleetRow[],
): readonly FleetRow[] {
	const ids = new Set([...filtered(rows, wanted), ...shown].map(({instance: {id}}) => id));
	return rows.filter(({instance: {id}}) => ids.has(id));
}

function textOf(row: FleetRow): string {
	const {instance, condition} = row;
	const idle = condition === 'idle' ? 'idle' : '';
	return [instance.id, labelOf(instance), gpusOf(instance), stateOf(row), idle].join(' ');
}
