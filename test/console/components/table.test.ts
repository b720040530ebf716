import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Column} from '../../../source/console/components/columns.ts';
import {fitColumns} from '../../../source/console/components/columns.ts';
import {cycleOrder, orderRows} from '../../../source/console/components/table-order.ts';
import {createTable} from '../../../source/console/components/table.ts';

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
	const table = createTable(columns, (row: Row) => row.id);
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
	fc.assert(property, {numRuns: 300});
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

test('ordering is best first, then reversed, then off', () => {
	const first = cycleOrder(undefined, 'price');
	const second = cycleOrder(first, 'price');
	expect(first).toEqual({columnId: 'price', isReversed: false});
	expect(second).toEqual({columnId: 'price', isReversed: true});
	expect(cycleOrder(second, 'price')).toBeUndefined();
	expect(cycleOrder(second, 'name')).toEqual({columnId: 'name', isReversed: false});
});

test('rows are ordered stably, with unknown values last in both directions', () => {
	const keys = fc.array(
		fc.option(fc.double({noNaN: true, noDefaultInfinity: true}), {nil: undefined}),
		{maxLength: 50},
	);
	const property = fc.property(keys, fc.boolean(), (prices, isReversed) => {
		const rows = prices.map((price, id) => ({id, price, name: ''}));
		const sign = isReversed ? -1 : 1;
		const expected = rows.toSorted((a, b) => {
			if (a.price === undefined || b.price === undefined) {
				return Number(a.price === undefined) - Number(b.price === undefined);
			}
			return (a.price - b.price) * sign;
		});
		expect(orderRows(rows, column('price'), isReversed).map(({id}) => id)).toEqual(
			expected.map(({id}) => id),
		);
	});
	fc.assert(property);
});

test('the largest number there is comes before an unknown one', () => {
	const rows = [undefined, -Number.MAX_VALUE].map((price, id) => ({id, price, name: ''}));
	expect(orderRows(rows, column('price'), true).map(({id}) => id)).toEqual([1, 0]);
});

test('words are ordered by the alphabet', () => {
	const rows = ['b', 'a', 'c'].map((name, id) => ({id, price: 0, name}));
	expect(
		orderRows(rows, column('name'), false)
			.map(({name}) => name)
			.join(''),
	).toBe('abc');
	expect(
		orderRows(rows, column('name'), true)
			.map(({name}) => name)
			.join(''),
	).toBe('cba');
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
