import type {Column} from '../../components/columns.ts';
import {countedFrom} from '../../fleet/condition.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {known, MISSING} from '../../format.ts';
import {fitMiddle, printable} from '../../terminal/output/text-width.ts';
import {noteOf} from './notes.ts';
import {rateText} from './prices.ts';
import {sparkline} from './sparkline.ts';
import {ageOf, gpusOf, gpusWithin, labelOf, shortGpus, shortState, stateOf} from './words.ts';

export type FleetColumn = Column<FleetRow>;

/** How many looks the column of use shows. */
const SPARKS = 12;

const share = known((value: number) => `${Math.round(value)}%`);
const middle = (width: number, text: string) => (text === '' ? MISSING : fitMiddle(text, width));

type Cell = Pick<FleetColumn, 'cell' | 'sortKey'> & {readonly best?: 'low' | 'high'};

function column(
	id: string,
	title: string,
	width: number,
	{cell, sortKey, best = 'low'}: Cell,
): FleetColumn {
	const isNumber = rightAligned.has(id);
	return {id, title, width, align: isNumber ? 'right' : 'left', rank: 0, cell, sortKey, best};
}

const rightAligned = new Set(['id', 'for', 'price', 'util']);

const id: Cell = {cell: ({instance}) => String(instance.id), sortKey: ({instance}) => instance.id};
const label = (width: number): Cell => ({
	cell: ({instance}) => middle(width, labelOf(instance)),
	sortKey: ({instance}) => labelOf(instance),
});
const gpu = (width: number, write: typeof gpusOf): Cell => ({
	cell: ({instance}) => fitMiddle(write(instance), width).trimEnd(),
	sortKey: ({instance}) => instance.gpu_name ?? undefined,
});
const state = (write: typeof stateOf): Cell => ({cell: write, sortKey: write});
const age: Cell = {cell: ageOf, sortKey: ({seen, now}) => now - countedFrom(seen), best: 'high'};
const price: Cell = {
	cell: ({rate}) => rateText(rate),
	sortKey: ({rate}) => rate.atMost,
	best: 'high',
};
const util: Cell = {
	cell: ({instance}) => share(instance.gpu_util),
	sortKey: ({instance}) => instance.gpu_util ?? undefined,
};
const ssh: Cell = {
	cell: ({seen: {sshAnsweredAt, sshSilentSince}}) => {
		if (sshSilentSince !== undefined) return 'no';
		return sshAnsweredAt === undefined ? MISSING : 'ok';
	},
	sortKey: ({seen: {sshSilentSince}}) => sshSilentSince,
};
const note: Cell = {cell: noteOf, sortKey: noteOf};
const use: Cell = {
	cell: ({seen}) => sparkline(seen.use.slice(-SPARKS)),
	sortKey: ({instance}) => instance.gpu_util ?? undefined,
};
const image = (width: number): Cell => ({
	cell: ({instance}) => middle(width, printable(instance.image_uuid ?? '')),
	sortKey: ({instance}) => instance.image_uuid ?? undefined,
});
const host: Cell = {
	cell: ({instance}) => known(String)(instance.host_id),
	sortKey: ({instance}) => instance.host_id ?? undefined,
};

/** The columns for a width, the blanks between them included. */
export function instanceColumns(width: number): readonly FleetColumn[] {
	if (width < 78) return narrow(width);
	const isWide = width >= 90;
	const gpuWidth = isWide ? 13 : 11;
	const columns = [
		column('id', 'ID', 8, id),
		column('label', 'LABEL', isWide ? 12 : 8, label(isWide ? 12 : 8)),
		column(
			'gpu',
			'GPU',
			gpuWidth,
			gpu(gpuWidth, row => gpusWithin(gpuWidth, row)),
		),
		column('state', 'STATE', 15, state(stateOf)),
		column('for', 'FOR', 6, age),
		column('price', '$/H', 5, price),
		column('util', 'UTIL', 4, util),
		column('ssh', 'SSH', 3, ssh),
	];
	const rest = width - widthOf(columns) - 1;
	return [...columns, ...further(rest)];
}

/** What else there is room for, the note as wide as possible. */
function further(room: number): readonly FleetColumn[] {
	const columns = [
		...(room >= 50
			? [column('image', 'IMAGE', 20, image(20)), column('host', 'HOST', 6, host)]
			: []),
		...(room >= 22 ? [column('use', 'USE', SPARKS, use)] : []),
	];
	const taken = columns.reduce((sum, {width}) => sum + width + 1, 0);
	return [...columns, column('note', 'NOTE', Math.max(4, Math.min(40, room - taken)), note)];
}

function narrow(width: number): readonly FleetColumn[] {
	const columns = [
		column('gpu', 'GPU', 8, gpu(8, shortGpus)),
		column('state', 'STATE', 7, state(shortState)),
		column('for', 'FOR', 5, age),
		column('price', '$/H', 5, price),
		column('util', 'UTIL', 4, util),
	];
	const room = Math.min(20, width - widthOf(columns) - 1);
	return [column('label', 'LABEL', room, nameOrNumber(room)), ...columns];
}

function nameOrNumber(width: number): Cell {
	const {cell, sortKey} = label(width);
	return {
		cell: row => (labelOf(row.instance) === '' ? String(row.instance.id) : cell(row)),
		sortKey,
	};
}

function widthOf(columns: readonly FleetColumn[]): number {
	return columns.reduce((sum, {width}) => sum + width, columns.length - 1);
}
