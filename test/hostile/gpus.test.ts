/** GPUs that are billed are there, those of others are not, and each stays whose it is. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {MachineGpus} from '../../source/host/machine/machine-gpus.ts';
import {patient, prepareContainers, waiting} from '../helpers/host/container-host.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

const {engine, isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

/** A GPU as an engine hands it on: a tool of its maker's that names what is there. */
function makeGpu(folder: string, name: string, seen: readonly string[]) {
	const tool = join(folder, `tool-of-${name}`);
	const lines = seen.map((one, index) => `echo "GPU ${index}: NVIDIA H100 (UUID: ${one})"`);
	writeFileSync(tool, ['#!/bin/sh', ...lines, ''].join('\n'), {mode: 0o755});
	const mounts = [{hostPath: tool, containerPath: '/usr/bin/nvidia-smi', options: ['ro', 'bind']}];
	return {name, containerEdits: seen.length === 0 ? {env: ['NO_TOOL=1']} : {mounts}};
}

if (engine !== undefined) {
	mkdirSync(engine.devices, {recursive: true});
	const devices = [
		makeGpu(engine.devices, 'GPU-aa', ['GPU-aa']),
		makeGpu(engine.devices, 'GPU-bb', ['GPU-aa']),
		makeGpu(engine.devices, 'GPU-cc', []),
		makeGpu(engine.devices, 'GPU-dd', ['GPU-dd', 'GPU-aa']),
	];
	const specification = {cdiVersion: '0.3.0', kind: 'nvidia.com/gpu', devices};
	writeFileSync(join(engine.devices, 'nvidia.json'), JSON.stringify(specification));
}

const names = ['GPU-aa', 'GPU-bb', 'GPU-cc', 'GPU-dd', 'GPU-ee'];

const nobody: MachineGpus['onUnfit'] = async () => undefined;

/** A machine with these GPUs, in whatever order they are found. */
function machineWith(found: readonly string[], onUnfit = nobody) {
	const present = new Map(found.map((name, number) => [number, name]));
	const gpus = {kind: 'nvidia', names, list: async () => present, onUnfit} as const;
	return {present, gpus};
}

describe.skipIf(isSkipped)(`GPUs of containers${shown}`, patient, () => {
	test('an instance has the GPU that it rents, whatever its number is by now', async () => {
		const {gpus} = machineWith(['GPU-cc', 'GPU-bb', 'GPU-aa']);
		await using host = await openHost({gpus});
		const env: Array<[string, string]> = [['NVIDIA_VISIBLE_DEVICES', 'all']];
		await host.runtime.start(host.work({gpu_ids: [0], env}));
		await host.until('running');
		const {out} = await host.ssh('nvidia-smi -L; echo $NVIDIA_VISIBLE_DEVICES');
		expect(out).toBe('GPU 0: NVIDIA H100 (UUID: GPU-aa)\nGPU-aa\n');
	});

	test.each([
		[1, 'has another one', 'GPU-bb is not in the container. It costs nothing.'],
		[2, 'has none', 'nothing in the container tells of GPUs. It costs nothing.'],
		[3, 'has one more', 'given a GPU that it has not rented, and was stopped. It costs nothing.'],
		[4, 'is to have one that is gone', 'GPU-ee is gone from the machine'],
	])('GPU %i: an instance that %s fails, and never runs', async (id, _, sentence) => {
		const {gpus} = machineWith(['GPU-aa', 'GPU-bb', 'GPU-cc', 'GPU-dd']);
		await using host = await openHost({gpus});
		await host.runtime.start(host.work({gpu_ids: [id]}));
		expect((await host.until('failed'))?.status_msg).toContain(sentence);
		expect(host.told.map(report => report.status)).not.toContain('running');
		expect(await host.engine.ask({method: 'GET', path: '/containers/json'})).toEqual([]);
	});

	test('a GPU that is lost is told to its renter and to the market, also at a start of the agent', async () => {
		const losses: Array<readonly number[]> = [];
		const {gpus, present} = machineWith(names, async ({lost}) => void losses.push(lost));
		await using host = await openHost({gpus});
		await host.runtime.start(host.work({gpu_ids: [0]}));
		await host.until('running');
		present.delete(0);
		const sentence =
			'Its GPU GPU-aa is gone from the machine. It was stopped, and its files are kept.';
		// A report of use may come after it.
		const told = () => host.told.map(report => report.status_msg);
		await expect.poll(told, waiting).toContain(sentence);
		await expect.poll(() => losses, waiting).toEqual([[0]]);
		await host.reopen();
		await host.runtime.adopt([host.work({gpu_ids: [0]})]);
		expect((await host.until('failed'))?.status_msg).toBe(sentence);
	});
});
