/** GPUs of made-up offers, with their makers' figures. */
import {compareGpuNames} from '../../contract/rules/gpu-names.ts';

/** Kind of a GPU by its chassis: a PC, a workstation, a server, a baseboard. */
export type GpuChassis = 'home' | 'workstation' | 'server' | 'baseboard' | 'superchip';

export type SeedGpu = {
	readonly name: string;
	readonly arch: 'nvidia' | 'amd';
	/** Memory reported by the card, a little less than advertised. */
	readonly vramMb: number;
	readonly memoryGbs: number;
	readonly watts: number;
	/** Compute capability times 100; null for other makers than NVIDIA. */
	readonly computeCap: number | null;
	/** TFLOPS in single precision. */
	readonly tflops: number;
	/** A benchmark score. */
	readonly dlperf: number;
	readonly pcieGen: number;
	/** NVLink bandwidth; 0 for none. */
	readonly nvlinkGbs: number;
	/** Dollars an hour for a GPU. */
	readonly prices: readonly [low: number, high: number];
	readonly kind: GpuChassis;
	readonly weight: number;
};

type Row = readonly [
	name: string,
	vramMb: number,
	memoryGbs: number,
	watts: number,
	computeCap: number | null,
	tflops: number,
	dlperf: number,
	pcieGen: number,
	nvlinkGbs: number,
	low: number,
	high: number,
	weight: number,
];

const home: readonly Row[] = [
	['GTX 1060', 6144, 192, 120, 610, 4.4, 4.3, 3, 0, 0.03, 0.06, 2],
	['GTX 1070', 8192, 256, 150, 610, 6.5, 6.2, 3, 0, 0.035, 0.07, 2],
	['GTX 1080', 8192, 320, 180, 610, 8.9, 7.9, 3, 0, 0.04, 0.08, 3],
	['GTX 1080 Ti', 11264, 484, 250, 610, 11.3, 10.6, 3, 0, 0.05, 0.11, 5],
	['GTX 1650', 4096, 128, 75, 750, 3, 3.3, 3, 0, 0.025, 0.05, 1],
	['GTX 1660', 6144, 192, 120, 750, 5, 5.6, 3, 0, 0.03, 0.06, 2],
	['GTX 1660 S', 6144, 336, 125, 750, 5, 6.4, 3, 0, 0.03, 0.065, 3],
	['GTX 1660 Ti', 6144, 288, 120, 750, 5.4, 6.5, 3, 0, 0.03, 0.065, 2],
	['Titan Xp', 12288, 548, 250, 610, 12.1, 11.3, 3, 0, 0.06, 0.12, 2],
	['Titan V', 12288, 653, 250, 700, 14.9, 17.3, 3, 0, 0.09, 0.18, 1],
	['Titan RTX', 24576, 672, 280, 750, 16.3, 20.1, 3, 0, 0.12, 0.24, 2],
	['RTX 2060', 6144, 336, 160, 750, 6.5, 9.1, 3, 0, 0.035, 0.07, 4],
	['RTX 2060S', 8192, 448, 175, 750, 7.2, 10.4, 3, 0, 0.04, 0.08, 3],
	['RTX 2070', 8192, 448, 175, 750, 7.5, 10.9, 3, 0, 0.04, 0.085, 4],
	['RTX 2070S', 8192, 448, 215, 750, 9.1, 12.4, 3, 0, 0.045, 0.09, 4],
	['RTX 2080', 8192, 448, 215, 750, 10.1, 13.3, 3, 0, 0.05, 0.1, 3],
	['RTX 2080 Ti', 11264, 616, 250, 750, 13.5, 17.9, 3, 0, 0.07, 0.15, 10],
	['RTX 3060', 12288, 360, 170, 860, 12.7, 13.8, 4, 0, 0.045, 0.11, 26],
	['RTX 3060 Ti', 8192, 448, 200, 860, 16.2, 17.2, 4, 0, 0.055, 0.12, 14],
	['RTX 3070', 8192, 448, 220, 860, 20.3, 19.6, 4, 0, 0.06, 0.13, 18],
	['RTX 3070 Ti', 8192, 608, 290, 860, 21.7, 21.3, 4, 0, 0.065, 0.14, 8],
	['RTX 3080', 10240, 760, 320, 860, 29.8, 28.6, 4, 0, 0.09, 0.2, 18],
	['RTX 3080 Ti', 12288, 912, 350, 860, 34.1, 32.7, 4, 0, 0.11, 0.23, 12],
	['RTX 3090', 24576, 936, 350, 860, 35.6, 36.9, 4, 0, 0.13, 0.34, 48],
	['RTX 3090 Ti', 24564, 1008, 450, 860, 40, 41.2, 4, 0, 0.16, 0.38, 8],
	['RTX 4060', 8188, 272, 115, 890, 15.1, 17.5, 4, 0, 0.055, 0.12, 6],
	['RTX 4060 Ti', 16380, 288, 165, 890, 22.1, 22.9, 4, 0, 0.075, 0.17, 12],
	['RTX 4070', 12282, 504, 200, 890, 29.1, 33.2, 4, 0, 0.1, 0.22, 8],
	['RTX 4070S', 12282, 504, 220, 890, 35.5, 37.8, 4, 0, 0.11, 0.24, 7],
	['RTX 4070 Ti', 12282, 504, 285, 890, 40.1, 41.7, 4, 0, 0.12, 0.26, 9],
	['RTX 4070S Ti', 16376, 672, 285, 890, 44.1, 46.5, 4, 0, 0.14, 0.29, 7],
	['RTX 4080', 16376, 717, 320, 890, 48.7, 53.1, 4, 0, 0.17, 0.35, 9],
	['RTX 4080S', 16376, 736, 320, 890, 52.2, 55.6, 4, 0, 0.18, 0.37, 8],
	['RTX 4090', 24564, 1008, 450, 890, 82.6, 94.6, 4, 0, 0.28, 0.68, 90],
	['RTX 5060 Ti', 16311, 448, 180, 1200, 23.7, 27.4, 5, 0, 0.08, 0.19, 9],
	['RTX 5070', 12227, 672, 250, 1200, 30.9, 41.5, 5, 0, 0.11, 0.25, 7],
	['RTX 5070 Ti', 16303, 896, 300, 1200, 43.9, 58.2, 5, 0, 0.16, 0.34, 12],
	['RTX 5080', 16303, 960, 360, 1200, 56.3, 72.4, 5, 0, 0.21, 0.46, 16],
	['RTX 5090', 32607, 1792, 575, 1200, 104.8, 152.6, 5, 0, 0.38, 0.98, 60],
	['RX 7900 XTX', 24560, 960, 355, null, 61.4, 48.3, 4, 0, 0.15, 0.35, 3],
];

const workstation: readonly Row[] = [
	['Quadro P4000', 8192, 243, 105, 610, 5.3, 5.8, 3, 0, 0.04, 0.09, 1],
	['Q RTX 4000', 8192, 416, 160, 750, 7.1, 10.7, 3, 0, 0.06, 0.13, 2],
	['Q RTX 6000', 24576, 672, 260, 750, 16.3, 20.4, 3, 0, 0.15, 0.32, 3],
	['Q RTX 8000', 49152, 672, 260, 750, 16.3, 20.9, 3, 0, 0.2, 0.42, 4],
	['RTX A2000', 6138, 288, 70, 860, 8, 9.4, 4, 0, 0.05, 0.11, 3],
	['RTX A4000', 16376, 448, 140, 860, 19.2, 22.5, 4, 0, 0.08, 0.2, 16],
	['RTX A4500', 20470, 640, 200, 860, 23.7, 27.3, 4, 0, 0.12, 0.26, 4],
	['RTX A5000', 24564, 768, 230, 860, 27.8, 32.8, 4, 0, 0.16, 0.36, 14],
	['RTX A6000', 49140, 768, 300, 860, 38.7, 41.6, 4, 0, 0.33, 0.7, 18],
	['RTX 4000Ada', 20475, 360, 130, 890, 26.7, 30.2, 4, 0, 0.14, 0.3, 6],
	['RTX 4500Ada', 24570, 432, 210, 890, 39.6, 43.1, 4, 0, 0.2, 0.42, 3],
	['RTX 5000Ada', 32760, 576, 250, 890, 65.3, 66.4, 4, 0, 0.32, 0.68, 5],
	['RTX 6000Ada', 49140, 960, 300, 890, 91.1, 92.8, 4, 0, 0.52, 1.05, 16],
	['RTX PRO 6000 WS', 97887, 1792, 600, 1200, 125, 176.3, 5, 0, 0.85, 1.75, 12],
];

const server: readonly Row[] = [
	['Tesla P4', 7680, 192, 75, 610, 5.5, 5.3, 3, 0, 0.035, 0.08, 1],
	['Tesla P40', 24576, 346, 250, 610, 11.8, 11.7, 3, 0, 0.09, 0.2, 4],
	['Tesla P100', 16384, 732, 250, 600, 9.5, 13.2, 3, 0, 0.08, 0.19, 3],
	['Tesla T4', 15360, 320, 70, 750, 8.1, 14.8, 3, 0, 0.09, 0.2, 8],
	['Tesla V100', 16384, 900, 250, 700, 14.1, 24.5, 3, 0, 0.12, 0.28, 12],
	['A10', 23028, 600, 150, 860, 31.2, 33.7, 4, 0, 0.16, 0.38, 8],
	['A30', 24576, 933, 165, 800, 10.3, 35.1, 4, 0, 0.2, 0.44, 2],
	['A40', 46068, 696, 300, 860, 37.4, 39.5, 4, 0, 0.28, 0.6, 14],
	['A100 PCIE', 81920, 1935, 300, 800, 19.5, 71.5, 4, 0, 0.65, 1.35, 12],
	['L4', 23034, 300, 72, 890, 30.3, 32.6, 4, 0, 0.19, 0.44, 10],
	['L40', 46068, 864, 300, 890, 90.5, 85.2, 4, 0, 0.45, 0.95, 8],
	['L40S', 46068, 864, 350, 890, 91.6, 93.1, 4, 0, 0.48, 1.02, 18],
	['H100 PCIE', 81559, 2039, 350, 900, 51.2, 184.3, 5, 0, 1.35, 2.45, 10],
	['H100 NVL', 95830, 3938, 400, 900, 60.3, 207.4, 5, 600, 1.5, 2.75, 10],
	['H200 NVL', 143771, 4813, 600, 900, 60.3, 231.8, 5, 900, 1.95, 3.4, 5],
	['RTX PRO 6000 S', 97887, 1597, 600, 1200, 120, 168.7, 5, 0, 0.82, 1.7, 8],
	['MI210', 65520, 1638, 300, null, 22.6, 58.2, 4, 0, 0.55, 1.15, 2],
];

const baseboard: readonly Row[] = [
	['Tesla V100 SXM2', 32768, 900, 300, 700, 15.7, 27.3, 3, 300, 0.17, 0.38, 5],
	['A100 SXM4', 81920, 2039, 400, 800, 19.5, 79.2, 4, 600, 0.68, 1.5, 26],
	['H100 SXM', 81559, 3352, 700, 900, 66.9, 258.6, 5, 900, 1.55, 3.1, 34],
	['H200', 143771, 4917, 700, 900, 66.9, 294.1, 5, 900, 2.15, 4.05, 18],
	['B200', 183359, 7672, 1000, 1000, 74.5, 486.7, 5, 1800, 2.95, 5.4, 8],
	['MI300X', 196592, 5300, 750, null, 163.4, 271.5, 5, 896, 1.65, 3.2, 4],
];

const superchip: readonly Row[] = [
	['GH200 SXM', 97871, 4022, 900, 900, 66.9, 263.4, 5, 900, 1.35, 2.35, 3],
];

const families: ReadonlyArray<readonly [GpuChassis, readonly Row[]]> = [
	['home', home],
	['workstation', workstation],
	['server', server],
	['baseboard', baseboard],
	['superchip', superchip],
];

export const gpus: readonly SeedGpu[] = families.flatMap(([kind, rows]) =>
	rows.map(row => gpuOf(kind, row)),
);

const byName: ReadonlyMap<string, SeedGpu> = new Map(gpus.map(gpu => [gpu.name, gpu]));

/** A GPU by its name, in any driver's spelling; undefined for an unknown one. */
export function findGpu(name: string): SeedGpu | undefined {
	return byName.get(name) ?? gpus.find(gpu => compareGpuNames(gpu.name, name) === 'same');
}

function gpuOf(kind: GpuChassis, row: Row): SeedGpu {
	const [name, vramMb, memoryGbs, watts, computeCap, tflops, dlperf, pcieGen, ...rest] = row;
	const [nvlinkGbs, low, high, weight] = rest;
	return {
		name,
		arch: computeCap === null ? 'amd' : 'nvidia',
		vramMb,
		memoryGbs,
		watts,
		computeCap,
		tflops,
		dlperf,
		pcieGen,
		nvlinkGbs,
		prices: [low, high],
		kind,
		weight,
	};
}
