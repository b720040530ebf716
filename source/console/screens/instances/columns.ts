/** Columns of instances: the text of each cell, its order, and which columns there is room for. */
import type {Column} from '../../list/columns.ts';
import {type CellId, ID_WIDTH, plans, ranks, tightWidths} from './column-plans.ts';
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
import {endsAtOf, endsText, endsMeaning, whoMeaning, whoText} from './ends.ts';
import type {Meaning} from '../../ui/theme.ts';
import {percentBars} from '../../ui/graph.ts';
import {healthCell, healthMeaning} from './health/health-cell.ts';
import {noteOf} from './trouble.ts';
import {ageOf, gpusWithin, labelOf, shortState, stateOf, meaningOf} from './words.ts';

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
		// An instance without a label goes by its number.
		cell: ({instance}, width) => middle(width, labelOf(instance) || String(instance.id)),
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
		cell: ({seen: {useSpans}, now}) => percentBars(meanUse(useSpans, now)),
		sortKey: ({instance}) => instance.gpu_util ?? undefined,
	},
	age: {
		cell: row => {
			const made = madeAt(row.instance, row.now);
			const text = duration((row.now - (made ?? row.seen.firstSeenAt)) / 1000);
			return made === undefined ? `>${text}` : text;
		},
		sortKey: ({instance, seen, now}) => now - (madeAt(instance, now) ?? seen.firstSeenAt),
		best: 'high',
		align: 'right',
	},
	ends: {cell: endsText, sortKey: endsAtOf},
	who: {cell: whoText, sortKey: whoText},
	health: healthCell,
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

/** Cells of narrow columns. */
const shortCells: Readonly<Partial<Record<CellId, Cell>>> = {
	state: {cell: shortState, sortKey: stateOf},
};

function cellOf(id: CellId, isShort: boolean): Cell {
	return (isShort ? shortCells[id] : undefined) ?? cells[id];
}

/** A price in five columns: 1.660, .210, <2.10. */
export function rateText({now, atMost: most}: Rate): string {
	if (most === undefined) return priceTag(now);
	return now === most ? priceTag(most) : atMost(most);
}

/** A price as a person says it: $1.620/h, at most $2.100/h. */
export function ratePerHour({now, atMost: most}: Rate): string {
	if (most === undefined) return now === undefined ? `${MISSING}/h` : millsPerHour(now);
	return `${now === most ? '' : 'at most '}${millsPerHour(most)}`;
}

/** Use of what runs is green; that of what has ended is of the past. */
export function meaningOfUse({condition}: FleetRow): Meaning {
	return condition === 'running' || condition === 'noSsh' ? 'good' : 'quiet';
}

const meanings: Readonly<Partial<Record<CellId, (row: FleetRow) => Meaning>>> = {
	state: meaningOf,
	ends: endsMeaning,
	who: whoMeaning,
	use: meaningOfUse,
	health: healthMeaning,
};

export type FleetColumn = Column<FleetRow>;

/** From this width on there is room for whole words. */
export const ROOMY = 78;

/** Columns that a service fills for all instances or for none. */
const facts = new Set<string>([
	'health',
	'age',
	'host',
	'image',
	'cost',
	'disk',
	'where',
	'machine',
]);

/** Columns that a service may never fill. Usage is not one: a booting instance gets its own later. */
export function mayBeUnsent({id}: FleetColumn): boolean {
	return facts.has(id);
}

/**
 * All columns for a width of the screen. Narrow screens show few by default.
 *
 * @param idWidth width of the longest number
 */
export function instanceColumns(room: number, idWidth = ID_WIDTH): readonly FleetColumn[] {
	const isShort = room < ROOMY;
	return plans.map(plan => {
		const {id, set = 'compact'} = plan;
		const {cell, sortKey, best = 'low', align = 'left'} = cellOf(id, isShort);
		const meaning = meanings[id];
		return {
			...plan,
			...(isShort && tightWidths[id]),
			...(id === 'id' && {width: Math.max(plan.title.length, idWidth)}),
			set: isShort && set === 'normal' ? 'wide' : set,
			align,
			rank: ranks.indexOf(id),
			cell,
			sortKey,
			best,
			...(meaning !== undefined && {meaning}),
		};
	});
}
