import {expect, test} from 'vitest';
import {
	dropColumn,
	pickColumn,
	pickedOf,
	scrollRows,
	wholeComparison,
	editJob,
	nextField,
	typeInJob,
} from '../../../../source/console/screens/offers/compare-state.ts';
import type {Job} from '../../../../source/contract/nouns/offer-cost.ts';

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

const job: Job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 2.5};

const typed = (keys: readonly string[], start = editJob(job)) =>
	keys.reduce((edit, key) => {
		if (key === 'Tab') return nextField(edit, 1);
		return typeInJob(edit, key) ?? edit;
	}, start);

test('each number is typed in its own field, and the others stay', () => {
	const edit = typed(['0', 'Tab', 'Tab', 'Backspace', '1', '.', '5']);
	expect(edit.problem).toBeUndefined();
	expect(edit.job).toEqual({...job, hours: 240, inGbPerHour: 1.5});
});

test('the field before the first is the last', () => {
	expect(typeInJob(nextField(editJob(job), -1), '5')?.job).toEqual({...job, outGbPerHour: 2.55});
});

test.each([
	[['x'], 'hours: expected a number, at least 1'],
	[['Backspace', 'Backspace'], 'hours: expected a number, at least 1'],
	[['Backspace', 'Backspace', '0'], 'hours: expected a number, at least 1'],
	[['Tab', 'Backspace', 'Backspace', '7'], 'disk: expected a number of GB, at least 8'],
	[['Tab', 'Tab', '-'], 'in: expected a number of GB/h, at least 0'],
	[['Tab', 'Tab', 'e', '9'], 'in: expected a number of GB/h, at least 0'],
])('%j is not kept: %s', (keys, problem) => {
	const edit = typed(keys);
	expect(edit.problem).toBe(problem);
	expect(Object.keys(edit.job)).toHaveLength(3);
});

test('a key that edits nothing is left to others', () => {
	expect(typeInJob(editJob(job), 'F1')).toBeUndefined();
});
