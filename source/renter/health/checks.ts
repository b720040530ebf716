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
	readonly run: (examined: ExaminedInstance) => HealthCheckResult;
};

const checks: readonly Check[] = [
	{name: 'GPUs', rules: ['silent', 'xid-lost'], run: compareOrderedGpus},
	{name: 'memory', rules: [], run: checkGpuMemory},
	{name: 'driver', rules: ['recovery', 'xid-driver'], run: checkDriver},
	{name: 'PCIe', rules: ['lanes', 'generation'], run: checkPcie},
	{name: 'heat', rules: ['slowed'], run: checkHeat},
	{name: 'power', rules: [], run: checkPower},
	{name: 'clock', rules: [], run: checkGpuClock},
	{
		name: 'ECC',
		rules: ['memory-errors', 'repair-failed', 'repair-pending', 'corrected-errors'],
		run: checkEcc,
	},
	{
		name: 'Xid',
		rules: ['xid-memory', 'xid-repair-failed', 'xid-link', 'xid-memory-held', 'xid-workload'],
		run: checkXids,
	},
	{name: 'NVLink', rules: ['links'], run: checkNvLinks},
	{name: 'alone', rules: [], run: checkForOtherProcesses},
	{name: 'disk', rules: [], run: checkDiskSpace},
	{name: 'disk speed', rules: [], run: checkDiskSpeed},
	{name: 'line', rules: [], run: checkNetworkSpeed},
	{name: 'RAM', rules: [], run: checkRam},
	{name: 'CPU', rules: [], run: checkProcessors},
	{name: 'time', rules: [], run: checkMachineClock},
];

const ofGpus = new Set(checks.slice(0, 11).map(({name}) => name));

export function checkInstance(examined: ExaminedInstance): readonly ExaminationFinding[] {
	const {instance, readings} = examined;
	const healths = judgeGpus(readings);
	const hasGpus = readings.gpus.length > 0 || (instance.num_gpus ?? 0) > 0;
	const hasReadings = readings.gpus.length > 0;
	return checks
		.filter(({name}) => hasGpus || !ofGpus.has(name))
		.filter(({name}) => hasReadings || !ofGpus.has(name) || name === 'GPUs')
		.map(({name, rules, run}) => ({check: name, ...withHealth(run(examined), healths, rules)}));
}

export function judgeExamination(
	findings: readonly ExaminationFinding[],
	readings: ExaminationReadings,
): Whole {
	const graves = judgeGpus(readings).map(({health}) => gravity(health));
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
	const says = found.map(({at, finding}) => formatFinding(at, finding)).join('; ');
	const own = worst >= gravity('sick') ? 'fail' : worst >= gravity('watch') ? 'warn' : 'ok';
	const isMore = part.verdict === 'fail' || (part.verdict === 'warn' && own !== 'fail');
	return {
		...part,
		verdict: isMore ? part.verdict : own,
		says: isMore ? `${part.says}; ${says}` : says,
	};
}

function formatFinding(at: number, {evidence, cause}: HealthFinding): string {
	const why = cause === 'workload' ? ', by what a program did' : '';
	return `GPU ${at} ${evidence}${why}`;
}
