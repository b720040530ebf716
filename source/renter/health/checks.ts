/** Checks of an instance against its order: a table, and a verdict on the whole. */
import {
	gravity,
	judgeGpus,
	type GpuHealth,
	type HealthFinding,
} from '../../contract/rules/gpu-health.ts';
import type {ExaminedInstance, ExaminationFinding, HealthCheckResult, Whole} from './finding.ts';
import {
	checkGpuClock,
	checkDriver,
	checkEcc,
	compareOrderedGpus,
	checkHeat,
	checkNvLinks,
	checkGpuMemory,
	checkPcie,
	checkPower,
	checkXids,
	checkForOtherProcesses,
} from './gpu-checks.ts';
import {
	checkDiskSpace,
	checkDiskSpeed,
	checkNetworkSpeed,
	checkProcessors,
	checkRam,
	checkMachineClock,
} from './machine-checks.ts';
import type {ExaminationReadings} from './readings.ts';

type Check = {
	readonly name: string;
	readonly rules: readonly string[];
	readonly look: (examined: ExaminedInstance) => HealthCheckResult;
};

const checks: readonly Check[] = [
	{name: 'GPUs', rules: ['silent', 'xid-lost'], look: compareOrderedGpus},
	{name: 'memory', rules: [], look: checkGpuMemory},
	{name: 'driver', rules: ['recovery', 'xid-driver'], look: checkDriver},
	{name: 'PCIe', rules: ['lanes', 'generation'], look: checkPcie},
	{name: 'heat', rules: ['slowed'], look: checkHeat},
	{name: 'power', rules: [], look: checkPower},
	{name: 'clock', rules: [], look: checkGpuClock},
	{
		name: 'ECC',
		rules: ['memory-errors', 'repair-failed', 'repair-pending', 'corrected-errors'],
		look: checkEcc,
	},
	{
		name: 'Xid',
		rules: ['xid-memory', 'xid-repair-failed', 'xid-link', 'xid-memory-held', 'xid-workload'],
		look: checkXids,
	},
	{name: 'NVLink', rules: ['links'], look: checkNvLinks},
	{name: 'alone', rules: [], look: checkForOtherProcesses},
	{name: 'disk', rules: [], look: checkDiskSpace},
	{name: 'disk speed', rules: [], look: checkDiskSpeed},
	{name: 'line', rules: [], look: checkNetworkSpeed},
	{name: 'RAM', rules: [], look: checkRam},
	{name: 'CPU', rules: [], look: checkProcessors},
	{name: 'time', rules: [], look: checkMachineClock},
];

const ofGpus = new Set(checks.slice(0, 11).map(({name}) => name));

export function checkInstance(examined: ExaminedInstance): readonly ExaminationFinding[] {
	const {instance, seen} = examined;
	const healths = judgeGpus(seen);
	const hasGpus = seen.gpus.length > 0 || (instance.num_gpus ?? 0) > 0;
	const isSeen = seen.gpus.length > 0;
	return checks
		.filter(({name}) => hasGpus || !ofGpus.has(name))
		.filter(({name}) => isSeen || !ofGpus.has(name) || name === 'GPUs')
		.map(({name, rules, look}) => ({check: name, ...withHealth(look(examined), healths, rules)}));
}

export function judgeExamination(
	findings: readonly ExaminationFinding[],
	seen: ExaminationReadings,
): Whole {
	const graves = judgeGpus(seen).map(({health}) => gravity(health));
	if (Math.max(0, ...graves) >= gravity('sick')) return 'FAILING';
	if (findings.some(({verdict}) => verdict === 'fail')) return 'NOT AS ORDERED';
	if (findings.some(({check, verdict}) => check === 'GPUs' && verdict === 'unknown')) {
		return 'NOT KNOWN';
	}
	return findings.some(({verdict}) => verdict === 'warn') ? 'WORN' : 'AS ORDERED';
}

/** The worst of a part's verdict, and of its health rules' findings. */
function withHealth(
	part: HealthCheckResult,
	healths: readonly GpuHealth[],
	rules: readonly string[],
): HealthCheckResult {
	const found = healths.flatMap(({findings}, at) =>
		findings.filter(({rule}) => rules.includes(rule)).map(finding => ({at, finding})),
	);
	if (found.length === 0) return part;
	const worst = Math.max(...found.map(({finding}) => gravity(finding.health)));
	const says = found.map(({at, finding}) => healthWords(at, finding)).join('; ');
	const own = worst >= gravity('sick') ? 'fail' : worst >= gravity('watch') ? 'warn' : 'ok';
	const isMore = part.verdict === 'fail' || (part.verdict === 'warn' && own !== 'fail');
	return {
		...part,
		verdict: isMore ? part.verdict : own,
		says: isMore ? `${part.says}; ${says}` : says,
	};
}

function healthWords(at: number, {evidence, cause}: HealthFinding): string {
	const why = cause === 'workload' ? ', by what a program did' : '';
	return `GPU ${at} ${evidence}${why}`;
}
