import {expect, test} from 'vitest';
import {watchGpus} from '../../../source/host/instance/gpu-watch.ts';
import type {GpuVerdict} from '../../../source/host/machine/gpu-judging.ts';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import type {UnfitGpus} from '../../../source/host/machine/machine-gpus.ts';

const names = ['GPU-aa', 'GPU-bb'];

const memoryErrors = (count: number) =>
	({
		rule: 'memory-errors',
		health: 'sick',
		cause: 'hardware',
		evidence: `had ${count} memory errors`,
		todo: 'Have it replaced.',
	}) as const;

const well = (index: number): GpuVerdict => ({
	index,
	name: names[index] ?? '',
	health: 'healthy',
	findings: [],
});

const sick = (place: number, errors: number): GpuVerdict => ({
	...well(place),
	health: 'sick',
	findings: [memoryErrors(errors)],
});

const work = (id: number, gpu: number): Work => ({
	instance_id: id,
	machine_id: 1,
	boot: 1,
	container: 1,
	wanted: 'running',
	gpu_ids: [gpu],
});

/** A machine of two GPUs with an instance on each. */
function openWatched() {
	const present = new Map(names.map((name, number) => [number, name]));
	const unfit: UnfitGpus[] = [];
	const lines: string[] = [];
	const told: string[] = [];
	let verdicts: readonly GpuVerdict[] | undefined;
	const look = watchGpus({
		machineGpus: {
			kind: 'nvidia',
			names,
			list: async () => present,
			onUnfit: async found => void unfit.push(found),
			judge: async () => verdicts,
		},
		running: () => [work(7, 0), work(8, 1)],
		fail: async ({instance_id: id}, sentence) => void told.push(`${id} failed: ${sentence}`),
		warn: async ({instance_id: id}, sentence) => void told.push(`${id}: ${sentence}`),
		log: line => lines.push(line),
	});
	return {
		unfit,
		lines,
		told,
		async judge(this: void, next: readonly GpuVerdict[] | undefined) {
			verdicts = next;
			// One look in thirty judges.
			for (let count = 0; count < 30; count++) {
				// oxlint-disable-next-line no-await-in-loop -- one look after the other
				await look();
			}
		},
	};
}

test('a sick GPU takes nothing new, and its renter and its provider are told once', async () => {
	const {unfit, lines, told, judge} = openWatched();
	await judge([well(0), well(1)]);
	expect([unfit, lines, told]).toEqual([[], [], []]);
	await judge([well(0), sick(1, 1)]);
	await judge([well(0), sick(1, 2)]);
	expect(unfit).toEqual([{lost: [], sick: [1]}]);
	expect(told).toEqual(['8: GPU GPU-bb is sick: it had 1 memory errors.']);
	expect(lines).toEqual(['GPU GPU-bb is sick: it had 1 memory errors. Have it replaced.']);
	await judge([well(0), well(1)]);
	expect(unfit.at(-1)).toEqual({lost: [], sick: []});
});

test('a driver that answers nothing leaves the verdicts as they are', async () => {
	const {unfit, told, judge} = openWatched();
	await judge([sick(0, 1), well(1)]);
	await judge(undefined);
	await judge([sick(0, 1), well(1)]);
	expect(unfit).toEqual([{lost: [], sick: [0]}]);
	expect(told).toHaveLength(1);
});
