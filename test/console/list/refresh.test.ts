import {stripVTControlCharacters} from 'node:util';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Column} from '../../../source/console/list/columns.ts';
import {listHeading, listLines, positionRule} from '../../../source/console/list/lines.ts';
import {createList} from '../../../source/console/list/list.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';
import {runs} from '../../helpers/property.ts';

type Row = {readonly id: number; readonly price: number};

function column(id: keyof Row): Column<Row> {
	return {
		id,
		title: id,
		width: 7,
		align: 'right',
		rank: 0,
		best: 'low',
		cell: row => String(row[id]),
		sortKey: row => row[id],
	};
}

const columns = [column('id'), column('price')];
const theme = createTheme({NO_COLOR: '1'}, {glyphs: 'ascii'});
const rowsOf = (...ids: readonly number[]): readonly Row[] => ids.map(id => ({id, price: id}));

function tableOf(...ids: readonly number[]) {
	const table = createList(columns, (row: Row) => row.id);
	table.resize(8);
	table.load(rowsOf(...ids));
	return table;
}

type TestTable = ReturnType<typeof tableOf>;

const shownIds = (table: TestTable) => table.state.get().shown.map(({id}) => id);
const drawn = (table: TestTable) =>
	listLines(table, columns, theme).get().map(stripVTControlCharacters);
const rule = (table: TestTable, width = 60) =>
	stripVTControlCharacters(positionRule(table, theme, width).get().join(''));

test('a row must be missing twice before it goes, and is shown as gone until then', () => {
	const table = tableOf(1, 2, 3);
	table.refresh(rowsOf(1, 3));
	expect(drawn(table)).toEqual(['>       1       1', '        2    gone', '        3       3']);
	expect(table.position()).toBe('1 of 3, 1 gone');
	table.refresh(rowsOf(1, 3));
	expect(shownIds(table)).toEqual([1, 3]);
	expect(table.position()).toBe('1 of 2');
});

const free = ({id}: Row) => ({id, price: 0});

test('rows of which all are sent go at once, and a marked or held one stands as what it is', () => {
	const watched = {
		isOver: () => false,
		changedAt: () => undefined,
		isGone: () => false,
		ended: free,
	};
	const table = createList(columns, (row: Row) => row.id, {watched});
	table.resize(8);
	table.load(rowsOf(1, 2, 3, 4));
	table.moveTo(2);
	table.mark();
	table.refresh(rowsOf(1, 4));
	expect(table.state.get().rows).toEqual([rowsOf(1)[0], {id: 3, price: 0}, rowsOf(4)[0]]);
	expect(table.position()).toBe('2 of 2');
	table.refresh(rowsOf(4), true);
	expect(table.state.get().shown.map(({price}) => price)).toEqual([0, 0, 4]);
});

test('a row that was missing once and is there again is an ordinary row', () => {
	const table = tableOf(1, 2, 3);
	table.refresh(rowsOf(1, 3));
	table.refresh(rowsOf(1, 2, 3));
	table.refresh(rowsOf(1, 3));
	expect(shownIds(table)).toEqual([1, 2, 3]);
});

test('while it is held rows get new values but none comes, goes or moves', () => {
	const table = tableOf(1, 2, 3, 4);
	table.pick(1, columns);
	table.pick(1, columns);
	table.order();
	const sent = [
		{id: 4, price: 0},
		{id: 1, price: 10},
		{id: 3, price: 3},
		{id: 9, price: 9},
	];
	table.refresh(sent, true);
	expect(drawn(table)).toEqual([
		'>       1      10',
		'        2    gone',
		'        3       3',
		'        4       0',
	]);
	expect(rule(table)).toBe('- new 1, gone 1, moved 2 - R applies --------------- 1 of 4 ');
	table.apply();
	expect(shownIds(table)).toEqual([4, 2, 3, 9, 1]);
	expect(rule(table)).toMatch(/^-+ 5 of 5, 1 gone $/);
});

test('what was held back goes with the next refresh that is not held', () => {
	const table = tableOf(1, 2);
	table.refresh(rowsOf(2, 1, 3), true);
	table.refresh(rowsOf(3, 2, 1));
	expect(shownIds(table)).toEqual([3, 2, 1]);
	expect(table.state.get().waiting).toBeUndefined();
});

test('a row missing from several held refreshes is gone when they are applied', () => {
	const table = tableOf(1, 2, 3);
	table.refresh(rowsOf(1, 3), true);
	table.refresh([...rowsOf(1, 3)], true);
	expect(shownIds(table)).toEqual([1, 2, 3]);
	table.apply();
	expect(shownIds(table)).toEqual([1, 3]);
});

test('a marked row that is gone stays to be seen until its mark is taken away', () => {
	const table = tableOf(1, 2, 3);
	table.move('down');
	table.mark();
	for (let time = 0; time < 4; time++) table.refresh(rowsOf(1, 3));
	expect(drawn(table)[1]).toBe(' +      2    gone');
	expect(table.selected()).toEqual([]);
	expect(rule(table)).toContain('0 marked, 1 gone');
	expect(table.apply()).toBe(1);
	table.refresh(rowsOf(1, 3));
	expect(shownIds(table)).toEqual([1, 3]);
});

test('marks stay with their ids when rows move, and are lost with a count when others come', () => {
	const table = tableOf(1, 2, 3);
	table.mark();
	table.move('last');
	table.mark();
	table.refresh(rowsOf(3, 2, 1));
	expect(table.selected().map(({id}) => id)).toEqual([3, 1]);
	expect(table.load(rowsOf(3, 7))).toBe(1);
	expect(table.selected().map(({id}) => id)).toEqual([3]);
});

test('a range reaches from where it was begun to the cursor, and is marked by the same key', () => {
	const table = tableOf(1, 2, 3, 4, 5);
	table.move('down');
	table.markRange();
	table.move('down');
	table.move('down');
	expect(table.selected().map(({id}) => id)).toEqual([2, 3, 4]);
	table.move('up');
	table.markRange();
	table.move('last');
	expect(table.selected().map(({id}) => id)).toEqual([2, 3]);
	table.markNone();
	expect(table.hasSelection()).toBe(false);
});

test('no row moves under a range that is being marked', () => {
	const table = tableOf(1, 2, 3);
	table.markRange();
	table.refresh(rowsOf(3, 2, 1));
	expect(shownIds(table)).toEqual([1, 2, 3]);
});

test('the order of several columns is told with rank and direction', () => {
	const table = tableOf(1, 2);
	table.pick(1, columns);
	table.order();
	table.pick(1, columns);
	table.alsoOrder();
	table.alsoOrder();
	const [heading = ''] = listHeading(table, columns, theme).get();
	expect(stripVTControlCharacters(heading)).toBe('      id^1pricev2');
});

test('rows that the service orders stay as it sent them', () => {
	const table = tableOf(3, 1, 2);
	table.orderElsewhere(() => true);
	table.pick(1, columns);
	table.order();
	expect(shownIds(table)).toEqual([3, 1, 2]);
	table.orderElsewhere(() => false);
	expect(shownIds(table)).toEqual([1, 2, 3]);
});

test('cursor, marks and window hold through refreshes that insert, delete and reorder', () => {
	const lists = fc.array(
		fc.record({
			ids: fc.uniqueArray(fc.nat(60), {maxLength: 40}),
			isHeld: fc.boolean(),
			isReversed: fc.boolean(),
			move: fc.constantFrom('none', 'down', 'up', 'pageDown', 'mark', 'order', 'apply'),
		}),
		{minLength: 1, maxLength: 50},
	);
	const property = fc.property(lists, refreshes => {
		const table = tableOf(...Array.from({length: 40}).keys());
		for (const {ids, isHeld, isReversed, move} of refreshes) {
			if (move === 'mark') table.mark();
			else if (move === 'apply') table.apply();
			else if (move === 'order') {
				table.pick(1, columns);
				table.order();
			} else if (move !== 'none') table.move(move);
			const before = table.current()?.id;
			const marked = [...table.state.get().selected];
			const shown = shownIds(table);
			table.refresh(
				ids.map(id => ({id, price: isReversed ? -id : id})),
				isHeld,
			);
			const {top, height, cursor, missing} = table.state.get();
			if (before !== undefined && ids.includes(before)) expect(table.current()?.id).toBe(before);
			if (isHeld) expect(shownIds(table)).toEqual(shown);
			else {
				const present = shownIds(table).filter(id => !missing.has(id));
				expect(new Set(present)).toEqual(new Set(ids));
			}
			const expected = marked.filter(id => ids.includes(id));
			expect(new Set(table.selected().map(({id}) => id))).toEqual(new Set(expected));
			expect(cursor >= top && cursor < top + height).toBe(true);
		}
	});
	fc.assert(property, {numRuns: runs(100)});
});

test('the cursor stays on its row through a thousand refreshes, whatever comes, goes and moves', () => {
	const refresh = fc.record({
		others: fc.uniqueArray(fc.nat(60), {maxLength: 60}),
		prices: fc.array(fc.nat(9), {minLength: 61, maxLength: 61}),
		isHeld: fc.boolean(),
	});
	const property = fc.property(
		fc.array(refresh, {minLength: 1000, maxLength: 1000}),
		fc.nat(60),
		(refreshes, id) => {
			const table = tableOf(...Array.from({length: 61}).keys());
			table.pick(1, columns);
			table.pick(1, columns);
			table.order();
			for (let step = 0; step < id; step++) table.move('down');
			for (const {others, prices, isHeld} of refreshes) {
				const ids = [...new Set([...others, id])];
				table.refresh(
					ids.map(other => ({id: other, price: prices[other] ?? 0})),
					isHeld,
				);
				expect(table.current()?.id).toBe(id);
				const {top, height, cursor} = table.state.get();
				expect(cursor >= top && cursor < top + height).toBe(true);
			}
		},
	);
	fc.assert(property, {numRuns: runs(3), endOnFailure: true});
});

test('while it is held no row moves, also where another answer comes, and its action is on what was shown', () => {
	const table = tableOf(1, 2, 3);
	const hold = table.hold();
	table.load(rowsOf(4, 3));
	table.move('first');
	expect(shownIds(table)).toEqual([1, 2, 3]);
	expect(table.current()?.id).toBe(1);
	hold.end();
	expect(table.current()?.id).toBe(1);
	hold.catchUp();
	expect(shownIds(table)).toEqual([4, 3]);
});

test('what is refreshed while it is held moves with the next refresh, and an empty list takes its first rows', () => {
	const table = tableOf(1, 2);
	const hold = table.hold();
	table.refresh(rowsOf(3, 1, 2));
	expect(table.current()?.id).toBe(1);
	hold.end();
	hold.catchUp();
	expect(shownIds(table)).toEqual([1, 2]);
	table.refresh(rowsOf(3, 1, 2));
	expect(shownIds(table)).toEqual([3, 1, 2]);
	const empty = tableOf();
	empty.hold();
	empty.load(rowsOf(1));
	expect(shownIds(empty)).toEqual([1]);
});
