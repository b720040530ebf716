/** The columns of instances as a table: titles, widths, and which give way where there is little room. */
import {USE_SPANS} from '../../../renter/instance/times.ts';

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
	| 'who'
	| 'health'
	| 'disk'
	| 'where'
	| 'machine'
	| 'note';

type Plan = {
	readonly id: CellId;
	readonly title: string;
	readonly width: number;
	readonly growth?: readonly number[];
	readonly set?: 'normal' | 'wide';
	readonly weight?: 'strong' | 'quiet';
	readonly about: string;
};

/** Width of numbers where no instance is listed. */
export const ID_WIDTH = 8;

/** All columns from left to right: the label is first, and the number goes with the lesser facts. */
export const plans: readonly Plan[] = [
	{
		id: 'label',
		title: 'LABEL',
		width: 12,
		growth: [12, 20, 32],
		weight: 'strong',
		about: 'your name for it',
	},
	{id: 'gpu', title: 'GPU', width: 11, growth: [12, 13, 18], about: 'its GPUs'},
	{id: 'state', title: 'STATE', width: 16, growth: [16, 20], about: 'what it does'},
	{id: 'for', title: 'FOR', width: 6, weight: 'quiet', about: 'how long it has done so'},
	{
		id: 'price',
		title: '$/H',
		width: 5,
		weight: 'strong',
		about: 'dollars an hour, with < at most',
	},
	{
		id: 'use',
		title: 'USE 30 MIN',
		width: USE_SPANS,
		set: 'normal',
		about: 'how busy it was, 2 minutes a cell',
	},
	{id: 'util', title: 'NOW', width: 4, about: 'how busy its GPUs are'},
	{
		id: 'ends',
		title: 'ENDS',
		width: 8,
		growth: [8, 10],
		about: 'when it ends by itself',
	},
	{
		id: 'who',
		title: 'KEPT BY',
		width: 8,
		set: 'normal',
		about: 'who has confirmed to keep its lease',
	},
	{id: 'health', title: 'HLT', width: 3, set: 'normal', about: 'what h found there last'},
	{
		id: 'note',
		title: 'NOTE',
		width: 15,
		growth: [15, 28, 40],
		set: 'normal',
		weight: 'quiet',
		about: 'why, what is usual, what is wasted',
	},
	{id: 'id', title: 'ID', width: ID_WIDTH, set: 'normal', weight: 'quiet', about: 'its number'},
	{
		id: 'ssh',
		title: 'SSH',
		width: 3,
		set: 'normal',
		weight: 'quiet',
		about: 'whether it answers by SSH',
	},
	{
		id: 'age',
		title: 'AGE',
		width: 4,
		set: 'normal',
		weight: 'quiet',
		about: 'since when it is rented',
	},
	{
		id: 'host',
		title: 'HOST',
		width: 6,
		set: 'normal',
		weight: 'quiet',
		about: 'the number of its host',
	},
	{
		id: 'image',
		title: 'IMAGE',
		width: 20,
		growth: [20, 28, 40],
		set: 'normal',
		weight: 'quiet',
		about: 'the image it runs',
	},
	{id: 'cost', title: 'COST', width: 7, set: 'wide', about: 'its cost at most, without traffic'},
	{
		id: 'disk',
		title: 'DISK',
		width: 5,
		set: 'wide',
		weight: 'quiet',
		about: 'the size of its disk',
	},
	{
		id: 'where',
		title: 'WHERE',
		width: 14,
		growth: [14, 20, 28],
		set: 'wide',
		weight: 'quiet',
		about: 'where it stands',
	},
	{
		id: 'machine',
		title: 'MACHINE',
		width: 7,
		set: 'wide',
		weight: 'quiet',
		about: 'the number of its machine',
	},
];

/** Columns in order of importance: the last ones go first where there is little room. */
export const ranks: readonly CellId[] = [
	'label',
	'state',
	'price',
	'gpu',
	'for',
	'util',
	'ends',
	'who',
	'health',
	'use',
	'id',
	'note',
	'ssh',
	'age',
	'host',
	'image',
	'cost',
	'disk',
	'where',
	'machine',
];

/** Widths where there is little room. */
export const tightWidths: Readonly<Partial<Record<CellId, Pick<Plan, 'width' | 'growth'>>>> = {
	label: {width: 10, growth: [12, 20]},
	gpu: {width: 8, growth: [8, 10]},
	state: {width: 8, growth: [10]},
	for: {width: 5},
};
