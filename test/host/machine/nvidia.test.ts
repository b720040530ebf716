import {expect, test} from 'vitest';
import {gpuName} from '../../../source/contract/rules/gpu-names.ts';
import {
	detectNvidia,
	measureNvidia,
	parseCuda,
	parseGpus,
	type RunTool,
} from '../../../source/host/machine/nvidia.ts';

const header =
	'index, name, memory.total [MiB], power.max_limit [W], compute_cap, pcie.link.gen.max, pcie.link.width.max, display_active, driver_version, memory.used [MiB], utilization.gpu [%]';

const h100 = (index: number, used = '0 %') =>
	`${index}, NVIDIA H100 80GB HBM3, 81559 MiB, 700.00 W, 9.0, 5, 16, Disabled, 570.124.06, 4 MiB, ${used}`;

const printed = {
	eight: [
		header,
		...[1, 0, 3, 2, 5, 4, 7, 6].map(index => h100(index, index === 3 ? '97 %' : '0 %')),
	].join('\n'),
	one: `${header}\n0, NVIDIA GeForce RTX 4090, 24564 MiB, 450.00 W, 8.9, 4, 16, Enabled, 555.42.02, 612 MiB, 3 %\n`,
	old: `${header}\n0, Tesla K80, 11441 MiB, 175.00 W, 3.7, 3, 16, [N/A], 470.256.02, 0 MiB, [Not Supported]\n`,
	virtual: `${header}\n0, GRID A100-10C, 10240 MiB, [N/A], 8.0, [N/A], [N/A], Disabled, 535.129.03, 0 MiB, [N/A]\n`,
	none: 'No devices were found\n',
	broken: "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n",
	cut: `${header}\n0, NVIDIA H100 80GB HBM3, 81559 MiB\n`,
} as const;

const overview =
	'| NVIDIA-SMI 570.124.06             Driver Version: 570.124.06     CUDA Version: 12.8     |';

test('eight GPUs are found in their order, with the one that is in use', () => {
	const {gpus, driver} = parseGpus(printed.eight);
	expect(gpus).toHaveLength(8);
	expect(gpus[0]).toEqual({
		name: 'H100 SXM',
		arch: 'nvidia',
		memoryMb: 81_559,
		maxPower: 700,
		computeCapability: 900,
		pciGeneration: 5,
		lanes: 16,
		hasDisplay: false,
		isBusy: false,
	});
	expect(gpus.flatMap((gpu, index) => (gpu.isBusy ? [index] : []))).toEqual([3]);
	expect(driver).toBe('570.124.06');
});

test('a GPU that drives a screen says so', () => {
	expect(parseGpus(printed.one).gpus).toMatchObject([
		{name: 'RTX 4090', memoryMb: 24_564, computeCapability: 890, hasDisplay: true},
	]);
});

test('what a GPU does not know is not made up', () => {
	expect(parseGpus(printed.old).gpus).toMatchObject([
		{name: 'K80', computeCapability: 370, hasDisplay: undefined, isBusy: false},
	]);
	expect(parseGpus(printed.virtual).gpus).toMatchObject([
		{maxPower: undefined, pciGeneration: undefined, lanes: undefined, memoryMb: 10_240},
	]);
});

test.each(['none', 'broken', 'cut'] as const)('there are no GPUs in output that is %s', kind => {
	expect(parseGpus(printed[kind])).toEqual({gpus: [], driver: undefined});
});

test('GPUs have the names that people search for', () => {
	const names = ['NVIDIA H100 PCIe', 'NVIDIA A100-SXM4-80GB', 'NVIDIA RTX A6000', 'NVIDIA L40S'];
	expect(names.map(gpuName)).toEqual(['H100 PCIE', 'A100 SXM4', 'RTX A6000', 'L40S']);
});

test('the newest CUDA stands in the overview, in either way of writing it', () => {
	expect(parseCuda(overview)).toBe(12.8);
	expect(parseCuda(overview.replace('CUDA Version', 'CUDA UMD Version'))).toBe(12.8);
	expect(parseCuda(printed.broken)).toBeUndefined();
});

test('what the tool says of GPUs and of itself comes together; it may be missing', async () => {
	const asked: string[] = [];
	const run: RunTool = async (file, args) => {
		asked.push(file);
		return args.length === 0 ? overview : printed.one;
	};
	expect(await detectNvidia(run)).toMatchObject({cuda: 12.8, driver: '555.42.02'});
	expect(asked).toEqual(['nvidia-smi', 'nvidia-smi']);
	const nothing = {gpus: [], driver: undefined, cuda: undefined};
	expect(await detectNvidia(async () => undefined)).toEqual(nothing);
});

test('the load of each GPU is known by its number', async () => {
	const text =
		'index, utilization.gpu [%], temperature.gpu, memory.used [MiB]\n0, 97 %, 64, 79120 MiB\n1, [N/A], 31, 4 MiB\n';
	expect(await measureNvidia(async () => text)).toEqual(
		new Map([
			[0, {util: 97, temperature: 64, memoryMb: 79_120}],
			[1, {util: undefined, temperature: 31, memoryMb: 4}],
		]),
	);
	expect(await measureNvidia(async () => undefined)).toEqual(new Map());
});
