/** Examines an instance over SSH: one script whose output is compared with the order. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {quoted, type RunInside} from '../leases/inside.ts';
import type {LastExamination, Grade, SickGpu} from '../instance/examined.ts';
import {judgeGpus} from '../../contract/rules/gpu-health.ts';
import {checkInstance, judgeExamination} from './checks.ts';
import {program} from './examination-program.ts';
import type {ExaminationFinding, Whole} from './finding.ts';
import {splitByTitle, parseReadings, type LineSpeed} from './readings.ts';

/** Timeout: an examination takes some ten seconds, and half a minute more with a stuck driver. */
const PATIENCE_MS = 90_000;

export type Examination = {
	readonly whole: Whole;
	readonly findings: readonly ExaminationFinding[];
	/** UUIDs of the GPUs that were seen, by which a later examination recognises them. */
	readonly gpus: readonly string[];
	readonly sick: readonly SickGpu[];
	/** Reason why nothing could be examined. */
	readonly problem: string | undefined;
};

type Examining = {
	readonly run: RunInside;
	/** Measures the disk, by writing half a GB that is removed at once, and the connection. */
	readonly isMeasured: boolean;
	/** Measures the connection to this machine; undefined to skip that. */
	readonly measureLine?: (() => Promise<LineSpeed | undefined>) | undefined;
	/** Address from which the instance downloads for ten seconds at most. */
	readonly from?: string | undefined;
	/** Milliseconds since 1970 by the service's clock. */
	readonly now: () => number;
};

export async function examine(instance: Instance, examining: Examining): Promise<Examination> {
	const {run, isMeasured, from = '', now} = examining;
	const {actual_status: status} = instance;
	if (status !== 'running') return unknown(`it is ${status ?? 'not there yet'}`);
	const script = `IS_MEASURED=${isMeasured ? 1 : 0}\nFROM=${quoted(from)}\n${program}`;
	const output = await run(instance, script, PATIENCE_MS);
	if (output === undefined) return unknown('SSH does not let anybody in, or takes too long');
	const parts = splitByTitle(output);
	if (!parts.has('end')) return unknown('it ended before it was examined');
	const readAt = now() / 1000;
	const readings = parseReadings(parts);
	const line = isMeasured && from === '' ? await examining.measureLine?.() : undefined;
	const findings = checkInstance({instance, readings, line, now: readAt});
	const gpus = readings.gpus.flatMap(({uuid}) => uuid ?? []);
	const sick = judgeGpus(readings).flatMap(({health, findings: [first]}, index) =>
		health === 'healthy' || first === undefined ? [] : [{index, health, evidence: first.evidence}],
	);
	return {whole: judgeExamination(findings, readings), findings, gpus, sick, problem: undefined};
}

/**
 * The short form of an examination for lists. @param at milliseconds since 1970 on this machine's
 * clock
 */
export function examinedAt(at: number, {whole, sick}: Examination): LastExamination {
	return {at, grade: gradeOf[whole], gpus: sick};
}

const gradeOf: Readonly<Record<Whole, Grade>> = {
	'AS ORDERED': 'ok',
	WORN: 'wrn',
	'NOT AS ORDERED': 'bad',
	FAILING: 'bad',
	'NOT KNOWN': '?',
};

function unknown(problem: string): Examination {
	return {whole: 'NOT KNOWN', findings: [], gpus: [], sick: [], problem};
}
