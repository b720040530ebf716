import {expect, test} from 'vitest';
import type {Job} from '../../../../source/contract/nouns/offer-cost.ts';
import {editJob, nextField, typeInJob} from '../../../../source/console/screens/offers/job-edit.ts';

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
