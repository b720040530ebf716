/** Health of a GPU: a verdict from a table of rules, each with its evidence and remedy. */
import type {GpuReading} from './gpu-report.ts';

const grades = ['healthy', 'watch', 'sick', 'lost'] as const;
export type Health = (typeof grades)[number];

/** Cause of a fault. Only hardware counts against a machine. */
type Cause = 'hardware' | 'workload' | 'unknown';

/** An error that the driver logged in the kernel's log. */
export type Xid = {readonly bus: string; readonly number: number};

export type GpuEvidence = {
	readonly gpu: GpuReading;
	/** The previous check, since the driver was loaded. */
	readonly before?: GpuReading | undefined;
	/** Errors since the machine's start. */
	readonly xids: readonly Xid[];
	/** Working NVLinks, and the most that a GPU of the machine has. */
	readonly links?: {readonly active: number; readonly most: number} | undefined;
	/** Processes on it that belong to no instance. */
	readonly strangers?: readonly string[] | undefined;
};

export type HealthFinding = {
	readonly rule: string;
	readonly health: Health;
	readonly cause: Cause;
	/** The finding, in words that follow the GPU's name. */
	readonly evidence: string;
	readonly todo: string;
};

export type GpuHealth = {
	readonly health: Health;
	/** The most severe first. */
	readonly findings: readonly HealthFinding[];
};

type Rule = Omit<HealthFinding, 'evidence'> & {
	readonly evidence: (about: GpuEvidence) => string | undefined;
};

const RESET = 'Let its rentals end, then reset it (nvidia-smi --gpu-reset) or reboot.';
const REPLACE = 'Have it replaced.';

/** Errors by number, with their class in the maker's catalogue. */
const xidRules: ReadonlyArray<
	Omit<HealthFinding, 'rule' | 'evidence'> & {
		readonly numbers: readonly number[];
		readonly rule: string;
	}
> = [
	{
		rule: 'xid-lost',
		numbers: [79],
		health: 'lost',
		cause: 'hardware',
		todo: 'Reboot. If it is lost again, look at its power, seat and heat.',
	},
	{rule: 'xid-memory', numbers: [48, 95, 140], health: 'sick', cause: 'hardware', todo: RESET},
	{rule: 'xid-repair-failed', numbers: [64], health: 'sick', cause: 'hardware', todo: REPLACE},
	{
		rule: 'xid-link',
		numbers: [74],
		health: 'sick',
		cause: 'hardware',
		todo: 'Reset all GPUs that are linked. If it comes back, look at the bridge or board.',
	},
	{rule: 'xid-driver', numbers: [61, 62, 119, 120], health: 'sick', cause: 'unknown', todo: RESET},
	{
		rule: 'xid-memory-held',
		numbers: [63, 92, 94],
		health: 'watch',
		cause: 'hardware',
		todo: RESET,
	},
	{
		rule: 'xid-workload',
		numbers: [8, 13, 31, 43, 45, 68, 69, 109],
		health: 'healthy',
		cause: 'workload',
		todo: 'Nothing: a program did what it may not.',
	},
];

const rules: readonly Rule[] = [
	{
		rule: 'silent',
		health: 'lost',
		cause: 'hardware',
		evidence: ({gpu}) => gpu.silence && `does not answer its driver: ${gpu.silence}`,
		todo: 'Reboot. If it is lost again, look at its power, seat and heat.',
	},
	...xidRules.map(({numbers, ...rule}) => ({
		...rule,
		evidence: ({xids}: GpuEvidence) =>
			xidWords(xids.filter(({number}) => numbers.includes(number))),
	})),
	{
		rule: 'memory-errors',
		health: 'sick',
		cause: 'hardware',
		evidence: ({gpu: {ecc}}) => counted(ecc.uncorrected, 'memory error', 'that was not corrected'),
		todo: RESET,
	},
	{
		rule: 'repair-failed',
		health: 'sick',
		cause: 'hardware',
		evidence: ({gpu: {repair}}) =>
			repair.hasFailed ? 'has no spare rows left for a broken place of its memory' : undefined,
		todo: REPLACE,
	},
	{
		rule: 'repair-pending',
		health: 'sick',
		cause: 'hardware',
		evidence: ({gpu: {repair}}) =>
			repair.isPending ? 'has a broken place of its memory that a reset replaces' : undefined,
		todo: RESET,
	},
	{
		rule: 'recovery',
		health: 'sick',
		cause: 'unknown',
		evidence: ({gpu: {recovery}}) => recovery && `needs what its driver calls ${recovery}`,
		todo: 'Let its rentals end, and do what the driver asks for.',
	},
	{
		rule: 'slowed',
		health: 'watch',
		cause: 'hardware',
		evidence: ({gpu: {slowedBy, heat}}) =>
			slowedBy.length === 0
				? undefined
				: `is slowed down: ${slowedBy.join(', ')}${heat === undefined ? '' : `, at ${heat} C`}`,
		todo: 'Look at fans, air, heat of the room and the power supply.',
	},
	{
		rule: 'lanes',
		health: 'watch',
		cause: 'hardware',
		evidence: ({gpu: {pcie}}) =>
			less(pcie.lanes, pcie.mostLanes)
				? `has ${pcie.lanes} of ${pcie.mostLanes} lanes of PCIe`
				: undefined,
		todo: 'Seat it anew; look at riser and slot.',
	},
	{
		rule: 'generation',
		health: 'watch',
		cause: 'hardware',
		// An idle GPU lowers it to save power.
		evidence: ({gpu: {pcie, use = 0}}) =>
			use >= BUSY && less(pcie.generation, pcie.mostGeneration)
				? `has PCIe ${pcie.generation} and not ${pcie.mostGeneration} while it works`
				: undefined,
		todo: 'Seat it anew; look at riser and slot.',
	},
	{
		rule: 'links',
		health: 'watch',
		cause: 'hardware',
		evidence: ({links}) =>
			links && links.active < links.most
				? `has ${links.active} of ${links.most} NVLinks`
				: undefined,
		todo: 'Reset all GPUs that are linked. If it stays so, look at the bridge or board.',
	},
	{
		rule: 'corrected-errors',
		health: 'watch',
		cause: 'hardware',
		evidence({gpu: {ecc}, before}) {
			const {corrected = 0} = ecc;
			const grown = corrected - (before?.ecc.corrected ?? corrected);
			return corrected >= MANY_CORRECTED || grown >= FAST_CORRECTED
				? counted(corrected, 'memory error', 'that was corrected')
				: undefined;
		},
		todo: 'Nothing yet: it wears. Look at it again in a day.',
	},
	{
		rule: 'strangers',
		health: 'watch',
		cause: 'unknown',
		evidence: ({strangers = []}) =>
			strangers.length === 0
				? undefined
				: `is used by what belongs to no instance: ${strangers.join(', ')}`,
		todo: 'End those programs, or do not list the GPU.',
	},
];

/** Percentage of usage from which a GPU counts as busy. */
const BUSY = 50;
/** Corrected errors from which a GPU needs watching: in total, and between two checks. */
const MANY_CORRECTED = 100;
const FAST_CORRECTED = 10;

export function judgeGpu(about: GpuEvidence): GpuHealth {
	const findings = rules
		.flatMap(({evidence, ...rule}) => {
			const seen = evidence(about);
			return seen === undefined ? [] : [{...rule, evidence: seen}];
		})
		.toSorted((one, other) => gravity(other.health) - gravity(one.health));
	return {health: findings[0]?.health ?? 'healthy', findings};
}

/** Evidence about all GPUs of a machine, each list in the order of the report. */
type GpusEvidence = {
	readonly gpus: readonly GpuReading[];
	readonly before?: readonly GpuReading[] | undefined;
	readonly xids?: readonly Xid[] | undefined;
	/** Working NVLinks of each. */
	readonly links: readonly number[];
};

/** Health of each GPU in the order of the report. */
export function judgeGpus({gpus, before, xids = [], links}: GpusEvidence): readonly GpuHealth[] {
	const most = Math.max(0, ...links);
	return gpus.map((gpu, at) => {
		const active = links[at];
		return judgeGpu({
			gpu,
			before: before?.find(({uuid}) => uuid !== undefined && uuid === gpu.uuid),
			xids: xidsOf(xids, gpu),
			...(active !== undefined && {links: {active, most}}),
		});
	});
}

/** Severity of a verdict, from healthy to lost. */
export function gravity(health: Health): number {
	return grades.indexOf(health);
}

export function isHealth(text: unknown): text is Health {
	return grades.some(grade => grade === text);
}

const MOST_XIDS = 1000;

/** Errors in the kernel's log, whichever program wrote its lines. */
export function readXids(text: string): readonly Xid[] {
	const found = text.matchAll(/NVRM: Xid \(PCI:([\da-f:.]{1,16})\): (\d{1,4})\b/gi);
	return [...found.take(MOST_XIDS)].map(([, bus = '', number]) => ({bus, number: Number(number)}));
}

/** Errors of one GPU, by its bus id: `0000:1b:00` is the one at `00000000:1B:00.0`. */
export function xidsOf(all: readonly Xid[], {bus}: Pick<GpuReading, 'bus'>): readonly Xid[] {
	return all.filter(xid => plainBus(xid.bus) === plainBus(bus));
}

/** Domain, bus and device, without the function: domains have four or eight digits. */
function plainBus(bus: string): string {
	const [domain = '', ...rest] = bus.toLowerCase().split('.')[0]?.split(':') ?? [];
	return [Number.parseInt(domain, 16), ...rest].join(':');
}

/** Working NVLinks of each GPU, as `nvidia-smi nvlink -s` lists them. */
export function readLinks(text: string): readonly number[] {
	return text
		.split(/^(?=GPU \d+:)/m)
		.filter(part => part.startsWith('GPU '))
		.map(part => [...part.matchAll(/^[\t ]{0,16}Link \d{1,3}: [\d.]{1,12} GB\/s/gm)].length);
}

function xidWords(xids: readonly Xid[]): string | undefined {
	const numbers = [...new Set(xids.map(({number}) => number))];
	return numbers.length === 0
		? undefined
		: `had error Xid ${numbers.join(', ')}, ${times(xids.length)}`;
}

function times(count: number): string {
	return count === 1 ? 'once' : `${count} times`;
}

function counted(count: number | undefined, noun: string, that: string): string | undefined {
	if (count === undefined || count === 0) return undefined;
	return count === 1
		? `had 1 ${noun} ${that}`
		: `had ${count} ${noun}s ${that.replace('was', 'were')}`;
}

function less(one: number | undefined, other: number | undefined): boolean {
	return one !== undefined && other !== undefined && one < other;
}
