import {HOURS_PER_MONTH} from '../../../contract/grammar/units.ts';
import type {Volume, VolumeOffer} from '../../../contract/nouns/volumes.ts';
import type {Column} from '../../list/columns.ts';
import {decimals, gigabytes, known, MISSING, money, percent} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';

type Sketch<Row> = Pick<Column<Row>, 'id' | 'title' | 'width' | 'rank' | 'cell' | 'sortKey'>;

const left = <Row>(sketch: Sketch<Row>): Column<Row> => ({align: 'left', best: 'low', ...sketch});
const right = <Row>(sketch: Sketch<Row>): Column<Row> => ({align: 'right', best: 'low', ...sketch});

const text = known((value: string) => (value === '' ? MISSING : printable(value)));

/** The instances that have a volume, as far as the service says it. */
export function mountedBy({instances}: Volume): readonly string[] {
	return (instances ?? []).map(one => printable(JSON.stringify(one) ?? MISSING));
}

/** Monthly price of a volume; undefined where it is not known. */
export function perMonth({storage_total_cost: perHour}: Volume | VolumeOffer): number | undefined {
	return typeof perHour === 'number' ? perHour * HOURS_PER_MONTH : undefined;
}

type Placed = Pick<Volume & VolumeOffer, 'machine_id' | 'geolocation'>;

/** The machine, and where that is. */
const placeColumns = (rank: number): ReadonlyArray<Column<Placed>> => [
	left({
		id: 'machine',
		title: 'MACHINE',
		width: 9,
		rank,
		cell: ({machine_id: machine}) => known(String)(machine),
		sortKey: ({machine_id: machine}) => machine ?? undefined,
	}),
	left({
		id: 'geolocation',
		title: 'WHERE',
		width: 20,
		rank: rank + 1,
		cell: ({geolocation}) => text(geolocation),
		sortKey: ({geolocation}) => geolocation ?? undefined,
	}),
];

const idColumn: Column<Pick<Volume & VolumeOffer, 'id'>> = left({
	id: 'id',
	title: 'ID',
	width: 9,
	rank: 0,
	cell: ({id}) => String(id),
	sortKey: ({id}) => id,
});

const monthColumn = (rank: number): Column<Volume | VolumeOffer> =>
	right({
		id: 'month',
		title: '$/MONTH',
		width: 8,
		rank,
		cell: costs => money(perMonth(costs)),
		sortKey: perMonth,
	});

/** Columns of the list of volumes. */
export const volumeColumns: ReadonlyArray<Column<Volume>> = [
	idColumn,
	left({
		id: 'label',
		title: 'NAME',
		width: 16,
		rank: 1,
		cell: ({label}) => text(label),
		sortKey: ({label}) => label ?? undefined,
	}),
	right({
		id: 'disk_space',
		title: 'SIZE',
		width: 6,
		rank: 2,
		cell: volume => gigabytes(volume.disk_space),
		sortKey: volume => volume.disk_space ?? undefined,
	}),
	monthColumn(3),
	left({
		id: 'status',
		title: 'STATUS',
		width: 8,
		rank: 4,
		cell: ({status}) => text(status),
		sortKey: ({status}) => status ?? undefined,
	}),
	left({
		id: 'mounted',
		title: 'MOUNTED BY',
		width: 16,
		rank: 5,
		cell: volume => mountedBy(volume).join(' ') || MISSING,
		sortKey: volume => mountedBy(volume).length,
	}),
	...placeColumns(6),
];

/** Columns of the room for volumes. */
export const roomColumns: ReadonlyArray<Column<VolumeOffer>> = [
	idColumn,
	monthColumn(1),
	right({
		id: 'disk_space',
		title: 'FREE',
		width: 7,
		rank: 2,
		cell: offer => gigabytes(offer.disk_space),
		sortKey: offer => offer.disk_space ?? undefined,
	}),
	right({
		id: 'disk_bw',
		title: 'MB/S',
		width: 6,
		rank: 3,
		cell: offer => decimals(0)(offer.disk_bw),
		sortKey: offer => offer.disk_bw ?? undefined,
	}),
	right({
		id: 'reliability',
		title: 'REL%',
		width: 5,
		rank: 4,
		cell: ({reliability, reliability2: other}) => percent(reliability ?? other),
		sortKey: ({reliability, reliability2: other}) => reliability ?? other ?? undefined,
	}),
	...placeColumns(5),
];
