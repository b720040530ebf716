import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Column} from '../../../source/console/list/columns.ts';
import {fitColumns} from '../../../source/console/list/columns.ts';
import {cycleOrder, extendOrder, sortRows} from '../../../source/console/list/order.ts';
import {createList} from '../../../source/console/list/list.ts';
import {runs} from '../../helpers/property.ts';

type Row = {readonly id: number; readonly price: number | undefined; readonly name: string};

function column(id: keyof Row, more: Partial<Column<Row>> = {}): Column<Row> {
	return {
		id,
		title: id,
		width: 6,
		align: 'left',
		rank: 0,
		best: 'low',
		cell: row => String(row[id]),
		sortKey: row => row[id],
		...more,
	};
}

const columns = [column('id'), column('price'), column('name')];

function tableOf(ids: readonly number[], height = 5) {
	const table = createList(columns, (row: Row) => row.id);
	table.resize(height);
	table.load(ids.map(id => ({id, price: id, name: ''})));
	return table;
}

test('movements go as far as they say and stop at the ends', () => {
	const table = tableOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	const moves = [
		['down', 2],
		['pageDown', 7],
		['halfDown', 10],
		['down', 10],
		['up', 9],
		['first', 1],
		['up', 1],
		['last', 10],
		['pageUp', 5],
		['halfUp', 2],
	] as const;
	for (const [movement, id] of moves) {
		table.move(movement);
		expect([movement, table.current()?.id]).toEqual([movement, id]);
	}
});

test('the cursor stays on its id, and in view, through random refreshes', () => {
	const lists = fc.array(fc.uniqueArray(fc.nat(60), {maxLength: 40}), {
		minLength: 1,
		maxLength: 30,
	});
	const property = fc.property(lists, fc.nat(12), fc.nat(30), (refreshes, height, steps) => {
		const table = tableOf([...Array.from({length: 50}).keys()], height + 1);
		for (let step = 0; step < steps; step++) table.move('down');
		for (const ids of refreshes) {
			const before = table.current()?.id;
			table.load(ids.map(id => ({id, price: 0, name: ''})));
			const {top, shown, cursor: position, height: rows} = table.state.get();
			if (before !== undefined && ids.includes(before)) expect(table.current()?.id).toBe(before);
			if (ids.length > 0) expect(table.current()).toBeDefined();
			expect(position >= top && position < top + rows).toBe(true);
			expect(top).toBeLessThanOrEqual(Math.max(0, shown.length - rows));
		}
	});
	fc.assert(property, {numRuns: runs(300)});
});

test('a cursor whose row is gone goes to the row that took its place, else to the last', () => {
	const table = tableOf([1, 2, 3, 4]);
	table.move('down');
	table.load([
		{id: 1, price: 1, name: ''},
		{id: 3, price: 1, name: ''},
		{id: 4, price: 1, name: ''},
	]);
	expect(table.current()?.id).toBe(3);
	table.move('last');
	table.load([{id: 1, price: 1, name: ''}]);
	expect(table.current()?.id).toBe(1);
});

const best = (columnId: string) => ({columnId, isReversed: false});
const reversed = (columnId: string) => ({columnId, isReversed: true});

test('ordering is best first, then reversed, then off, and another column takes its place', () => {
	const first = cycleOrder([], 'price');
	const second = cycleOrder(first, 'price');
	expect(first).toEqual([best('price')]);
	expect(second).toEqual([reversed('price')]);
	expect(cycleOrder(second, 'price')).toEqual([]);
	expect(cycleOrder(second, 'name')).toEqual([best('name')]);
});

test('a column that is added decides last, is reversed in its place, and leaves the others alone', () => {
	const both = extendOrder([best('price')], 'name');
	expect(both).toEqual([best('price'), best('name')]);
	expect(extendOrder(both, 'price')).toEqual([reversed('price'), best('name')]);
	expect(extendOrder([reversed('price'), best('name')], 'price')).toEqual([best('name')]);
});

const someRows = fc
	.array(
		fc.record({
			price: fc.option(fc.integer({min: -3, max: 3}), {nil: undefined}),
			name: fc.constantFrom('a', 'b', 'B', 'c', ''),
		}),
		{maxLength: 60},
	)
	.map(rows => rows.map((row, id) => ({id, ...row})));

test('rows are ordered by one column after the other, stably, with unknown values last both ways', () => {
	const property = fc.property(someRows, fc.boolean(), fc.boolean(), (rows, byHigh, byEnd) => {
		const order = [
			{columnId: 'price', isReversed: byHigh},
			{columnId: 'name', isReversed: byEnd},
		];
		const expected = rows.toSorted((a, b) => {
			if (a.price !== b.price) {
				if (a.price === undefined) return 1;
				if (b.price === undefined) return -1;
				return (a.price - b.price) * (byHigh ? -1 : 1);
			}
			if (a.name === b.name) return a.id - b.id;
			return (a.name < b.name ? -1 : 1) * (byEnd ? -1 : 1);
		});
		expect(sortRows(rows, columns, order)).toEqual(expected);
	});
	fc.assert(property);
});

test('the largest number there is comes before an unknown one', () => {
	const rows = [undefined, -Number.MAX_VALUE].map((price, id) => ({id, price, name: ''}));
	expect(sortRows(rows, columns, [reversed('price')]).map(({id}) => id)).toEqual([1, 0]);
});

test('ordering by hand brings the cursor to the best row', () => {
	const table = tableOf([3, 1, 2]);
	table.move('down');
	table.pick(1, columns);
	table.order();
	expect(table.current()?.id).toBe(1);
	table.order();
	expect(table.current()?.id).toBe(3);
});

test('columns of high rank are dropped first, and those that stay keep their order', () => {
	const ranked = [column('id', {rank: 2}), column('price', {rank: 0}), column('name', {rank: 1})];
	expect(fitColumns(ranked, 20).map(({id}) => id)).toEqual(['id', 'price', 'name']);
	expect(fitColumns(ranked, 13).map(({id}) => id)).toEqual(['price', 'name']);
	expect(fitColumns(ranked, 12).map(({id}) => id)).toEqual(['price']);
});

test('room that is left goes to the important columns first, as far as they can use it', () => {
	const growing = [
		column('id', {rank: 2}),
		column('price', {rank: 1, growth: [12]}),
		column('name', {rank: 0, growth: [12, 30]}),
	];
	const widths = (room: number) => fitColumns(growing, room).map(({width}) => width);
	const usual = widths(growing.reduce((sum, {width}) => sum + width + 1, -1));
	expect(usual).toEqual(growing.map(({width}) => width));
	const wide = widths(200);
	expect(wide).toEqual([usual[0], 12, 30]);
	for (let room = 3; room < 60; room++) {
		const used = widths(room).reduce((sum, width) => sum + width + 1, -1);
		expect(used).toBeLessThanOrEqual(room);
	}
});

const manyRows = (from: number): readonly Row[] =>
	Array.from({length: 1200}, (_, at) => ({id: from + at, price: at, name: ''}));

test('a refresh of many rows reads no key again where it was prepared', async () => {
	let read = 0;
	const counting = columns.map(one => ({...one, sortKey: ({id}: Row) => (read++, -id)}));
	const open = () => {
		const table = createList(counting, (row: Row) => row.id);
		table.load(manyRows(0));
		table.pick(1, counting);
		table.order();
		return table;
	};
	const [prepared, other] = [open(), open()];
	const changes = ['none', 'move', 'mark', 'order'] as const;
	for (const [round, change] of changes.entries()) {
		for (const isHeld of [true, false]) {
			const sent = manyRows(10 * round);
			await prepared.prepare(sent, isHeld);
			for (const table of [prepared, other]) {
				if (change === 'move') table.move('down');
				if (change === 'mark') table.mark();
				if (change === 'order') table.order();
			}
			const before = read;
			prepared.refresh(sent, isHeld);
			if (change === 'none' || change === 'move') expect(read).toBe(before);
			other.refresh(sent, isHeld);
			expect(prepared.state.get()).toEqual(other.state.get());
		}
	}
});
