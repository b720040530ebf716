import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {checkInstance, judgeExamination} from '../../../source/renter/health/checks.ts';
import type {ExaminedInstance} from '../../../source/renter/health/finding.ts';
import {splitByTitle, parseReadings} from '../../../source/renter/health/readings.ts';
import {reportOf, withFault} from '../../helpers/host/gpu-reports.ts';

const h100 = reportOf('h100-sxm-2');

/** What the examination prints in an instance with these parts. */
const printed = (parts: Readonly<Record<string, string>>) =>
	Object.entries(parts)
		.map(([title, text]) => `\n== ${title}\n${text}\n`)
		.join('');

const usual = {
	gpus: h100,
	links:
		'GPU 0: NVIDIA H100 80GB HBM3\n\t Link 0: 26.562 GB/s\nGPU 1: NVIDIA H100 80GB HBM3\n\t Link 0: 26.562 GB/s',
	kernel: 'read',
	holders: '4',
	processors: '64\n3200000 100000',
	memory: 'MemTotal:       1056763904 kB\n536870912000',
	disk: 'overlay 1048576000 104857600 943718400 10% /',
	speed: 'wrote 496 20\nread 512 18',
	time: '1764300000',
	end: '',
};

const instance: Instance = {
	id: 12,
	actual_status: 'running',
	num_gpus: 2,
	gpu_name: 'H100 SXM',
	gpu_ram: 81_559,
	gpu_lanes: 16,
	pci_gen: 5,
	cuda_max_good: 12.4,
	disk_space: 1000,
	disk_bw: 2900,
	inet_down: 900,
	inet_up: 900,
	cpu_cores_effective: 32,
	cpu_ram: 512_000,
	gpu_frac: 1,
};

type World = {
	readonly parts?: Readonly<Record<string, string>>;
	readonly instance?: Partial<Instance>;
	readonly line?: ExaminedInstance['line'];
};

function examined({parts = {}, instance: other = {}, line = {down: 880, up: 870}}: World = {}) {
	const readings = parseReadings(splitByTitle(printed({...usual, ...parts})));
	const findings = checkInstance({
		instance: {...instance, ...other},
		readings,
		line,
		now: 1_764_300_002,
	});
	return {whole: judgeExamination(findings, readings), findings};
}

/** The verdict of a check with its sentence. */
function check(name: string, world: World): string {
	const {whole, findings} = examined(world);
	const found = findings.find(one => one.check === name);
	return `${whole} / ${found?.verdict}: ${found?.says}`;
}

test('an instance that has all of it is as ordered, each check in a sentence', () => {
	const {whole, findings} = examined();
	expect(whole).toBe('AS ORDERED');
	expect(findings.map(({check: name, verdict, says}) => `${verdict} ${name}: ${says}`))
		.toMatchInlineSnapshot(`
			[
			  "ok GPUs: 2x H100 SXM, as ordered",
			  "ok memory: GPU 0 has 79.6 GB of 79.6 GB",
			  "ok driver: driver 565.57.01, CUDA 12.7",
			  "ok PCIe: PCIe 5 x16 at least",
			  "ok heat: 30 C at most, and nothing slows them down",
			  "ok power: 700 W each, which is usual",
			  "ok clock: 345 of 1,980 MHz; without work it rests",
			  "ok ECC: no errors of memory since the driver was loaded",
			  "ok Xid: none in the log",
			  "ok NVLink: 1 links each",
			  "ok alone: what works on them is yours",
			  "ok disk: it has 1,074 GB of 1,000 GB",
			  "ok disk speed: 2,600 MB/s written, 2,983 MB/s read: 2,983 MB/s of 2,900 MB/s",
			  "ok line: 880 / 870 Mb/s down and up, to and from here",
			  "ok RAM: it has 500.0 GB of 500.0 GB",
			  "ok CPU: it has 32.0 threads of 32.0 threads",
			  "ok time: its clock is that of the service",
			]
		`);
});

test.each<[string, World, string]>([
	[
		'GPUs',
		{instance: {num_gpus: 4}},
		'NOT AS ORDERED / fail: 2 of the 4 GPUs that were ordered are there',
	],
	[
		'GPUs',
		{instance: {gpu_name: 'H200'}},
		'NOT AS ORDERED / fail: it has H100 SXM, and H200 was ordered',
	],
	[
		'GPUs',
		{parts: {gpus: 'no tool'}},
		'NOT KNOWN / unknown: nothing in it tells of GPUs: neither nvidia-smi nor rocm-smi works there',
	],
	[
		'GPUs',
		{parts: {gpus: ''}},
		'NOT AS ORDERED / fail: the driver did not answer within 25 s: it may wait for a GPU that is lost',
	],
	[
		'memory',
		{instance: {gpu_ram: 141_000}},
		'NOT AS ORDERED / fail: GPU 0 has 79.6 GB, 58 % of the 137.7 GB that it was rented with',
	],
	[
		'driver',
		{instance: {cuda_max_good: 13}},
		'NOT AS ORDERED / fail: driver 565.57.01 is for CUDA 12.7 at most, and 13 was ordered',
	],
	['PCIe', {instance: {pci_gen: 6}}, 'NOT AS ORDERED / fail: GPU 0 has PCIe 5, and 6 was ordered'],
	[
		'heat',
		{parts: {gpus: withFault(h100, {'SW Thermal Slowdown': 'Active'})}},
		'WORN / warn: GPU 1 is slowed down: SW Thermal Slowdown, at 30 C',
	],
	[
		'power',
		{parts: {gpus: withFault(h100, {'Current Power Limit    ': 'N/A'})}},
		'AS ORDERED / ok: 700 W each, which is usual',
	],
	[
		'ECC',
		{parts: {gpus: withFault(h100, {'Remapping Failure Occurred': 'Yes'})}},
		'FAILING / fail: GPU 1 has no spare rows left for a broken place of its memory',
	],
	[
		'Xid',
		{parts: {kernel: 'read\n[1.2] NVRM: Xid (PCI:0000:18:00): 48, pid=1, DBE'}},
		'FAILING / fail: GPU 0 had error Xid 48, once',
	],
	[
		'Xid',
		{parts: {kernel: 'read\n[1.2] NVRM: Xid (PCI:0000:18:00): 31, pid=1'}},
		'AS ORDERED / ok: GPU 0 had error Xid 31, once, by what a program did',
	],
	['Xid', {parts: {kernel: ''}}, 'AS ORDERED / unknown: the kernel’s log may not be read in it'],
	[
		'NVLink',
		{parts: {links: 'GPU 0: H100\n Link 0: 26.562 GB/s\nGPU 1: H100\n Link 0: <inactive>'}},
		'WORN / warn: GPU 1 has 0 of 1 NVLinks',
	],
	[
		'disk',
		{instance: {disk_space: 2000}},
		'NOT AS ORDERED / fail: it has 1,074 GB, 54 % of the 2,000 GB that it was rented with',
	],
	[
		'disk speed',
		{parts: {speed: 'wrote 496 47\nread 512 49'}},
		'NOT AS ORDERED / fail: 1,107 MB/s written, 1,096 MB/s read: 1,107 MB/s, 38 % of the 2,900 MB/s that it was rented with',
	],
	[
		'disk speed',
		{parts: {speed: ''}},
		'AS ORDERED / unknown: not measured: too little is free, or it was left out',
	],
	[
		'line',
		{line: {down: 90, up: 40}},
		'AS ORDERED / unknown: at least 90 / 40 Mb/s down and up; the line from here may be what ends it: --from URL measures without it',
	],
	[
		'line',
		{parts: {download: '125000000 10.01 200'}},
		'WORN / warn: downloads 100 Mb/s, 11 % of the 900 Mb/s that it was rented with',
	],
	[
		'line',
		{parts: {download: '0 0.1 404'}, line: undefined},
		'AS ORDERED / ok: 880 / 870 Mb/s down and up, to and from here',
	],
	[
		'RAM',
		{parts: {memory: 'MemTotal: 131072000 kB\nmax'}},
		'NOT AS ORDERED / fail: it has 125.0 GB, 25 % of the 500.0 GB that it was rented with',
	],
	[
		'CPU',
		{parts: {processors: '64\n1600000 100000'}},
		'NOT AS ORDERED / fail: it has 16.0 threads, 50 % of the 32.0 threads that it was rented with',
	],
	['time', {parts: {time: '1764296400'}}, 'WORN / warn: its clock is 3,602 s behind the service’s'],
])('%s of %j: %s', (name, world, says) => expect(check(name, world)).toBe(says));

test('a GPU that others work on is told, and one that the renter works on is not', () => {
	const busy = withFault(h100, {'Used   ': '12000 MiB', 'Gpu  ': '97 %'});
	const at = busy.lastIndexOf('FB Memory Usage');
	const used = busy.slice(0, at) + busy.slice(at).replace(/(Used *: )1 MiB/, '$112288 MiB');
	expect(check('alone', {parts: {gpus: used, holders: '0'}})).toBe(
		'WORN / warn: GPU 1 is 97 % busy with 12.0 GB, and no program of yours has it open',
	);
	expect(check('alone', {parts: {gpus: used}})).toContain(' / ok: what works on them is yours');
});

test('an instance without GPUs is asked for none', () => {
	const {whole, findings} = examined({
		parts: {gpus: 'no tool'},
		instance: {num_gpus: 0, gpu_name: 'no GPU'},
	});
	expect(whole).toBe('AS ORDERED');
	expect(findings.map(({check: name}) => name)).toEqual([
		'disk',
		'disk speed',
		'line',
		'RAM',
		'CPU',
		'time',
	]);
});

test('cards of AMD are counted and named', () => {
	const cards = JSON.stringify({
		card0: {'Card Series': 'AMD Instinct MI210', 'VRAM Total Memory (B)': '68702699520'},
		card1: {'Card Series': 'AMD Instinct MI210', 'VRAM Total Memory (B)': '68702699520'},
	});
	const amd = {
		parts: {gpus: 'no tool', cards: `WARNING: low power\n${cards}`, links: ''},
		instance: {gpu_name: 'MI210', gpu_ram: 65_520},
	};
	expect(check('GPUs', amd)).toBe('AS ORDERED / ok: 2x AMD Instinct MI210, as ordered');
	expect(check('memory', amd)).toBe('AS ORDERED / ok: GPU 0 has 64.0 GB of 64.0 GB');
	expect(check('driver', amd)).toBe('AS ORDERED / unknown: no tool says its driver');
});

test('hostile output of an instance makes no finding of it good', () => {
	const {whole, findings} = examined({
		parts: Object.fromEntries(Object.keys(usual).map(title => [title, '\u001B[2J: '.repeat(1000)])),
	});
	expect(whole).toBe('NOT KNOWN');
	expect(findings.filter(({verdict}) => verdict === 'ok').map(({check: name}) => name)).toEqual([
		'line',
	]);
});
