/** Parts around the GPUs: locations, processors, boards, disks and drivers that exist. */
import type {GpuChassis} from './gpus.ts';

export type Setting = 'home' | 'datacenter';

type Weighted = {readonly weight: number};

type Place = Weighted & {readonly text: string};

const place = (text: string, weight: number): Place => ({text, weight});

/** Locations of machines; some owners name only the country. */
export const seedLocations: readonly Place[] = [
	place(', US', 20),
	place('California, US', 34),
	place('Texas, US', 30),
	place('Washington, US', 22),
	place('Virginia, US', 18),
	place('Utah, US', 16),
	place('Illinois, US', 12),
	place('New York, US', 12),
	place('Oregon, US', 10),
	place('Florida, US', 10),
	place('Georgia, US', 9),
	place('Ohio, US', 7),
	place('Minnesota, US', 6),
	place('Arizona, US', 6),
	place('North Carolina, US', 6),
	place('Quebec, CA', 22),
	place('Ontario, CA', 14),
	place('British Columbia, CA', 6),
	place('Alberta, CA', 4),
	place('Sweden, SE', 22),
	place('Norway, NO', 20),
	place('Finland, FI', 9),
	place('Iceland, IS', 8),
	place('Denmark, DK', 4),
	place('United Kingdom, GB', 16),
	place('Netherlands, NL', 12),
	place('Germany, DE', 18),
	place('France, FR', 14),
	place('Spain, ES', 12),
	place('Portugal, PT', 4),
	place('Italy, IT', 7),
	place('Switzerland, CH', 4),
	place('Austria, AT', 4),
	place('Belgium, BE', 3),
	place('Poland, PL', 12),
	place('Czechia, CZ', 14),
	place('Slovakia, SK', 4),
	place('Hungary, HU', 8),
	place('Romania, RO', 8),
	place('Bulgaria, BG', 14),
	place('Greece, GR', 3),
	place('Slovenia, SI', 4),
	place('Estonia, EE', 6),
	place('Lithuania, LT', 4),
	place('Ukraine, UA', 5),
	place('Moldova, MD', 2),
	place('Türkiye, TR', 3),
	place('Israel, IL', 3),
	place('United Arab Emirates, AE', 4),
	place('India, IN', 10),
	place('Japan, JP', 10),
	place('South Korea, KR', 10),
	place('Taiwan, TW', 10),
	place('China, CN', 14),
	place('Hong Kong, HK', 4),
	place('Vietnam, VN', 9),
	place('Thailand, TH', 6),
	place('Malaysia, MY', 3),
	place('Singapore, SG', 5),
	place('Australia, AU', 8),
	place('New Zealand, NZ', 2),
	place('Brazil, BR', 5),
	place('Argentina, AR', 2),
	place('Chile, CL', 1),
	place('South Africa, ZA', 2),
];

export type Cpu = Weighted & {
	readonly name: string;
	readonly threads: number;
	readonly ghz: number;
	readonly pcieGen: number;
	readonly boards: readonly string[];
};

const am4: readonly string[] = [
	'X570 AORUS ELITE',
	'ROG STRIX B550-F GAMING',
	'B450M DS3H',
	'X470D4U',
];
const am5: readonly string[] = ['X670E Taichi', 'ROG CROSSHAIR X870E HERO', 'B650 AORUS ELITE AX'];
const intel: readonly string[] = ['PRIME Z690-P', 'Z790 AORUS ELITE AX', 'MPG Z490 GAMING PLUS'];
const sp3: readonly string[] = ['ROMED8-2T', 'H12SSL-i', 'MZ32-AR0-00', 'S8030GM2NE', 'KRPA-U16'];
const sp5: readonly string[] = ['GENOA2D24G-2L+', 'H13SSL-N', 'MZ33-AR0-000', 'K14PA-U24'];
const xeonE5: readonly string[] = ['X10DRG-O+-CPU', 'Z10PE-D16 WS', 'X99-E WS'];
const xeonGold: readonly string[] = ['X11DPi-N', 'X11DPG-OT-CPU', 'S7106'];
const xeon5: readonly string[] = ['X13DEG-OA', 'PowerEdge XE9680', 'X13DEI-T', 'G593-SD0-AAX1'];
const grace: readonly string[] = ['ARS-111GL-NHR', 'QuantaGrid S74G-2U'];

const cpu = (
	name: string,
	threads: number,
	ghz: number,
	pcieGen: number,
	boards: readonly string[],
	weight: number,
): Cpu => ({name, threads, ghz, pcieGen, boards, weight});

const pcs: readonly Cpu[] = [
	cpu('AMD Ryzen 5 3600 6-Core Processor', 12, 4.2, 4, am4, 6),
	cpu('AMD Ryzen 7 5700X 8-Core Processor', 16, 4.6, 4, am4, 8),
	cpu('AMD Ryzen 9 5950X 16-Core Processor', 32, 4.9, 4, am4, 10),
	cpu('AMD Ryzen 9 7950X 16-Core Processor', 32, 5.7, 5, am5, 9),
	cpu('AMD Ryzen 9 9950X 16-Core Processor', 32, 5.7, 5, am5, 6),
	cpu('Intel® Core™ i5-12400F', 12, 4.4, 5, intel, 5),
	cpu('Intel® Core™ i7-10700K CPU @ 3.80GHz', 16, 5.1, 3, intel, 5),
	cpu('Intel® Core™ i9-13900K', 32, 5.8, 5, intel, 7),
	cpu('Intel® Core™ i9-14900K', 32, 6, 5, intel, 7),
	cpu('Xeon® E5-2680 v4', 28, 3.3, 3, xeonE5, 10),
	cpu('AMD Ryzen Threadripper 3960X 24-Core Processor', 48, 4.5, 4, ['TRX40 AORUS MASTER'], 4),
	cpu('AMD EPYC 7402P 24-Core Processor', 48, 3.35, 4, sp3, 8),
	cpu('AMD EPYC 7B12 64-Core Processor', 128, 3.3, 4, sp3, 6),
];

const servers: readonly Cpu[] = [
	cpu('Xeon® Gold 6148', 40, 3.7, 3, xeonGold, 5),
	cpu('Xeon® Gold 6248R', 48, 4, 3, xeonGold, 5),
	cpu('AMD EPYC 7452 32-Core Processor', 64, 3.35, 4, sp3, 9),
	cpu('AMD EPYC 7543 32-Core Processor', 64, 3.7, 4, sp3, 10),
	cpu('AMD EPYC 7713 64-Core Processor', 128, 3.67, 4, sp3, 9),
	cpu('AMD EPYC 7763 64-Core Processor', 128, 3.5, 4, sp3, 8),
	cpu('Xeon® Platinum 8358', 64, 3.4, 4, ['X12DPG-QT6', 'S7120'], 5),
	cpu('AMD EPYC 9354 32-Core Processor', 64, 3.8, 5, sp5, 8),
	cpu('AMD EPYC 9554 64-Core Processor', 128, 3.75, 5, sp5, 8),
	cpu('AMD EPYC 9654 96-Core Processor', 192, 3.7, 5, sp5, 7),
];

const baseboards: readonly Cpu[] = [
	cpu('AMD EPYC 7742 64-Core Processor', 256, 3.4, 4, ['DGXA100', 'G492-ZD2-00'], 6),
	cpu('AMD EPYC 9654 96-Core Processor', 384, 3.7, 5, sp5, 6),
	cpu('AMD EPYC 9575F 64-Core Processor', 256, 5, 5, sp5, 5),
	cpu('Xeon® Platinum 8468', 192, 3.8, 5, xeon5, 9),
	cpu('Xeon® Platinum 8480+', 224, 3.8, 5, xeon5, 10),
	cpu('Xeon® Platinum 8568Y+', 192, 4, 5, xeon5, 6),
];

export const cpus: Readonly<Record<GpuChassis, readonly Cpu[]>> = {
	home: pcs,
	workstation: [...servers, ...pcs],
	server: servers,
	baseboard: baseboards,
	superchip: [cpu('Neoverse-V2', 72, 3.4, 5, grace, 1)],
};

type Disk = Weighted & {
	readonly name: string;
	readonly gb: number;
	readonly megabytesPerSecond: number;
};

const disk = (name: string, gb: number, megabytesPerSecond: number, weight: number): Disk => ({
	name,
	gb,
	megabytesPerSecond,
	weight,
});

export const disks: Readonly<Record<Setting, readonly Disk[]>> = {
	home: [
		disk('Samsung SSD 870 EVO 1TB', 931, 520, 6),
		disk('CT1000P3PSSD8', 931, 2900, 7),
		disk('KINGSTON SNV2S2000G', 1863, 2400, 8),
		disk('WD_BLACK SN770 2TB', 1863, 4300, 8),
		disk('Samsung SSD 980 PRO 2TB', 1863, 5100, 8),
		disk('Samsung SSD 990 PRO 4TB', 3726, 6300, 6),
		disk('WD_BLACK SN850X 4000GB', 3726, 6100, 5),
		disk('CT4000T500SSD3', 3726, 6000, 4),
	],
	datacenter: [
		disk('INTEL SSDPE2KX040T8', 3726, 2700, 7),
		disk('SAMSUNG MZQL23T8HCLS-00A07', 3576, 5200, 9),
		disk('SAMSUNG MZQL27T6HBLA-00A07', 7153, 5400, 9),
		disk('Micron_7450_MTFDKCC7T6TFR', 7153, 5600, 8),
		disk('KIOXIA KCD8XPUG15T3', 14_307, 6400, 4),
		disk('SOLIDIGM SBFPF2BU153T', 14_307, 6100, 3),
		disk('nvme', 28_614, 9800, 4),
	],
};

/** A driver, and the newest CUDA that programs may use with it. */
type NvidiaDriver = Weighted & {readonly version: string; readonly cuda: number};

const driver = (version: string, cuda: number, weight: number): NvidiaDriver => ({
	version,
	cuda,
	weight,
});

/** Drivers from the oldest to the newest; GPUs after Ada Lovelace need the later ones. */
export const olderDrivers: readonly NvidiaDriver[] = [
	driver('525.147.05', 12, 3),
	driver('535.183.01', 12.2, 10),
	driver('535.230.02', 12.2, 6),
	driver('545.23.08', 12.3, 3),
	driver('550.54.15', 12.4, 6),
	driver('550.127.05', 12.4, 14),
	driver('550.163.01', 12.4, 10),
	driver('560.35.05', 12.6, 8),
	driver('565.57.01', 12.7, 8),
];

export const newerDrivers: readonly NvidiaDriver[] = [
	driver('570.86.15', 12.8, 8),
	driver('570.133.20', 12.8, 10),
	driver('570.172.08', 12.8, 10),
	driver('575.57.08', 12.9, 9),
	driver('580.65.06', 13, 8),
	driver('580.95.05', 13, 12),
];

/** Pseudo-random numbers, the same for the same seed. */
export type SeedRandom = {
	/** At least 0, below 1. */
	readonly next: () => number;
	readonly between: (low: number, high: number) => number;
	/** Whole number between two ends, both included. */
	readonly whole: (low: number, high: number) => number;
	readonly chance: (probability: number) => boolean;
	readonly pick: <Item>(items: readonly Item[]) => Item;
	/** Item chosen in proportion to its weight. */
	readonly weighted: <Item extends {readonly weight: number}>(items: readonly Item[]) => Item;
};

export function createRandom(seed: number): SeedRandom {
	let state = seed >>> 0;
	// mulberry32: 32 bits of state, and the same on every machine.
	const next = () => {
		state = (state + 0x6d_2b_79_f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	return {
		next,
		whole,
		between: (low, high) => low + next() * (high - low),
		chance: probability => next() < probability,
		pick: items => present(items[whole(0, items.length - 1)]),
		weighted: items => {
			let rest = next() * items.reduce((sum, {weight}) => sum + weight, 0);
			return present(items.find(({weight}) => (rest -= weight) < 0) ?? items.at(-1));
		},
	};
}

function present<Item>(item: Item | undefined): Item {
	if (item === undefined) throw new RangeError('there is nothing to pick from');
	return item;
}

export function roundToDecimals(value: number, decimals: number): number {
	const factor = 10 ** decimals;
	return Math.round(value * factor) / factor;
}
