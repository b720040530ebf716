/** Verdict on a machine by what a test of it has checked. */

export const outcomes = ['passed', 'failed', 'skipped'] as const;

export type Check = {
	readonly name: string;
	readonly outcome: (typeof outcomes)[number];
	/** The market has seen it itself, or the host says so. */
	readonly said_by: 'market' | 'host';
	readonly detail: string;
	readonly value: number | null;
};

/** A machine that fails one of these is not verified; the others are only shown. */
const required: ReadonlySet<string> = new Set([
	'image',
	'ssh_door',
	'ssh_direct',
	'port',
	'gpus',
	'gpu_busy',
	'isolation',
]);

export type Verdict = {
	readonly outcome: 'passed' | 'failed' | 'unfinished';
	/** One sentence that says why. */
	readonly note: string;
};

/** Nothing is claimed of what could not be run: a machine with such a check neither passes nor fails. */
export function verdictOf(checks: readonly Check[], brokenOff: string | undefined): Verdict {
	const counted = checks.filter(({name}) => required.has(name));
	const failed = counted.filter(({outcome}) => outcome === 'failed');
	if (failed.length > 0) return {outcome: 'failed', note: sentenceOf(failed)};
	if (brokenOff !== undefined) return {outcome: 'unfinished', note: brokenOff};
	const skipped = counted.filter(({outcome}) => outcome === 'skipped');
	if (skipped.length > 0) {
		return {outcome: 'unfinished', note: `Not all could be checked: ${sentenceOf(skipped)}`};
	}
	return {outcome: 'passed', note: 'It has passed its test.'};
}

function sentenceOf(checks: readonly Check[]): string {
	return `${checks.map(({name, detail}) => `${name}: ${detail}`).join('; ')}.`;
}
