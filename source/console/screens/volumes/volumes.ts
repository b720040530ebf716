/** The lists of volumes and of volume space: their columns, and their keys. */
import type {ListTarget} from '../../list/list-target.ts';
import {HOURS_PER_MONTH} from '../../../contract/nouns/offer-cost.ts';
import type {Volume, VolumeOffer} from '../../../contract/nouns/volumes.ts';
import {
	decimals,
	wholeGigabytes,
	known,
	MISSING,
	money,
	percent,
} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {columnKeys, movements, refreshKey, refreshUnreadableTexts} from '../../list/bindings.ts';
import {type Column, leastColumn, textColumn} from '../../list/columns.ts';
import type {Bindings} from '../../ui/bindings.ts';

const text = known((value: string) => (value === '' ? MISSING : printable(value)));

/** The instances that have a volume, as far as the service says. */
export function mountedBy({instances}: Volume): readonly string[] {
	return (instances ?? []).map(one => printable(JSON.stringify(one) ?? MISSING));
}

/** Monthly price of a volume; undefined if it is not known. */
export function perMonth({storage_total_cost: perHour}: Volume | VolumeOffer): number | undefined {
	return typeof perHour === 'number' ? perHour * HOURS_PER_MONTH : undefined;
}

type Located = Pick<Volume & VolumeOffer, 'machine_id' | 'geolocation'>;

/** The machine and its location. */
const locationColumns = (rank: number): ReadonlyArray<Column<Located>> => [
	textColumn(['machine', 'MACHINE', 9, rank], placed => placed.machine_id, known(String)),
	textColumn(['geolocation', 'WHERE', 20, rank + 1], ({geolocation}) => geolocation, text),
];

const idColumn = textColumn(['id', 'ID', 9, 0], ({id}: Pick<Volume, 'id'>) => id, String);

type Sized = Pick<Volume & VolumeOffer, 'disk_space'>;
const sizeOf = ({disk_space: size}: Sized) => size;

export const volumeColumns: ReadonlyArray<Column<Volume>> = [
	idColumn,
	textColumn(['label', 'NAME', 16, 1], ({label}) => label, text),
	leastColumn(['disk_space', 'SIZE', 6, 2], sizeOf, wholeGigabytes),
	leastColumn(['month', '$/MONTH', 8, 3], perMonth, money),
	textColumn(['status', 'STATUS', 8, 4], ({status}) => status, text),
	{
		...textColumn(['mounted', 'MOUNTED BY', 16, 5], volume => mountedBy(volume).length, String),
		cell: volume => mountedBy(volume).join(' ') || MISSING,
	},
	...locationColumns(6),
];

export const volumeSpaceColumns: ReadonlyArray<Column<VolumeOffer>> = [
	idColumn,
	leastColumn(['month', '$/MONTH', 8, 1], perMonth, money),
	leastColumn(['disk_space', 'FREE', 7, 2], sizeOf, wholeGigabytes),
	leastColumn(['disk_bw', 'MB/S', 6, 3], offer => offer.disk_bw, decimals(0)),
	leastColumn(
		['reliability', 'REL%', 5, 4],
		({reliability, reliability2: other}) => reliability ?? other,
		percent,
	),
	...locationColumns(5),
];

export type VolumesTarget = {
	readonly create: () => void;
	/** Searches volume space for a clone of the volume under the cursor. */
	readonly clone: () => void;
	/** Reason why the volume cannot be cloned; undefined if it can. */
	readonly noClone: () => string | undefined;
	readonly remove: () => void;
	/** Reason why the volume under the cursor cannot be deleted; undefined if it can. */
	readonly noRemove: () => string | undefined;
	readonly copy: () => void;
	readonly missing: () => string | undefined;
	readonly refresh: () => void;
};

const rereadKey = refreshKey(refreshUnreadableTexts);

export const volumeListBindings: Bindings<ListTarget & VolumesTarget> = [
	{
		keys: ['n'],
		id: 'new-volume',
		title: 'new volume: look for room; it asks before it costs',
		hint: 'new',
		changesService: true,
		run: list => list.create(),
	},
	{
		keys: ['Y'],
		id: 'clone-the-volume',
		title: 'clone the volume: look for room; it asks before it costs',
		hint: 'clone',
		changesService: true,
		run: list => list.clone(),
		unavailable: list => list.noClone(),
	},
	{
		keys: ['x'],
		id: 'delete-volume',
		title: 'delete the volume and what is on it; it asks',
		hint: 'delete',
		isChange: true,
		changesService: true,
		run: list => list.remove(),
		unavailable: list => list.noRemove(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-its-number',
		title: 'copy its number',
		hint: 'copy',
		run: list => list.copy(),
		unavailable: list => list.missing(),
	},
	rereadKey,
	...movements,
	...columnKeys,
];

export type VolumeSpaceTarget = {
	readonly take: () => void;
	readonly missing: () => string | undefined;
	readonly search: () => void;
	readonly refresh: () => void;
	readonly close: () => void;
};

export const volumeSpaceBindings: Bindings<ListTarget & VolumeSpaceTarget> = [
	{
		keys: ['Enter', 'n'],
		id: 'review-volume',
		title: 'review a volume here; nothing is charged before y',
		hint: 'review',
		isChange: true,
		run: list => list.take(),
		unavailable: list => list.missing(),
	},
	{
		keys: ['/'],
		id: 'another-size',
		title: 'another size or place',
		hint: 'size and place',
		run: list => list.search(),
	},
	rereadKey,
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'back-to-volumes',
		title: 'back to the volumes',
		hint: 'back',
		run: list => list.close(),
	},
	...movements,
	...columnKeys,
];
