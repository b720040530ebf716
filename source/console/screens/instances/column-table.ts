import type {Column} from '../../list/columns.ts';
import {costSoFar} from '../../../renter/instance/cost.ts';
import {countedFrom} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {
	duration,
	wholeGigabytes,
	known,
	MISSING,
	money,
	wholePercent,
} from '../../../renter/text/format.ts';
import {fitMiddle, printable} from '../../../renter/text/text-width.ts';
import {endsAtOf, endsText, endsMeaning, whoMeaning, whoText} from './ends.ts';
import type {Meaning} from '../../ui/theme.ts';
import {percentBars} from '../../ui/graph.ts';
import {healthCell, healthMeaning} from './health/health-cell.ts';
import {conditionNote} from './trouble.ts';
import {madeAt, meanUse, USE_SPANS} from '../../../renter/instance/times.ts';
import {
	ageOf,
	gpusWithin,
	labelOf,
	meaningOf,
	meaningOfUse,
	rateText,
	shortState,
	conditionText,
} from './words.ts';

type Plan = {
	readonly id: string;
	readonly title: string;
	readonly width: number;
	readonly growth?: readonly number[];
	/** @default 'compact' */
	readonly set?: 'normal' | 'wide';
	readonly weight?: 'strong' | 'quiet';
	readonly about: string;
	/** Priority: columns with the highest are dropped first in little space. */
	readonly rank: number;
	/** Changes if there is little space. */
	readonly tight?: {
		readonly width: number;
		readonly growth?: readonly number[];
		readonly cell?: Column<FleetRow>['cell'];
	};
	/** A service fills it for all instances or for none. Usage is no such fact: a booting instance gets its own later. */
	readonly isFact?: boolean;
	readonly meaning?: (row: FleetRow) => Meaning;
	readonly cell: (row: FleetRow, width: number) => string;
	readonly sortKey: Column<FleetRow>['sortKey'];
	/** @default 'low' */
	readonly best?: 'low' | 'high';
	/** @default 'left' */
	readonly align?: 'right';
};

/** Width of numbers where no instance is listed. */
export const ID_WIDTH = 8;

const middle = (width: number, text: string) => (text === '' ? MISSING : fitMiddle(text, width));

/** All columns from left to right: the label is first, and the number goes with the lesser facts. */
export const plans: readonly Plan[] = [
	{
		id: 'label',
		title: 'LABEL',
		width: 12,
		growth: [12, 20, 32],
		weight: 'strong',
		about: 'your name for it',
		rank: 0,
		tight: {width: 10, growth: [12, 20]},
		// An instance without a label goes by its number.
		cell: ({instance}, width) => middle(width, labelOf(instance) || String(instance.id)),
		sortKey: ({instance}) => labelOf(instance),
	},
	{
		id: 'gpu',
		title: 'GPU',
		width: 11,
		growth: [12, 13, 18],
		about: 'its GPUs',
		rank: 3,
		tight: {width: 8, growth: [8, 10]},
		cell: ({instance}, width) => gpusWithin(width, instance),
		sortKey: ({instance}) => instance.gpu_name ?? undefined,
	},
	{
		id: 'state',
		title: 'STATE',
		width: 16,
		growth: [16, 20],
		about: 'what it does',
		rank: 1,
		tight: {width: 8, growth: [10], cell: shortState},
		meaning: meaningOf,
		cell: conditionText,
		sortKey: conditionText,
	},
	{
		id: 'for',
		title: 'FOR',
		width: 6,
		weight: 'quiet',
		about: 'how long it has done so',
		rank: 4,
		tight: {width: 5},
		cell: ageOf,
		sortKey: ({observation, now}) => now - countedFrom(observation),
		best: 'high',
		align: 'right',
	},
	{
		id: 'price',
		title: '$/H',
		width: 5,
		weight: 'strong',
		about: 'dollars an hour, with < at most',
		rank: 2,
		cell: ({rate}) => rateText(rate),
		sortKey: ({rate}) => rate.atMost,
		best: 'high',
		align: 'right',
	},
	{
		id: 'use',
		title: 'USE 30 MIN',
		width: USE_SPANS,
		set: 'normal',
		about: 'how busy it was, 2 minutes a cell',
		rank: 9,
		meaning: meaningOfUse,
		cell: ({observation: {useSpans}, now}) => percentBars(meanUse(useSpans, now)),
		sortKey: ({instance}) => instance.gpu_util ?? undefined,
	},
	{
		id: 'util',
		title: 'NOW',
		width: 4,
		about: 'how busy its GPUs are',
		rank: 5,
		cell: ({instance}) => wholePercent(instance.gpu_util),
		sortKey: ({instance}) => instance.gpu_util ?? undefined,
		align: 'right',
	},
	{
		id: 'ends',
		title: 'ENDS',
		width: 8,
		growth: [8, 10],
		about: 'when it ends by itself',
		rank: 6,
		meaning: endsMeaning,
		cell: endsText,
		sortKey: endsAtOf,
	},
	{
		id: 'who',
		title: 'KEPT BY',
		width: 8,
		set: 'normal',
		about: 'who has confirmed to keep its lease',
		rank: 7,
		meaning: whoMeaning,
		cell: whoText,
		sortKey: whoText,
	},
	{
		id: 'health',
		title: 'HLT',
		width: 3,
		set: 'normal',
		about: 'what h found there last',
		rank: 8,
		isFact: true,
		meaning: healthMeaning,
		...healthCell,
	},
	{
		id: 'note',
		title: 'NOTE',
		width: 15,
		growth: [15, 28, 40],
		set: 'normal',
		weight: 'quiet',
		about: 'why, what is usual, what is wasted',
		rank: 11,
		cell: conditionNote,
		sortKey: conditionNote,
	},
	{
		id: 'id',
		title: 'ID',
		width: ID_WIDTH,
		set: 'normal',
		weight: 'quiet',
		about: 'its number',
		rank: 10,
		cell: ({instance}) => String(instance.id),
		sortKey: ({instance}) => instance.id,
		align: 'right',
	},
	{
		id: 'ssh',
		title: 'SSH',
		width: 3,
		set: 'normal',
		weight: 'quiet',
		about: 'whether it answers by SSH',
		rank: 12,
		cell({observation: {sshAnsweredAt, sshSilentSince}}) {
			if (sshSilentSince !== undefined) return 'no';
			return sshAnsweredAt === undefined ? MISSING : 'ok';
		},
		sortKey: ({observation: {sshSilentSince}}) => sshSilentSince,
	},
	{
		id: 'age',
		title: 'AGE',
		width: 4,
		set: 'normal',
		weight: 'quiet',
		about: 'since when it is rented',
		rank: 13,
		isFact: true,
		cell: row => {
			const made = madeAt(row.instance, row.now);
			const text = duration((row.now - (made ?? row.observation.firstSeenAt)) / 1000);
			return made === undefined ? `>${text}` : text;
		},
		sortKey: ({instance, observation, now}) =>
			now - (madeAt(instance, now) ?? observation.firstSeenAt),
		best: 'high',
		align: 'right',
	},
	{
		id: 'host',
		title: 'HOST',
		width: 6,
		set: 'normal',
		weight: 'quiet',
		about: 'the number of its host',
		rank: 14,
		isFact: true,
		cell: ({instance}) => known(String)(instance.host_id),
		sortKey: ({instance}) => instance.host_id ?? undefined,
	},
	{
		id: 'image',
		title: 'IMAGE',
		width: 20,
		growth: [20, 28, 40],
		set: 'normal',
		weight: 'quiet',
		about: 'the image it runs',
		rank: 15,
		isFact: true,
		cell: ({instance}, width) => middle(width, printable(instance.image_uuid ?? '')),
		sortKey: ({instance}) => instance.image_uuid ?? undefined,
	},
	{
		id: 'cost',
		title: 'COST',
		width: 7,
		set: 'wide',
		about: 'its cost at most, without traffic',
		rank: 16,
		isFact: true,
		cell: row => money(costSoFar(row).atMost),
		sortKey: row => costSoFar(row).atMost,
		best: 'high',
		align: 'right',
	},
	{
		id: 'disk',
		title: 'DISK',
		width: 5,
		set: 'wide',
		weight: 'quiet',
		about: 'the size of its disk',
		rank: 17,
		isFact: true,
		cell: ({instance}) => wholeGigabytes(instance.disk_space),
		sortKey: ({instance}) => instance.disk_space ?? undefined,
		best: 'high',
		align: 'right',
	},
	{
		id: 'where',
		title: 'WHERE',
		width: 14,
		growth: [14, 20, 28],
		set: 'wide',
		weight: 'quiet',
		about: 'where it stands',
		rank: 18,
		isFact: true,
		cell: ({instance}, width) => middle(width, printable(instance.geolocation ?? '')),
		sortKey: ({instance}) => instance.geolocation ?? undefined,
	},
	{
		id: 'machine',
		title: 'MACHINE',
		width: 7,
		set: 'wide',
		weight: 'quiet',
		about: 'the number of its machine',
		rank: 19,
		isFact: true,
		cell: ({instance}) => known(String)(instance.machine_id),
		sortKey: ({instance}) => instance.machine_id ?? undefined,
	},
];
