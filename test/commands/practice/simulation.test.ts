import {expect, test} from 'vitest';
import {fatesOf} from '../../../source/commands/practice/simulation.ts';
import {usualRates, writeScript} from '../../../source/host/simulated/script.ts';

/** Whether the first start of an instance leads to where it stays. */
function runsWell(instanceId: number): boolean {
	const start = {instanceId, boot: 1, image: 'ubuntu:24.04', mode: 'ssh', megabits: 500} as const;
	const {moments, trouble} = writeScript(
		{...start, hasContainer: false, hasOnstart: false},
		{seed: fatesOf(1), rates: usualRates, speed: 8},
	);
	return moments.at(-1)?.status === 'running' && trouble === undefined;
}

test('what somebody rents first on a market starts and runs, though others may not', () => {
	const fates = Array.from({length: 200}, (_, index) => runsWell(index + 1));
	expect(fates.slice(0, 12)).not.toContain(false);
	expect(fates).toContain(false);
});
