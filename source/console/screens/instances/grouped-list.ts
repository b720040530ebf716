/** The list of instances in groups: a row a group, and below one that is open a row an instance. */
import {stateSigns} from '../../../renter/instance/state-signs.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {troubleCount} from '../../../renter/fleet/fleet-texts.ts';
import {groupKey, groupRows, type FleetGroup} from '../../../renter/fleet/groups.ts';
import type {Grouping} from '../../../renter/settings/default-settings.ts';
import {hourly, MISSING, priceTag, wholePercent} from '../../../renter/text/format.ts';
import {gpuNameWithin} from '../../../renter/words/gpu-match.ts';
import {createStore} from '../../../renter/state/store.ts';
import {widthOf} from '../../../renter/text/text-width.ts';
import {type Column, leastColumn, mostColumn, textColumn} from '../../list/columns.ts';
import {createList} from '../../list/list.ts';
import {sortRows} from '../../list/order.ts';
import {ageOf, gpusWithin, meaningOf, instanceNameOf, conditionText} from './words.ts';

type GroupLine = {
	readonly id: number;
	readonly group: FleetGroup;
	readonly isOpen: boolean;
	readonly row?: undefined;
};

type InstanceLine = {
	readonly id: number;
	readonly row: FleetRow;
	readonly group?: undefined;
	readonly isOpen?: undefined;
};

export type FleetLine = GroupLine | InstanceLine;

/** Groups are folded until they are opened. */
export function createGroupedList() {
	const table = createList<FleetLine>(groupColumns, ({id}) => id);
	// The rows come in the order that keeps instances below their groups.
	table.orderElsewhere(() => true);
	const by = createStore<Grouping | undefined>(undefined);
	const open = createStore<ReadonlySet<string>>(new Set());
	const ids = new Map<string, number>();
	/** Groups have numbers that no instance has. */
	function idOf(key: string): number {
		const id = ids.get(key) ?? -1 - ids.size;
		ids.set(key, id);
		return id;
	}
	return {
		table,
		by,
		open,
		/** The instances that keys act on: those of the marked rows, else those of the row with the cursor. */
		chosen: (): readonly FleetRow[] => [
			...new Set(table.chosen().flatMap(({row, group}) => row ?? group.rows)),
		],
		current: (): FleetRow | undefined => table.current()?.row,
		toggle(key: string) {
			const keys = new Set(open.get());
			if (!keys.delete(key)) keys.add(key);
			open.set(keys);
		},
		group(next: Grouping | undefined) {
			open.set(new Set());
			table.markNone();
			by.set(next);
		},
		lines(rows: readonly FleetRow[], service: string): readonly FleetLine[] {
			const grouping = by.get();
			if (grouping === undefined) return [];
			const groups = groupRows(rows, row => groupKey(row, grouping, service));
			const heads = groups.map(group => {
				return {id: idOf(`${grouping} ${group.key}`), group, isOpen: open.get().has(group.key)};
			});
			const {order} = table.view.get();
			return sortRows(heads, groupColumns, order).flatMap(head => {
				if (!head.isOpen) return [head];
				const own = head.group.rows.map(row => ({id: row.instance.id, row}));
				return [head, ...sortRows(own, groupColumns, order)];
			});
		},
	};
}

/** The instances of some rows, folded groups included. */
export function instanceRowsIn(lines: readonly FleetLine[]): readonly FleetRow[] {
	return lines.flatMap(line => line.row ?? (line.isOpen ? [] : line.group.rows));
}

/** A figure of a line: the instance's, or its group's. */
const ofEither =
	<Value>(ofRow: (row: FleetRow) => Value, ofGroup: (group: FleetGroup) => Value) =>
	({row, group}: FleetLine) =>
		row === undefined ? ofGroup(group) : ofRow(row);

/** Columns of groups and of the instances below them, the most important first. */
export const groupColumns: ReadonlyArray<Column<FleetLine>> = [
	{
		...textColumn(
			['name', 'GROUP', 16, 0],
			ofEither(
				({instance}) => instanceNameOf(instance),
				({key}) => key,
			),
			String,
		),
		growth: [24, 40],
		cell: ({row, group, isOpen}) =>
			row === undefined
				? `${isOpen ? '-' : '+'} ${nameOfGroup(group)}`
				: `  ${instanceNameOf(row.instance)}`,
	},
	mostColumn(
		['count', 'N', 5, 1],
		({group}: FleetLine) => group?.rows.length,
		length => String(length ?? ''),
	),
	{
		...textColumn(
			['state', 'STATE', 16, 2],
			ofEither<string | number>(conditionText, ({troubles}) => -troubleCount(troubles)),
			String,
		),
		growth: [16, 24],
		cell: ({row, group}, width) =>
			row === undefined ? stateOfGroup(group, width) : conditionText(row),
		meaning: ({row, group}) => {
			if (row !== undefined) return meaningOf(row);
			const [worst] = group.rows.filter(
				({condition}) => troubleCount(group.troubles) === 0 || condition in group.troubles,
			);
			return worst === undefined ? 'plain' : meaningOf(worst);
		},
	},
	rateColumn(['price', '$/H', 7, 3], 'now'),
	rateColumn(['max', 'AT MOST', 8, 4], 'atMost'),
	leastColumn(
		['util', 'UTIL', 4, 5],
		ofEither(
			({instance}) => instance.gpu_util,
			({use}) => use,
		),
		wholePercent,
	),
	{
		...textColumn(
			['gpu', 'GPU', 12, 6],
			({row, group}: FleetLine) => (row ?? group.rows[0])?.instance.gpu_name,
			String,
		),
		growth: [18],
		cell: ({row, group}, width) =>
			row === undefined ? gpusOfGroup(group, width) : gpusWithin(width, row.instance),
	},
	{
		...leastColumn(
			['for', 'FOR', 6, 7],
			({row}: FleetLine) => row?.observation.firstSeenAt,
			String,
		),
		cell: ({row}) => (row === undefined ? '' : ageOf(row)),
	},
];

function rateColumn(
	sketch: Parameters<typeof mostColumn>[0],
	which: 'now' | 'atMost',
): Column<FleetLine> {
	return {
		...mostColumn(
			sketch,
			ofEither(
				({rate}) => rate[which],
				group => group[which],
			),
			String,
		),
		cell: ofEither(
			({rate}) => priceTag(rate[which]),
			group => sumText(group, which),
		),
	};
}

export function nameOfGroup({key}: FleetGroup): string {
	return key === '' ? '(none)' : key;
}

/** "✖ 2 stuck 1 dead", or "✖ 4 in trouble" where that does not fit, or how many run. */
export function stateOfGroup({troubles, running, rows}: FleetGroup, width: number): string {
	const count = troubleCount(troubles);
	const {sign} = stateSigns.running;
	if (count === 0) return running === 0 ? 'none runs' : `${sign} ${running} of ${rows.length} run`;
	const kinds = troubleKinds.filter(kind => troubles[kind] > 0);
	const words = kinds.map(kind => `${troubles[kind]} ${stateSigns[kind].word}`);
	const text = `${stateSigns.dead.sign} ${words.join(' ')}`;
	return widthOf(text) <= width ? text : `${stateSigns.dead.sign} ${count} in trouble`;
}

const troubleKinds = ['undead', 'stuck', 'dead'] as const;

/** A sum, with a plus where the price of some is not known. */
export function sumText(group: FleetGroup, which: 'now' | 'atMost'): string {
	return `${hourly(group[which])}${group.unpriced === 0 ? '' : '+'}`;
}

function gpusOfGroup({rows}: FleetGroup, width: number): string {
	const names = new Set(rows.map(({instance}) => instance.gpu_name ?? undefined));
	const [name] = names;
	if (names.size !== 1) return `${names.size} kinds`;
	return name === undefined ? MISSING : gpuNameWithin(name, width);
}
