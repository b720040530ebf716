import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {machineFacts} from '../../../source/contract/nouns/hosts.ts';
import {detectMachine} from '../../../source/host/machine/detect.ts';
import {devicesOf} from '../../../source/host/machine/machine-gpus.ts';
import {measureAmd} from '../../../source/host/machine/rocm.ts';
import type {RunTool} from '../../../source/host/machine/nvidia.ts';
import {openFolder} from '../../helpers/folder.ts';

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures');

/** What the tool of a maker has printed on machines, by the name of the machine. */
function recordingsOf(tool: string): ReadonlyMap<string, string> {
	const folder = join(fixtures, tool);
	return new Map(
		readdirSync(folder).map(name => [
			name.replace(/\.\w+$/, ''),
			readFileSync(join(folder, name), 'utf8'),
		]),
	);
}

const nvidia = recordingsOf('nvidia-smi');
const amd = recordingsOf('rocm-smi');

/** The tool as it is on a machine: asked for a field that it does not know, it prints no table. */
function nvidiaOn(machine: string): RunTool {
	const table = nvidia.get(machine) ?? '';
	return async (file, args) => {
		if (file !== 'nvidia-smi') return undefined;
		if (args.length === 0) return '| NVIDIA-SMI 570.124.06    CUDA Version: 12.8     |';
		const asked = /--query-gpu=(\S+)/.exec(args.join(' '))?.[1]?.split(',') ?? [];
		const known = (table.split('\n')[0] ?? '').split(', ').map(name => name.split(' ')[0]);
		return asked.every(name => known.includes(name)) ? table : undefined;
	};
}

async function detect(run: RunTool) {
	using folder = openFolder();
	const found = await detectMachine({folder: folder.path, reach: {address: '192.0.2.7'}, run});
	expect(machineFacts.safeParse(found.facts).success).toBe(true);
	const {facts, busyGpus} = found;
	return {
		what: `${facts.num_gpus}x ${facts.gpu_name}`,
		memory: facts.gpu_ram,
		power: facts.gpu_max_power,
		driver: facts.driver_version,
		compute: facts.compute_cap,
		busy: busyGpus,
	};
}

describe('what NVIDIA says', () => {
	const h100 = {what: '8x H100 SXM', memory: 81_559, power: 700, compute: 900};
	test.each([
		['h100-sxm-8', {...h100, driver: '570.124.06', busy: [3]}],
		['a100-mig', {what: '2x A100 SXM4', memory: 40_960, compute: 800, busy: []}],
		['rtx-3090-4', {what: '4x RTX 3090', memory: 24_576, compute: 860}],
		['v100-2-old-driver', {what: '2x V100 SXM2 32GB', memory: 32_510, compute: null}],
		['k80-2', {what: '2x K80', memory: 11_441, compute: 370, busy: []}],
		['gb10', {what: '1x GB10', memory: null, power: null, compute: 1210}],
		['a100-virtual', {what: '1x GRID A100 10C', memory: 10_240, power: null}],
		['l40s-3-one-lost', {what: '1x L40S', memory: 46_068}],
	])('of a machine that is %s', async (machine, expected) => {
		expect(await detect(nvidiaOn(machine))).toMatchObject(expected);
	});

	test('of a machine without GPUs', async () => {
		expect(await detect(async () => nvidia.get('no-gpu'))).toMatchObject({what: '0x no GPU'});
	});
});

describe('what AMD says', () => {
	test.each([
		['mi210-rocm-5', {what: '2x MI210', memory: 65_520, power: 300, busy: [1]}],
		['mi300x-8-rocm-6', {what: '8x MI300X OAM', memory: 196_592, driver: '6.8.5', busy: []}],
		['rx-7900-and-graphics-rocm-6', {what: '1x RX 7900 XTX', memory: 24_560, power: 327}],
		['numbers-rocm-7', {what: '1x AMD GPU', memory: 262_144, power: 1000}],
	])('of a machine that is %s', async (machine, expected) => {
		const run: RunTool = async file => (file === 'rocm-smi' ? amd.get(machine) : undefined);
		expect(await detect(run)).toMatchObject(expected);
	});
});

test('the load of each card of AMD is known by its number', async () => {
	const printed = {
		card0: {
			'GPU use (%)': '98',
			'VRAM Total Used Memory (B)': '61203283968',
			'Temperature (Sensor edge) (C)': '61.0',
			'Temperature (Sensor junction) (C)': '74.0',
		},
		card1: {'GPU use (%)': 'N/A', 'Temperature (Sensor junction) (C)': '38.0'},
	};
	expect(await measureAmd(async () => JSON.stringify(printed))).toEqual(
		new Map([
			[0, {util: 98, temperature: 61, memoryMb: 58_368}],
			[1, {util: undefined, temperature: 38, memoryMb: undefined}],
		]),
	);
	expect(await measureAmd(async () => undefined)).toEqual(new Map());
});

test('an instance gets the devices of its GPUs, and of no others', () => {
	expect(devicesOf('nvidia', [1, 3])).toEqual(
		expect.arrayContaining(['/dev/nvidiactl', '/dev/nvidia-uvm', '/dev/nvidia1', '/dev/nvidia3']),
	);
	expect(devicesOf('nvidia', [1, 3])).not.toContain('/dev/nvidia0');
	expect(devicesOf('amd', [2])).toEqual(['/dev/kfd', '/dev/dri/renderD130']);
	expect([devicesOf('nvidia', []), devicesOf('none', [0])]).toEqual([[], []]);
});
