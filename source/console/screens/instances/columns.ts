/** Columns of instances: the text of each cell, its order, and which columns there is room for. */
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
import {meanUse, USE_SPANS, madeAt} from '../../../renter/instance/times.ts';
import {endsAtOf, endsText, endsMeaning, whoText} from './ends.ts';
import {percentBars} from '../../ui/graph.ts';
import {healthCell, healthMeaning} from './health/health-cell.ts';
import {noteOf} from './trouble.ts';
import {ageOf, gpusWithin, labelOf, shortState, stateOf, meaningOf} from './words.ts';

type CellId =
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
	| 'who'
	| 'health'
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

/** Cells of narrow columns: an instance without a label goes by its number. */
const shortCells: Readonly<Partial<Record<CellId, Cell>>> = {
	label: {
		...cells.label,
		cell: (row, width) =>
			labelOf(row.instance) === '' ? String(row.instance.id) : cells.label.cell(row, width),
	},
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

export type FleetColumn = Column<FleetRow>;

/** From this width on there is room for whole words. */
export const ROOMY = 78;

type Plan = {
	readonly id: CellId;
	readonly title: string;
	readonly width: number;
	readonly growth?: readonly number[];
	readonly set?: 'normal' | 'wide';
	readonly about: string;
};

/** Width of numbers where no instance is listed. */
const ID_WIDTH = 8;

/** All columns from left to right: the label is first, and the number goes with the lesser facts. */
const plans: readonly Plan[] = [
	{id: 'label', title: 'LABEL', width: 12, growth: [12, 20, 32], about: 'your name for it'},
	{id: 'gpu', title: 'GPU', width: 11, growth: [12, 13, 18], about: 'its GPUs'},
	{id: 'state', title: 'STATE', width: 16, growth: [16, 20], about: 'what it does'},
	{id: 'for', title: 'FOR', width: 6, about: 'how long it has done so'},
	{id: 'price', title: '$/H', width: 5, about: 'dollars an hour, with < at most'},
	{id: 'util', title: 'UTIL', width: 4, about: 'how busy its GPUs are'},
	{
		id: 'ends',
		title: 'ENDS',
		width: 8,
		growth: [8, 10],
		about: 'when it ends by itself',
	},
	{
		id: 'who',
		title: 'WHO',
		width: 3,
		set: 'normal',
		about: 'who keeps its lease: W watchdog, G guard, M market',
	},
	{id: 'health', title: 'HLT', width: 3, set: 'normal', about: 'what h found there last'},
	{id: 'id', title: 'ID', width: ID_WIDTH, set: 'normal', about: 'its number'},
	{id: 'ssh', title: 'SSH', width: 3, set: 'normal', about: 'whether it answers by SSH'},
	{id: 'age', title: 'AGE', width: 4, set: 'normal', about: 'since when it is rented'},
	{id: 'host', title: 'HOST', width: 6, set: 'normal', about: 'the number of its host'},
	{
		id: 'image',
		title: 'IMAGE',
		width: 20,
		growth: [20, 28, 40],
		set: 'normal',
		about: 'the image it runs',
	},
	{id: 'cost', title: 'COST', width: 7, set: 'wide', about: 'its cost at most, without traffic'},
	{id: 'disk', title: 'DISK', width: 5, set: 'wide', about: 'the size of its disk'},
	{
		id: 'where',
		title: 'WHERE',
		width: 14,
		growth: [14, 20, 28],
		set: 'wide',
		about: 'where it stands',
	},
	{id: 'machine', title: 'MACHINE', width: 7, set: 'wide', about: 'the number of its machine'},
	{
		id: 'use',
		title: 'USE',
		width: USE_SPANS,
		set: 'normal',
		about: 'how busy it was, 5 minutes a cell',
	},
	{
		id: 'note',
		title: 'NOTE',
		width: 15,
		growth: [15, 28, 40],
		set: 'normal',
		about: 'why, what is usual, what is wasted',
	},
];

/** Columns in order of importance: the last ones go first where there is little room. */
const ranks: readonly CellId[] = [
	'label',
	'state',
	'price',
	'gpu',
	'for',
	'util',
	'ends',
	'id',
	'ssh',
	'note',
	'health',
	'who',
	'use',
	'age',
	'host',
	'image',
	'cost',
	'disk',
	'where',
	'machine',
];

/** Columns that a service fills for all instances or for none. */
const facts = new Set<string>(['age', 'host', 'image', 'cost', 'disk', 'where', 'machine']);

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
		return {
			...plan,
			...(isShort && tight[id]),
			...(id === 'id' && {width: Math.max(plan.title.length, idWidth)}),
			set: isShort && set === 'normal' ? 'wide' : set,
			align,
			rank: ranks.indexOf(id),
			cell,
			sortKey,
			best,
			...(id === 'state' && {meaning: meaningOf}),
			...(id === 'ends' && {meaning: endsMeaning}),
			...(id === 'health' && {meaning: healthMeaning}),
		};
	});
}

/** Widths where there is little room. */
const tight: Readonly<Partial<Record<CellId, Pick<Plan, 'width' | 'growth'>>>> = {
	label: {width: 10, growth: [12, 20]},
	gpu: {width: 8, growth: [8, 10]},
	state: {width: 8, growth: [10]},
	for: {width: 5},
};
