import type {Instance} from '../../contract/nouns/instance-record.ts';
import {compareGpuNames, gpuName} from '../../contract/rules/gpu-names.ts';
import {count} from '../text/format.ts';
import {
	compared,
	gb,
	leastOf,
	unsaid,
	type ExaminedInstance,
	type HealthCheckResult,
} from './finding.ts';
import type {ExaminationReadings} from './readings.ts';

export function compareOrderedGpus({instance, readings}: ExaminedInstance): HealthCheckResult {
	const {gpus} = readings;
	const wanted = instance.num_gpus ?? undefined;
	const ordered = `${wanted ?? '?'}x ${instance.gpu_name ?? '?'}`;
	const names = gpus.map(({name}) => name).filter(name => name !== undefined);
	const [first = ''] = names;
	const found = gpus.length === 0 ? undefined : `${gpus.length}x ${gpuName(first)}`;
	return {
		ordered,
		found,
		...(whyMissing(gpus.length, wanted, readings) ?? judgeNames(names, instance)),
	};
}

type Judged = Pick<HealthCheckResult, 'verdict' | 'says'>;

function whyMissing(
	there: number,
	wanted: number | undefined,
	{tool}: ExaminationReadings,
): Judged | undefined {
	if (tool === 'silent') {
		const says = 'the driver did not answer within 25 s: it may wait for a GPU that is lost';
		return {verdict: 'fail', says};
	}
	if (there === 0) {
		const says = 'nothing in it tells of GPUs: neither nvidia-smi nor rocm-smi works there';
		return {verdict: 'unknown', says};
	}
	if (wanted === undefined || there >= wanted) return undefined;
	return {verdict: 'fail', says: `${there} of the ${wanted} GPUs that were ordered are there`};
}

function judgeNames(names: readonly string[], {gpu_name: ordered}: Instance): Judged {
	const verdicts = names.map(name => compareGpuNames(ordered ?? name, name));
	const other = names[verdicts.indexOf('other')];
	if (other !== undefined) {
		return {verdict: 'fail', says: `it has ${gpuName(other)}, and ${ordered} was ordered`};
	}
	const [name = 'what the driver does not name'] = names;
	const says = `${names.length}x ${gpuName(name)}, as ordered`;
	if (!verdicts.includes('unsure')) return {verdict: 'ok', says};
	return {verdict: 'ok', says: `${says}, as far as the names say: ${name}`};
}

/** Tolerance for GPUs of one model: drivers reserve different amounts of memory. */
const MEMORY = {warn: 0.95, fail: 0.95} as const;

export function checkGpuMemory({instance, readings}: ExaminedInstance): HealthCheckResult {
	const {gpu_ram: wanted} = instance;
	const least = leastOf(readings.gpus, ({memoryMb}) => memoryMb && memoryMb / 1024);
	return compared({wanted: wanted && wanted / 1024, got: least?.value}, MEMORY, {
		unit: 'GB',
		digits: 1,
		what: least === undefined ? 'a GPU has' : `GPU ${least.at} has`,
	});
}

export function checkDriver({instance, readings}: ExaminedInstance): HealthCheckResult {
	const {cuda_max_good: wanted} = instance;
	const ordered = wanted === undefined || wanted === null ? undefined : `CUDA ${wanted}`;
	const {driver, cuda} = readings;
	if (driver === undefined) {
		return {ordered, found: undefined, verdict: 'unknown', says: 'no tool says its driver'};
	}
	const found = cuda === undefined ? driver : `${driver}, CUDA ${cuda}`;
	if (typeof wanted === 'number' && cuda !== undefined && cuda < wanted) {
		const says = `driver ${driver} is for CUDA ${cuda} at most, and ${wanted} was ordered`;
		return {ordered, found, verdict: 'fail', says};
	}
	return {ordered, found, verdict: 'ok', says: `driver ${found}`};
}

export function checkPcie({instance, readings}: ExaminedInstance): HealthCheckResult {
	const {gpu_lanes: lanes, pci_gen: generation} = instance;
	const ordered =
		lanes === undefined || lanes === null
			? undefined
			: `${generation ? `PCIe ${generation} ` : ''}x${lanes}`;
	const fewest = leastOf(readings.gpus, ({pcie}) => pcie.lanes);
	const oldest = leastOf(readings.gpus, ({pcie}) => pcie.mostGeneration);
	if (fewest === undefined) {
		return {ordered, found: undefined, verdict: 'unknown', says: 'the driver does not say it'};
	}
	const found = `PCIe ${oldest?.value ?? '?'} x${fewest.value}`;
	if (typeof lanes === 'number' && fewest.value < lanes) {
		const says = `GPU ${fewest.at} has ${fewest.value} lanes, and ${lanes} were ordered`;
		return {ordered, found, verdict: 'fail', says};
	}
	if (typeof generation === 'number' && oldest !== undefined && oldest.value < generation) {
		const says = `GPU ${oldest.at} has PCIe ${oldest.value}, and ${generation} was ordered`;
		return {ordered, found, verdict: 'fail', says};
	}
	return {ordered, found, verdict: 'ok', says: `${found} at least`};
}

export function checkHeat({readings}: ExaminedInstance): HealthCheckResult {
	const hottest = leastOf(readings.gpus, ({heat}) => (heat === undefined ? undefined : -heat));
	if (hottest === undefined) return unsaid;
	const found = `${-hottest.value} C`;
	const says = `${found} at most, and nothing slows them down`;
	return {ordered: undefined, found, verdict: 'ok', says};
}

/** Tolerance for a lower power limit, which may be rounding. */
const LIMITED = 0.95;

export function checkPower({readings}: ExaminedInstance): HealthCheckResult {
	const limited = readings.gpus.findIndex(
		({power: {limit, usualLimit}}) =>
			limit !== undefined && usualLimit !== undefined && limit < LIMITED * usualLimit,
	);
	const {limit, usualLimit} = (readings.gpus[limited] ?? readings.gpus[0])?.power ?? {};
	if (limit === undefined) return unsaid;
	const part = {
		ordered: usualLimit === undefined ? undefined : `${count(usualLimit)} W`,
		found: `${count(limit)} W`,
	};
	return limited < 0
		? {...part, verdict: 'ok', says: `${part.found} each, which is usual`}
		: {
				...part,
				verdict: 'warn',
				says: `GPU ${limited} is held to ${part.found}, and ${part.ordered} is usual`,
			};
}

/** Share of its clock below which a busy GPU is throttled, whatever its driver reports. */
const SLOW_CLOCK = 0.6;
const BUSY = 90;

export function checkGpuClock({readings}: ExaminedInstance): HealthCheckResult {
	const slow = readings.gpus.findIndex(
		({use = 0, clock: {now, most}}) =>
			use >= BUSY && now !== undefined && most !== undefined && now < SLOW_CLOCK * most,
	);
	const {now, most} = (readings.gpus[slow] ?? readings.gpus[0])?.clock ?? {};
	if (now === undefined || most === undefined) return unsaid;
	const part = {ordered: undefined, found: `${count(now)} of ${count(most)} MHz`};
	return slow < 0
		? {...part, verdict: 'ok', says: `${part.found}; without work it rests`}
		: {...part, verdict: 'warn', says: `GPU ${slow} works at ${part.found}`};
}

export function checkEcc({readings}: ExaminedInstance): HealthCheckResult {
	const known = readings.gpus.filter(({ecc}) => ecc.uncorrected !== undefined);
	if (known.length === 0) {
		return {...unsaid, says: 'these GPUs count no errors of their memory'};
	}
	const corrected = known.reduce((sum, {ecc}) => sum + (ecc.corrected ?? 0), 0);
	const says =
		corrected === 0
			? 'no errors of memory since the driver was loaded'
			: `${corrected} errors of memory, all corrected`;
	return {ordered: undefined, found: String(corrected), verdict: 'ok', says};
}

export function checkXids({readings: {xids}}: ExaminedInstance): HealthCheckResult {
	if (xids === undefined) {
		return {...unsaid, says: 'the kernel’s log may not be read in it'};
	}
	return {ordered: undefined, found: String(xids.length), verdict: 'ok', says: 'none in the log'};
}

export function checkNvLinks({readings: {links, gpus}}: ExaminedInstance): HealthCheckResult {
	const most = Math.max(0, ...links);
	if (most === 0) {
		const says = gpus.length === 1 ? 'one GPU needs none' : 'none between these GPUs';
		return {ordered: undefined, found: '0', verdict: 'ok', says};
	}
	return {ordered: undefined, found: String(most), verdict: 'ok', says: `${most} links each`};
}

/** Upper bound of the memory that a driver itself uses on a GPU. */
const USED_MB = 1500;

export function checkForOtherProcesses({
	readings: {gpus, holders},
}: ExaminedInstance): HealthCheckResult {
	if (holders === undefined) return unsaid;
	const at = gpus.findIndex(({usedMb = 0, use = 0}) => usedMb > USED_MB && use > 0);
	if (holders > 0 || at < 0) {
		const says = holders > 0 ? 'what works on them is yours' : 'nobody else works on them';
		return {ordered: undefined, found: undefined, verdict: 'ok', says};
	}
	const {usedMb = 0, use = 0} = gpus[at] ?? {};
	return {
		ordered: undefined,
		found: `${gb(usedMb / 1024)} GB`,
		verdict: 'warn',
		says: `GPU ${at} is ${use} % busy with ${gb(usedMb / 1024)} GB, and no program of yours has it open`,
	};
}
