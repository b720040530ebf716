/** Test of a machine: the program of its instance, its output, and the verdict. */
import {fieldsOf, parseJson} from '../../contract/grammar/json.ts';
import {plainSettings, type InstanceSettings} from '../lifecycle/instance-rules.ts';
import {program} from './machine-test-program.ts';

const outcomes = ['passed', 'failed', 'skipped'] as const;

export type MachineCheck = {
	readonly name: string;
	/** `late`: correct, but slower than required. */
	readonly outcome: (typeof outcomes)[number] | 'late';
	/** `market` for the market's own result, `host` for the host's word. */
	readonly said_by: 'market' | 'host';
	readonly detail: string;
	readonly value: number | null;
};

/** Checks that a machine must pass to be verified; the others are only shown. */
const required: ReadonlySet<string> = new Set([
	'image',
	'ssh_door',
	'ssh_direct',
	'port',
	'gpu_model',
	'gpu_proof',
	'isolation',
]);

type Verdict = {
	readonly outcome: 'passed' | 'failed' | 'unfinished';
	/** Reason of the verdict, in a sentence. */
	readonly note: string;
};

/** Consecutive tests with late answers that are no accident any more. */
export const MOST_LATE = 3;

/**
 * Verdict by checks: unfinished if a required check could not be run, or was late.
 *
 * @param lateBefore Consecutive late tests before this one
 */
export function judgeMachineTest(
	checks: readonly MachineCheck[],
	brokenOff: string | undefined,
	lateBefore = 0,
): Verdict {
	const counted = checks.filter(({name}) => required.has(name));
	const failing = lateBefore + 1 < MOST_LATE ? ['failed'] : ['failed', 'late'];
	const failed = counted.filter(({outcome}) => failing.includes(outcome));
	if (failed.length > 0) return {outcome: 'failed', note: sentenceOf(failed)};
	if (brokenOff !== undefined) return {outcome: 'unfinished', note: brokenOff};
	const skipped = counted.filter(({outcome}) => outcome === 'skipped');
	if (skipped.length > 0) {
		return {outcome: 'unfinished', note: `Not all could be checked: ${sentenceOf(skipped)}`};
	}
	const late = counted.filter(({outcome}) => outcome === 'late');
	if (late.length > 0) {
		return {outcome: 'unfinished', note: `Late, and tried again: ${sentenceOf(late)}`};
	}
	return {outcome: 'passed', note: 'It has passed its test.'};
}

function sentenceOf(checks: readonly MachineCheck[]): string {
	return `${checks.map(({name, detail}) => `${name}: ${detail}`).join('; ')}.`;
}

/** First word of the program's lines, followed by JSON. */
export const TEST_WORD = 'RENTTY-TEST';

/** Identity port for the test, for which the host chooses a free one. */
const TEST_PORT = '70000';

/** Megabytes sent each way to measure the connection. */
export const TEST_MEGABYTES = 16;

/** Names of an instance's checks. Other names from a host are ignored. */
const told: ReadonlySet<string> = new Set(['disk', 'memory', 'limits', 'gpus', 'gpu_busy', 'end']);

const LONGEST_DETAIL = 255;

/** Findings in the log of a test's instance, which a hostile host may have forged. */
export function readTestLines(log: string): ReadonlyArray<Omit<MachineCheck, 'said_by'>> {
	const found = new Map<string, Omit<MachineCheck, 'said_by'>>();
	for (const text of log.split('\n')) {
		const at = text.indexOf(`${TEST_WORD} {`);
		if (at < 0) continue;
		const line = fieldsOf(parseJson(text.slice(at + TEST_WORD.length)));
		const {name, detail, value} = line;
		const outcome = outcomes.find(one => one === line['outcome']);
		if (typeof name !== 'string' || !told.has(name) || outcome === undefined) continue;
		found.set(name, {
			name,
			outcome,
			detail: typeof detail === 'string' ? detail.slice(0, LONGEST_DETAIL).toWellFormed() : '',
			value: typeof value === 'number' ? value : null,
		});
	}
	return [...found.values()];
}

const testScript = `if command -v python3 >/dev/null; then exec python3 -c '${program.replaceAll("'", `'\\''`)}'
else echo '${TEST_WORD} {"name":"end","outcome":"skipped","detail":"python3 is not there","value":null}'; fi`;

export function testSettings(secret: string): InstanceSettings {
	return {
		...plainSettings,
		launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		env: [
			[`-p ${TEST_PORT}:${TEST_PORT}`, '1'],
			['RENTTY_TEST', secret],
		],
		onstart: testScript,
	};
}
