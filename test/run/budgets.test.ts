import {expect, test} from 'vitest';
import {budgetOf, overspent} from './budgets.ts';

const all = [
	'commands/harmless-output.test.ts',
	'console/screens/form-typing.test.ts',
	'stories/odd-key.test.ts',
];

/** Each file's processor time, as so many times its budget. */
function spentTimes(times: number, dear?: string) {
	return all.map(file => ({
		file,
		clock: 1,
		processor: budgetOf(file) * times * (file === dear ? 2.5 : 1),
	}));
}

test('a file that needs far more of its budget than the others is named, on any machine', () => {
	const [dear = ''] = all;
	for (const times of [0.5, 1, 3]) expect(overspent(spentTimes(times))).toEqual([]);
	for (const times of [1, 3]) expect(overspent(spentTimes(times, dear))[0]).toContain(dear);
});

test('a file that has no budget of its own is named where it needs one', () => {
	const file = 'stories/of-tomorrow.test.ts';
	expect(overspent([{file, clock: 1, processor: 9.9}])).toEqual([]);
	expect(overspent([{file, clock: 1, processor: 30}])).toHaveLength(1);
});
