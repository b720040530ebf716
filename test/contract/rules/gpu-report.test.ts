import {expect, test} from 'vitest';
import {compareGpuNames} from '../../../source/contract/rules/gpu-names.ts';
import {readGpuReport} from '../../../source/contract/rules/gpu-report.ts';
import {reportOf} from '../../helpers/host/gpu-reports.ts';

test('the report of a driver is read, each GPU by its place', () => {
	const {driver, cuda, gpus} = readGpuReport(reportOf('h100-sxm-2'));
	expect([driver, cuda, gpus.length]).toEqual(['565.57.01', 12.7, 2]);
	expect(gpus[1]).toEqual({
		name: 'NVIDIA H100 80GB HBM3',
		uuid: 'GPU-00000000-0000-4000-8000-00000000002a',
		serial: '1650000000002',
		bus: '00000000:2A:00.0',
		silence: undefined,
		memoryMb: 81_559,
		usedMb: 1,
		use: 0,
		pcie: {generation: 5, mostGeneration: 5, lanes: 16, mostLanes: 16},
		slowedBy: [],
		ecc: {corrected: 0, uncorrected: 0},
		repair: {replaced: 0, isPending: false, hasFailed: false},
		heat: 30,
		heatLeft: 59,
		power: {draw: 100.89, limit: 700, usualLimit: 700},
		clock: {now: 345, most: 1980},
		recovery: undefined,
	});
});

test('the words of an old driver mean the same', () => {
	expect(readGpuReport(reportOf('v100-old-driver'))).toMatchObject({
		driver: '418.67',
		cuda: 10.1,
		gpus: [
			{
				memoryMb: 16_130,
				slowedBy: [],
				ecc: {corrected: 0, uncorrected: 0},
				heatLeft: 52,
				power: {limit: 300, usualLimit: 300},
			},
		],
	});
});

test('blanks that fill up the columns may be left out', () => {
	const report = reportOf('h100-sxm-2');
	expect(readGpuReport(report.replaceAll(/ +:/g, ':'))).toEqual(readGpuReport(report));
});

test.each([
	'Unable to determine the device handle for GPU1: 0000:34:00.0: Unknown Error',
	'Unable to determine the device handle for GPU 0000:34:00.0: GPU is lost.  Reboot the system to recover this GPU',
	'Unable to determine the device handle for GPU0000:34:00.0: Unknown Error',
])('a GPU that does not answer is one, with its place: %s', line => {
	expect(readGpuReport(`${line}\n`).gpus).toMatchObject([{bus: '0000:34:00.0', silence: line}]);
	const beside = readGpuReport(`${line}\n${reportOf('h100-sxm-2')}`);
	expect(beside.gpus).toHaveLength(3);
});

test.each([
	'',
	'sh: nvidia-smi: not found',
	'NVIDIA-SMI has failed because',
	'GPU 00000000:18:00.0',
])('%j has no facts', text => {
	const {driver, gpus} = readGpuReport(text);
	expect([driver, ...gpus.map(({name}) => name)].filter(Boolean)).toEqual([]);
});

test.each([
	['RTX 4090', 'NVIDIA GeForce RTX 4090', 'same'],
	['RTX_4090', 'RTX 4090', 'same'],
	['RTX 4090', 'RTX 4090D', 'other'],
	['RTX 4090', 'NVIDIA GeForce RTX 3090', 'other'],
	['RTX 4070 Ti', 'NVIDIA GeForce RTX 4070', 'other'],
	['RTX 4070S Ti', 'NVIDIA GeForce RTX 4070 Ti SUPER', 'same'],
	['H100 SXM', 'NVIDIA H100 80GB HBM3', 'same'],
	['H100', 'NVIDIA H100 80GB HBM3', 'unsure'],
	['H100 SXM', 'NVIDIA H100 PCIe', 'other'],
	['A100 SXM4', 'NVIDIA A100-SXM4-80GB', 'same'],
	['A100 PCIE', 'NVIDIA A100 80GB PCIe', 'same'],
	['RTX 6000Ada', 'NVIDIA RTX 6000 Ada Generation', 'same'],
	['RTX A6000', 'NVIDIA RTX 6000 Ada Generation', 'other'],
	['RTX PRO 6000 WS', 'NVIDIA RTX 6000 Ada Generation', 'other'],
	['L40S', 'NVIDIA L40', 'other'],
	['Tesla V100', 'Tesla V100-SXM2-16GB', 'unsure'],
	['MI300X', 'MI300X OAM', 'same'],
])('%s ordered and %s found: %s', (ordered, found, verdict) => {
	expect(compareGpuNames(ordered, found)).toBe(verdict);
});
