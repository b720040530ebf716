import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {machineFacts} from '../../../source/contract/nouns/hosts.ts';
import {
	detectMachine,
	hasAvx,
	versionOf,
	divideGpus,
	publicationOf,
} from '../../../source/host/machine/detect.ts';
import type {RunTool} from '../../../source/host/machine/nvidia.ts';
import {testFacts} from '../../helpers/host/hosts.ts';

async function detect(run: RunTool) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-detect-'));
	try {
		return await detectMachine({
			folder,
			reach: {address: '192.0.2.7'},
			place: 'Stockholm, SE',
			run,
		});
	} finally {
		rmSync(folder, {recursive: true});
	}
}

test('a machine without GPUs says so, and all else that can be found out', async () => {
	const {facts, busyGpus} = await detect(async () => undefined);
	expect(machineFacts.safeParse(facts).success).toBe(true);
	expect(facts).toMatchObject({num_gpus: 0, gpu_name: 'no GPU', public_ipaddr: '192.0.2.7'});
	expect(facts.geolocation).toBe('Stockholm, SE');
	expect(facts.cpu_cores).toBeGreaterThan(0);
	expect(facts.cpu_ram).toBeGreaterThan(0);
	expect(facts.disk_space).toBeGreaterThan(0);
	expect(busyGpus).toEqual([]);
});

test('of GPUs of several kinds the first ones are offered', async () => {
	const table = [
		'index, name, memory.total [MiB]',
		'0, NVIDIA GeForce RTX 4090, 24564 MiB',
		'1, NVIDIA GeForce RTX 4090, 24564 MiB',
		'2, NVIDIA T400, 2048 MiB',
	].join('\n');
	const {facts} = await detect(async (file, args) =>
		file === 'nvidia-smi' && args.length > 0 ? table : undefined,
	);
	expect(facts).toMatchObject({num_gpus: 2, gpu_name: 'RTX 4090', gpu_ram: 24_564});
	expect(machineFacts.safeParse(facts).success).toBe(true);
});

test('a machine is offered in parts that do not overlap halfway, and as a whole', () => {
	expect(divideGpus(0)).toEqual([[]]);
	expect(divideGpus(1)).toEqual([[0]]);
	expect(divideGpus(3)).toEqual([[0], [1], [2], [0, 1], [0, 1, 2]]);
	expect(divideGpus(8).map(part => part.length)).toEqual([
		1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 8,
	]);
});

test('prices go with the number of GPUs, and what is free cannot be bid for', () => {
	const found = {facts: {...testFacts, disk_space: 100}, busyGpus: [1]};
	const {asks, busy_gpus: busy} = publicationOf('rig', found, {perGpuHour: 0.5, storage: 0.1});
	expect(busy).toEqual([1]);
	expect(
		asks.map(({dph_base: price, min_bid: bid, disk_space: disk}) => [price, bid, disk]),
	).toEqual([
		[0.5, 0.25, 45],
		[0.5, 0.25, 45],
		[1, 0.5, 90],
	]);
	const free = publicationOf('rig', found, {perGpuHour: 0, storage: 0});
	expect(free.asks.every(({min_bid: bid}) => bid === null)).toBe(true);
});

test('the system says what the processor can do', () => {
	expect(hasAvx('flags\t\t: fpu sse avx avx2\n')).toBe(true);
	expect(hasAvx('flags\t\t: fpu sse avx2\n')).toBe(false);
	expect(hasAvx('Features : fp asimd\n')).toBeNull();
	expect(versionOf('ID=ubuntu\nVERSION_ID="24.04"\n')).toBe('24.04');
	expect(versionOf('')).toBeNull();
});
