import type {Column} from '../../list/columns.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {USE_SPANS} from '../../../renter/instance/times.ts';
import {cellOf, type CellId} from './cells.ts';
import {endsMeaning} from './ends.ts';
import {meaningOf} from './words.ts';

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

/** All columns from left to right. */
const plans: readonly Plan[] = [
	{id: 'id', title: 'ID', width: 8, set: 'normal', about: 'its number'},
	{id: 'label', title: 'LABEL', width: 8, growth: [8, 12, 20, 32], about: 'your name for it'},
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
		set: 'normal',
		about: 'when it ends by itself',
	},
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
	{id: 'cost', title: 'COST', width: 7, set: 'wide', about: 'what it has cost so far, at most'},
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

/** The columns for which a service says nothing at all. What boots has no use either, and will have. */
export function mayBeUnsent({id}: FleetColumn): boolean {
	return facts.has(id);
}

/** All columns as they are where there is so much room. With little of it, few are usual. */
export function instanceColumns(room: number): readonly FleetColumn[] {
	const isShort = room < ROOMY;
	return plans.map(plan => {
		const {id, set = 'compact'} = plan;
		const {cell, sortKey, best = 'low', align = 'left'} = cellOf(id, isShort);
		return {
			...plan,
			...(isShort && tight[id]),
			set: isShort && set === 'normal' ? 'wide' : set,
			align,
			rank: ranks.indexOf(id),
			cell,
			sortKey,
			best,
			...(id === 'state' && {meaning: meaningOf}),
			...(id === 'ends' && {meaning: endsMeaning}),
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
