import {expect, test} from 'vitest';
import {
	judgeGpu,
	readLinks,
	readXids,
	xidsOf,
	type GpuEvidence,
} from '../../../source/contract/rules/gpu-health.ts';
import {readGpuReport} from '../../../source/contract/rules/gpu-report.ts';
import {reportOf, withFault} from '../../helpers/host/gpu-reports.ts';

const h100 = reportOf('h100-sxm-2');
const v100 = reportOf('v100-old-driver');

/** The last GPU of a report, with what else is known of it. */
function lastOf(report: string, also: Partial<GpuEvidence> = {}): GpuEvidence {
	const gpu = readGpuReport(report).gpus.at(-1);
	if (gpu === undefined) throw new Error('the report has no GPU');
	return {gpu, xids: [], ...also};
}

/** Verdict on a GPU, with its rules and evidence. */
function judged(about: GpuEvidence) {
	const {health, findings} = judgeGpu(about);
	return [health, ...findings.map(({rule, evidence}) => `${rule}: ${evidence}`)];
}

test.each([['an H100', h100] as const, ['a V100 with an old driver', v100] as const])(
	'%s is healthy',
	(_, report) => expect(judged(lastOf(report))).toEqual(['healthy']),
);

test.each([
	[{'DRAM Uncorrectable ': '2'}, 'healthy', undefined],
	[
		{'Remapping Failure Occurred': 'Yes'},
		'sick',
		'repair-failed: has no spare rows left for a broken place of its memory',
	],
	[{'GPU Recovery Action': 'Reset'}, 'sick', 'recovery: needs what its driver calls Reset'],
	[{'Reset Required': 'Yes'}, 'sick', 'recovery: needs what its driver calls Reset'],
	[
		{'HW Power Brake Slowdown': 'Active'},
		'watch',
		'slowed: is slowed down: HW Power Brake Slowdown, at 30 C',
	],
	[
		{'SW Thermal Slowdown': 'Active', 'GPU Current Temp': '88 C'},
		'watch',
		'slowed: is slowed down: SW Thermal Slowdown, at 88 C',
	],
	[{'SW Power Cap': 'Active'}, 'healthy', undefined],
])('%j of the report makes it %s', (faults, health, evidence) => {
	const found = judged(lastOf(withFault(h100, faults)));
	expect(found).toEqual(evidence === undefined ? [health] : [health, evidence]);
});

/** The volatile counts stand before those of the whole life, which do not count. */
const volatile = (title: string, count: number) => {
	const at = h100.lastIndexOf('Volatile');
	return h100.slice(0, at) + h100.slice(at).replace(new RegExp(`(${title} *: )0`), `$1${count}`);
};

test('errors of memory since the driver was loaded count, and those of its life do not', () => {
	expect(judged(lastOf(volatile('DRAM Uncorrectable', 1)))).toEqual([
		'sick',
		'memory-errors: had 1 memory error that was not corrected',
	]);
	expect(judged(lastOf(volatile('SRAM Correctable', 140)))).toEqual([
		'watch',
		'corrected-errors: had 140 memory errors that were corrected',
	]);
	const before = lastOf(h100).gpu;
	expect(judged(lastOf(volatile('DRAM Correctable', 12), {before}))[0]).toBe('watch');
	expect(judged(lastOf(volatile('DRAM Correctable', 12)))).toEqual(['healthy']);
	expect(judged(lastOf(withFault(v100, {'Total  ': '3'})))).toEqual([
		'sick',
		'memory-errors: had 3 memory errors that were not corrected',
	]);
});

test('a place of the memory that waits for a reset makes it sick', () => {
	const at = h100.lastIndexOf('Remapped Rows');
	const pending = h100.slice(0, at) + h100.slice(at).replace(/(Pending *: )No/, '$1Yes');
	const evidence = 'repair-pending: has a broken place of its memory that a reset replaces';
	expect(judged(lastOf(pending))).toEqual(['sick', evidence]);
	expect(judged(lastOf(withFault(v100, {'Pending  ': 'Yes'})))).toEqual(['sick', evidence]);
});

test('lanes always count, and the generation of PCIe while it works', () => {
	const at = h100.lastIndexOf('Link Width');
	const narrow = h100.slice(0, at) + h100.slice(at).replace(/(Current *: )16x/, '$18x');
	expect(judged(lastOf(narrow))).toEqual(['watch', 'lanes: has 8 of 16 lanes of PCIe']);
	const start = h100.lastIndexOf('PCIe Generation');
	const slow = h100.slice(0, start) + h100.slice(start).replace(/(Current *: )5/, '$11');
	expect(judged(lastOf(slow))).toEqual(['healthy']);
	expect(judged(lastOf(withFault(slow, {'Gpu  ': '97 %'})))).toEqual([
		'watch',
		'generation: has PCIe 1 and not 5 while it works',
	]);
});

/** Lines as the kernel's own file, `dmesg` and a journal have them. */
const log = `4,1734,83650113921,-;NVRM: Xid (PCI:0000:2a:00): 48, pid=41233, name=python, An uncorrectable double bit error (DBE) has been detected on GPU
[83651.113921] NVRM: Xid (PCI:0000:18:00): 31, pid=2711, name=python3, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC2
Nov 14 06:25:27 host kernel: NVRM: Xid (PCI:0000:18:00): 31, pid=2711, name=python3, Ch 00000009
[83652.113921] nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver`;

test('errors in the log belong to the GPU at their place', () => {
	const xids = readXids(log);
	const [first, second] = readGpuReport(h100).gpus;
	if (first === undefined || second === undefined) throw new Error('no GPUs');
	expect(judged({gpu: second, xids: xidsOf(xids, second)})).toEqual([
		'sick',
		'xid-memory: had error Xid 48, once',
	]);
	expect(judged({gpu: first, xids: xidsOf(xids, first)})).toEqual([
		'healthy',
		'xid-workload: had error Xid 31, 2 times',
	]);
	expect(judgeGpu({gpu: first, xids: xidsOf(xids, first)}).findings[0]?.cause).toBe('workload');
});

test.each([
	[79, 'lost'],
	[95, 'sick'],
	[64, 'sick'],
	[74, 'sick'],
	[119, 'sick'],
	[94, 'watch'],
	[63, 'watch'],
	[13, 'healthy'],
	[1234, 'healthy'],
])('Xid %i makes a GPU %s', (number, health) => {
	expect(judged(lastOf(h100, {xids: [{bus: '0000:2a:00', number}]}))[0]).toBe(health);
});

test('a GPU that does not answer is lost, whatever else is wrong', () => {
	const line = 'Unable to determine the device handle for GPU1: 0000:34:00.0: Unknown Error';
	const xids = readXids('NVRM: Xid (PCI:0000:34:00): 31, pid=1');
	const {gpus} = readGpuReport(line);
	const [gpu] = gpus;
	if (gpu === undefined) throw new Error('no GPU');
	expect(judged({gpu, xids})[0]).toBe('lost');
});

test('fewer NVLinks than others have, and programs of nobody, are worth watching', () => {
	const said = `GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)
	 Link 0: 26.562 GB/s
	 Link 1: 26.562 GB/s
GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)
	 Link 0: 26.562 GB/s
	 Link 1: <inactive>
`;
	expect(readLinks(said)).toEqual([2, 1]);
	expect(judged(lastOf(h100, {links: {active: 1, most: 2}}))).toEqual([
		'watch',
		'links: has 1 of 2 NVLinks',
	]);
	expect(judged(lastOf(h100, {strangers: ['miner (4711)']}))).toEqual([
		'watch',
		'strangers: is used by what belongs to no instance: miner (4711)',
	]);
});
