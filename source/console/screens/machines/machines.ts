import type {ListTarget} from '../../list/list-target.ts';
import type {Machine} from '../../../contract/nouns/machines.ts';
import {formatGpus, known, MISSING, money} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {columnKeys, movements, refreshKey, refreshUnreadableTexts} from '../../list/bindings.ts';
import {type Column, mostColumn, textColumn} from '../../list/columns.ts';
import type {Bindings} from '../../ui/bindings.ts';

/** Trouble that keeps a machine from being rented; undefined if there is none. */
export function machineTroubleOf({error_description: trouble}: Machine): string | undefined {
	return typeof trouble === 'string' && trouble !== '' ? trouble : undefined;
}

export function machineStateText(machine: Machine): string {
	if (typeof machine.quarantine === 'string') return 'quarantine';
	if (machineTroubleOf(machine) !== undefined) return 'away';
	if (machine.listed !== true) return 'unlisted';
	return printable(machine.verification ?? MISSING);
}

const text = (value: string | null | undefined) => printable(value ?? MISSING);

export const machineColumns: ReadonlyArray<Column<Machine>> = [
	textColumn(['id', 'ID', 6, 0], ({id}) => id, String),
	textColumn(['name', 'NAME', 12, 3], ({name}) => name, text),
	{...textColumn(['gpus', 'GPUS', 14, 2], ({gpu_name: gpu}) => gpu, text), cell: formatGpus},
	{
		...textColumn(['use', 'USE', 8, 1], machine => machine.current_rentals_running, String),
		cell: ({gpu_occupancy: use}) => printable((use ?? MISSING).replaceAll(' ', '') || MISSING),
	},
	textColumn(['state', 'STATE', 10, 4], machineStateText, String),
	mostColumn(['price', '$/H', 7, 5], machine => machine.listed_gpu_cost, money),
	mostColumn(['earns', 'EARNS/H', 8, 6], machine => machine.earn_hour, money),
	mostColumn(['day', 'DAY', 7, 7], machine => machine.earn_day, money),
	mostColumn(
		['rentals', 'RENTALS', 7, 8],
		machine => machine.current_rentals_resident,
		known(String),
	),
	mostColumn(['reports', 'REPORTS', 7, 9], machine => machine.num_recent_reports, known(String)),
	textColumn(['where', 'WHERE', 16, 10], ({geolocation: place}) => place, text),
];

export type MachinesTarget = {
	readonly unlist: () => void;
	readonly noUnlist: () => string | undefined;
	readonly copy: () => void;
	readonly missing: () => string | undefined;
	readonly refresh: () => void;
};

export const machineListBindings: Bindings<ListTarget & MachinesTarget> = [
	{
		keys: ['x'],
		id: 'unlist-machine',
		title: 'offer the machine no longer; it asks',
		hint: 'unlist',
		isChange: true,
		changesService: true,
		run: list => list.unlist(),
		unavailable: list => list.noUnlist(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-machine',
		title: 'copy the number of the machine',
		hint: 'copy',
		run: list => list.copy(),
		unavailable: list => list.missing(),
	},
	refreshKey(refreshUnreadableTexts),
	...movements,
	...columnKeys,
];
