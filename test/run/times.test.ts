import {expect, test} from 'vitest';
import {expectedTime, reportGrowth} from './times.ts';

const all = [
	'commands/harmless-output.test.ts',
	'console/screens/form-typing.test.ts',
	'stories/odd-key.test.ts',
];

/** Each file's processor time, as so many times what is expected of it. */
function spentTimes(times: number, grown?: string) {
	return all.map(file => ({
		file,
		clock: 1,
		processor: expectedTime(file) * times * (file === grown ? 2.5 : 1),
	}));
}

test('a file that takes far more of its time than the others is reported, on any machine', () => {
	const [grown = ''] = all;
	for (const times of [0.5, 1, 3]) expect(reportGrowth(spentTimes(times))).toEqual([]);
	for (const times of [1, 3]) expect(reportGrowth(spentTimes(times, grown))[0]).toContain(grown);
});

test('a file whose time is not kept is reported where it is long', () => {
	const file = 'stories/of-tomorrow.test.ts';
	expect(reportGrowth([{file, clock: 1, processor: 9.9}])).toEqual([]);
	expect(reportGrowth([{file, clock: 1, processor: 30}])).toHaveLength(1);
});
