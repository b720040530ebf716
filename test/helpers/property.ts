/** How often properties run, and how one that fails is repeated. */
import process from 'node:process';
import type {RunDetails} from 'fast-check';
import * as fc from 'fast-check';
import {expect} from 'vitest';

/** Share of its runs that a property has: a tenth in `npm test`. */
const share = Number(process.env['TEST_RUNS'] ?? 1);

/** What cases are drawn from: fixed, so that no run fails by a case that its change has nothing to do with. */
const seedOfRun = Number(process.env['TEST_SEED'] ?? 1);

/** How often a property runs of so many times. */
export function runs(whole: number): number {
	return Math.max(1, Math.ceil(whole * share));
}

/** Least number of cases of a kind that a property must have met, where it has all of its runs. */
export function least(whole: number): number {
	return share < 1 ? 0 : whole;
}

/** Command that runs a property again with the cases that it had. */
export function commandFor(seed: number): string {
	const {testPath = '', currentTestName = ''} = expect.getState();
	const file = testPath.slice(testPath.lastIndexOf('/test/') + 1);
	const title = currentTestName.replaceAll(/["$`\\]/g, '.');
	return `TEST_SEED=${seed} TEST_RUNS=${share} npm test -- ${file} -t "${title}"`;
}

/** Fails with the case that a property does not hold for, and the command that repeats it. */
export function tellCase<Case>(details: RunDetails<Case>): void {
	if (!details.failed) return;
	const told = fc.defaultReportMessage(details) ?? 'A property failed';
	throw new Error(`${told}\n\nAgain: ${commandFor(details.seed)}`, {cause: details.errorInstance});
}

/** Has all properties of this process tell so, and run as the environment says. */
export function configureProperties(): void {
	fc.configureGlobal({
		numRuns: runs(100),
		seed: seedOfRun,
		reporter: tellCase,
	});
}
