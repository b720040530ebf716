import type {Machine} from '../../../contract/nouns/machines.ts';
import {gpusOf, known, MISSING, money} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {Column} from '../../list/columns.ts';

type Sketch = Pick<Column<Machine>, 'id' | 'title' | 'width' | 'rank' | 'cell' | 'sortKey'>;

const left = (sketch: Sketch): Column<Machine> => ({align: 'left', best: 'low', ...sketch});
const right = (sketch: Sketch): Column<Machine> => ({align: 'right', best: 'high', ...sketch});

/** Trouble that keeps a machine from being rented; undefined where there is none. */
export function troubleOf({error_description: trouble}: Machine): string | undefined {
	return typeof trouble === 'string' && trouble !== '' ? trouble : undefined;
}

/** State of a machine in a word. */
export function stateOf(machine: Machine): string {
	if (typeof machine.quarantine === 'string') return 'quarantine';
	if (troubleOf(machine) !== undefined) return 'away';
	if (machine.listed !== true) return 'unlisted';
	return printable(machine.verification ?? MISSING);
}

/** Columns of the list of machines. */
export const machineColumns: ReadonlyArray<Column<Machine>> = [
	left({
		id: 'id',
		title: 'ID',
		width: 6,
		rank: 0,
		cell: ({id}) => String(id),
		sortKey: ({id}) => id,
	}),
	left({
		id: 'name',
		title: 'NAME',
		width: 12,
		rank: 3,
		cell: ({name}) => printable(name ?? MISSING),
		sortKey: ({name}) => name ?? undefined,
	}),
	left({
		id: 'gpus',
		title: 'GPUS',
		width: 14,
		rank: 2,
		cell: gpusOf,
		sortKey: ({gpu_name: gpu}) => gpu ?? undefined,
	}),
	left({
		id: 'use',
		title: 'USE',
		width: 8,
		rank: 1,
		cell: ({gpu_occupancy: use}) => printable((use ?? MISSING).replaceAll(' ', '') || MISSING),
		sortKey: ({current_rentals_running: running}) => running ?? undefined,
	}),
	left({
		id: 'state',
		title: 'STATE',
		width: 10,
		rank: 4,
		cell: stateOf,
		sortKey: stateOf,
	}),
	right({
		id: 'price',
		title: '$/H',
		width: 7,
		rank: 5,
		cell: ({listed_gpu_cost: price}) => money(price),
		sortKey: ({listed_gpu_cost: price}) => price ?? undefined,
	}),
	right({
		id: 'earns',
		title: 'EARNS/H',
		width: 8,
		rank: 6,
		cell: ({earn_hour: earned}) => money(earned),
		sortKey: ({earn_hour: earned}) => earned ?? undefined,
	}),
	right({
		id: 'day',
		title: 'DAY',
		width: 7,
		rank: 7,
		cell: ({earn_day: earned}) => money(earned),
		sortKey: ({earn_day: earned}) => earned ?? undefined,
	}),
	right({
		id: 'rentals',
		title: 'RENTALS',
		width: 7,
		rank: 8,
		cell: ({current_rentals_resident: count}) => known(String)(count),
		sortKey: ({current_rentals_resident: count}) => count ?? undefined,
	}),
	right({
		id: 'reports',
		title: 'REPORTS',
		width: 7,
		rank: 9,
		cell: ({num_recent_reports: count}) => known(String)(count),
		sortKey: ({num_recent_reports: count}) => count ?? undefined,
	}),
	left({
		id: 'where',
		title: 'WHERE',
		width: 16,
		rank: 10,
		cell: ({geolocation: place}) => printable(place ?? MISSING),
		sortKey: ({geolocation: place}) => place ?? undefined,
	}),
];
