/** Columns of instances: the text of each cell and its order. */
import type {Column} from '../../list/columns.ts';
import type {Rate} from '../../../renter/instance/burn.ts';
import {costSoFar} from '../../../renter/instance/cost.ts';
import {countedFrom} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {
	duration,
	gigabytes,
	known,
	MISSING,
	money,
	wholePercent,
	atMost,
	millsPerHour,
	priceTag,
} from '../../../renter/text/format.ts';
import {fitMiddle, printable} from '../../../renter/text/text-width.ts';
import {meanUse, madeAt} from '../../../renter/instance/times.ts';
import {endsAtOf, endsText} from './ends.ts';
import {sparkline, noteOf} from './trouble.ts';
import {ageOf, gpusWithin, labelOf, shortState, stateOf} from './words.ts';

export type CellId =
	| 'id'
	| 'label'
	| 'gpu'
	| 'state'
	| 'for'
	| 'price'
	| 'util'
	| 'ssh'
	| 'use'
	| 'age'
	| 'host'
	| 'image'
	| 'cost'
	| 'ends'
	| 'disk'
	| 'where'
	| 'machine'
	| 'note';

/** A column's text for a width in characters. */
type Cell = {
	readonly cell: (row: FleetRow, width: number) => string;
	readonly sortKey: Column<FleetRow>['sortKey'];
	readonly best?: 'low' | 'high';
	readonly align?: 'right';
};

const middle = (width: number, text: string) => (text === '' ? MISSING : fitMiddle(text, width));

const cells: Readonly<Record<CellId, Cell>> = {
	id: {
		cell: ({instance}) => String(instance.id),
		sortKey: ({instance}) => instance.id,
		align: 'right',
	},
	label: {
		cell: ({instance}, width) => middle(width, labelOf(instance)),
		sortKey: ({instance}) => labelOf(instance),
	},
	gpu: {
		cell: ({instance}, width) => gpusWithin(width, instance),
		sortKey: ({instance}) => instance.gpu_name ?? undefined,
	},
	state: {cell: stateOf, sortKey: stateOf},
	for: {
		cell: ageOf,
		sortKey: ({seen, now}) => now - countedFrom(seen),
		best: 'high',
		align: 'right',
	},
	price: {
		cell: ({rate}) => rateText(rate),
		sortKey: ({rate}) => rate.atMost,
		best: 'high',
		align: 'right',
	},
	util: {
		cell: ({instance}) => wholePercent(instance.gpu_util),
		sortKey: ({instance}) => instance.gpu_util ?? undefined,
		align: 'right',
	},
	ssh: {
		cell({seen: {sshAnsweredAt, sshSilentSince}}) {
			if (sshSilentSince !== undefined) return 'no';
			return sshAnsweredAt === undefined ? MISSING : 'ok';
		},
		sortKey: ({seen: {sshSilentSince}}) => sshSilentSince,
	},
	use: {
		cell: ({seen: {useSpans}, now}) => sparkline(meanUse(useSpans, now)),
		sortKey: ({instance}) => instance.gpu_util ?? undefined,
	},
	age: {
		cell: row => {
			const made = madeAt(row.instance, row.now);
			const text = duration((row.now - (made ?? row.seen.firstSeenAt)) / 1000);
			return made === undefined ? `${text}+` : text;
		},
		sortKey: ({instance, seen, now}) => now - (madeAt(instance, now) ?? seen.firstSeenAt),
		best: 'high',
		align: 'right',
	},
	ends: {cell: endsText, sortKey: endsAtOf},
	host: {
		cell: ({instance}) => known(String)(instance.host_id),
		sortKey: ({instance}) => instance.host_id ?? undefined,
	},
	image: {
		cell: ({instance}, width) => middle(width, printable(instance.image_uuid ?? '')),
		sortKey: ({instance}) => instance.image_uuid ?? undefined,
	},
	cost: {
		cell: row => money(costSoFar(row).atMost),
		sortKey: row => costSoFar(row).atMost,
		best: 'high',
		align: 'right',
	},
	disk: {
		cell: ({instance}) => gigabytes(instance.disk_space),
		sortKey: ({instance}) => instance.disk_space ?? undefined,
		best: 'high',
		align: 'right',
	},
	where: {
		cell: ({instance}, width) => middle(width, printable(instance.geolocation ?? '')),
		sortKey: ({instance}) => instance.geolocation ?? undefined,
	},
	machine: {
		cell: ({instance}) => known(String)(instance.machine_id),
		sortKey: ({instance}) => instance.machine_id ?? undefined,
	},
	note: {cell: noteOf, sortKey: noteOf},
};

/** The same where there is little room: what has no name is called by its number. */
const shortCells: Readonly<Partial<Record<CellId, Cell>>> = {
	label: {
		...cells.label,
		cell: (row, width) =>
			labelOf(row.instance) === '' ? String(row.instance.id) : cells.label.cell(row, width),
	},
	state: {cell: shortState, sortKey: stateOf},
};

export function cellOf(id: CellId, isShort: boolean): Cell {
	return (isShort ? shortCells[id] : undefined) ?? cells[id];
}

/** A price in five columns: 1.660, .210, <2.10. */
export function rateText({now, atMost: most}: Rate): string {
	if (most === undefined) return priceTag(now);
	return now === most ? priceTag(most) : atMost(most);
}

/** The same as a person says it: $1.620/h, at most $2.100/h. */
export function ratePerHour({now, atMost: most}: Rate): string {
	if (most === undefined) return now === undefined ? `${MISSING}/h` : millsPerHour(now);
	return `${now === most ? '' : 'at most '}${millsPerHour(most)}`;
}
