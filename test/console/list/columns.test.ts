import {expect, test} from 'vitest';
import {
	type Column,
	fitColumns,
	arranged,
	chosenColumns,
	isVisible,
	moveColumn,
	nextSet,
	toggleColumn,
	unsentColumns,
	usualChoice,
	widenColumn,
} from '../../../source/console/list/columns.ts';

type Row = {readonly [id: string]: number | undefined};

function column(id: string, rank: number, set?: Column<Row>['set']): Column<Row> {
	return {
		id,
		title: id,
		width: 5,
		align: 'left',
		rank,
		best: 'low',
		cell: () => '',
		sortKey: row => row[id],
		...(set !== undefined && {set}),
	};
}

const columns = [column('a', 0), column('b', 1, 'normal'), column('c', 2, 'wide')];
const ids = (shown: ReadonlyArray<Column<Row>>) => shown.map(({id}) => id).join('');

test('each set has what the ones before it have, and they come in turn', () => {
	const compact = nextSet(nextSet(usualChoice));
	expect(ids(chosenColumns(columns, compact))).toBe('a');
	expect(ids(chosenColumns(columns, nextSet(compact)))).toBe('ab');
	expect(ids(chosenColumns(columns, nextSet(usualChoice)))).toBe('abc');
});

test('a column that was asked for is in every set, and the last to be dropped', () => {
	const [a, , c] = columns;
	if (a === undefined || c === undefined) throw new Error('there are three');
	const choice = toggleColumn(c, usualChoice);
	expect(ids(chosenColumns(columns, choice))).toBe('abc');
	expect(ids(fitColumns(chosenColumns(columns, choice), 11))).toBe('ac');
	expect(toggleColumn(c, choice)).toEqual(usualChoice);
	const hidden = toggleColumn(a, choice);
	expect(isVisible(a, hidden)).toBe(false);
	expect(ids(chosenColumns(columns, hidden))).toBe('bc');
});

test('what the filter or the order is about is shown, whatever was chosen', () => {
	const [a] = columns;
	if (a === undefined) throw new Error('there are three');
	const shown = chosenColumns(columns, toggleColumn(a, usualChoice), new Set(['a', 'c']));
	expect(ids(shown)).toBe('abc');
	expect(ids(fitColumns(shown, 11))).toBe('ac');
});

test('columns are moved one place, and stay where they are at the ends', () => {
	const moved = moveColumn(columns, usualChoice, {id: 'c', step: -1});
	expect(ids(arranged(columns, moved))).toBe('acb');
	expect(ids(arranged(columns, moveColumn(columns, moved, {id: 'a', step: 1})))).toBe('cab');
	expect(moveColumn(columns, moved, {id: 'a', step: -1})).toBe(moved);
});

test('an order written by hand may name what there is not, and leave out what there is', () => {
	const order = ['x', 'c', 'c'];
	expect(ids(arranged(columns, {...usualChoice, order}))).toBe('cab');
});

test('a column cannot be made too narrow to be read, nor wider than a screen', () => {
	const widthOf = (width: number) =>
		arranged(columns, {...usualChoice, widths: {a: width}})[0]?.width;
	expect([-5, 9, 5000].map(widthOf)).toEqual([3, 9, 60]);
	const [a] = columns;
	if (a === undefined) throw new Error('there are three');
	expect(widenColumn(a, usualChoice, 1).widths).toEqual({a: 6});
});

test('a column without a value in any row was not sent; a list without rows tells nothing', () => {
	expect([...unsentColumns(columns, [{a: 1}, {a: undefined, b: 2}])]).toEqual(['c']);
	expect(unsentColumns(columns, []).size).toBe(0);
});
