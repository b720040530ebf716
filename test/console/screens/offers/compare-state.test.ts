import {expect, test} from 'vitest';
import {
	dropColumn,
	pickColumn,
	pickedOf,
	scrollRows,
	wholeComparison,
} from '../../../../source/console/screens/offers/compare-state.ts';

const ids = [7, 8, 9];

test('the first column is picked, and picking ends at both sides', () => {
	const right = pickColumn(pickColumn(pickColumn(wholeComparison, ids, 1), ids, 1), ids, 1);
	expect(pickedOf(wholeComparison, ids)).toBe(0);
	expect(pickedOf(right, ids)).toBe(2);
	expect(pickedOf(pickColumn(wholeComparison, ids, -1), ids)).toBe(0);
});

test('dropping a column picks the one that takes its place, and the last one its neighbour', () => {
	const middle = dropColumn(pickColumn(wholeComparison, ids, 1), ids);
	expect(middle).toMatchObject({dropped: [8], pickedId: 9});
	expect(dropColumn(middle, [7, 9])).toMatchObject({dropped: [8, 9], pickedId: 7});
	const none = dropColumn(dropColumn(middle, [7, 9]), [7]);
	expect(none).toMatchObject({dropped: [8, 9, 7], pickedId: undefined});
	expect(dropColumn(none, [])).toBe(none);
});

test('scrolling stays within the rows that do not fit', () => {
	expect(scrollRows(wholeComparison, 5, 3).top).toBe(3);
	expect(scrollRows({...wholeComparison, top: 3}, -9, 3).top).toBe(0);
	expect(scrollRows({...wholeComparison, top: 9}, -1, 3).top).toBe(2);
});
