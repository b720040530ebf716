import {copyFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import type {Reporter, TestModule} from 'vitest/node';
import {overspent, writeBudgets, type Spent} from './budgets.ts';
import {orderSeed} from './order.ts';
import {ofTheRun, placeOfRun} from './place.ts';

const SLOWEST = 10;

const cache = join(import.meta.dirname, '..', '..', '.cache');

/** Closes a run with what took longest, why tests were skipped, and one line that any reader can count. */
export default class ClosingReporter implements Reporter {
	onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
		const count = {passed: 0, failed: 0, skipped: 0, pending: 0};
		for (const module of modules) {
			for (const test of module.children.allTests()) count[test.result().state]++;
			// A file that could not be loaded has no tests to count, and is a failure all the same.
			if (module.state() === 'failed' && module.errors().length > 0) count.failed++;
		}
		const all = spentOfRun();
		tellSlowest(all);
		for (const problem of dearFiles(all)) {
			console.error(problem);
			count.failed++;
			process.exitCode = 1;
		}
		for (const reason of new Set(linesOf(ofTheRun.missing))) console.log(`skipped: ${reason}`);
		if (count.failed > 0) console.log(`This order of files again: TEST_ORDER=${orderSeed}`);
		console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
	}
}

function linesOf(name: string): readonly string[] {
	const path = join(placeOfRun(), name);
	return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

function spentOfRun(): readonly Spent[] {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `each-file` writes it
	return linesOf(ofTheRun.spent).map(line => JSON.parse(line) as Spent);
}

/** A file alone pays for what others had made ready, so only whole runs are held to their budgets. */
function dearFiles(all: readonly Spent[]): readonly string[] {
	return process.env['TEST_BUDGETS'] === '0' ? [] : overspent(all);
}

/** Names the slowest; what every file took stays in a folder that git ignores. */
function tellSlowest(all: readonly Spent[]): void {
	if (process.env['UPDATE_BUDGETS'] !== undefined) writeBudgets(all);
	if (all.length <= SLOWEST) return;
	mkdirSync(cache, {recursive: true});
	copyFileSync(join(placeOfRun(), ofTheRun.spent), join(cache, 'tests.jsonl'));
	console.log('Slowest files, seconds by the clock and of processor time:');
	for (const {file, clock, processor} of all.toSorted(byClock).slice(0, SLOWEST)) {
		console.log(`${clock.toFixed(1).padStart(7)} ${processor.toFixed(1).padStart(6)}  ${file}`);
	}
}

function byClock(one: Spent, other: Spent): number {
	return other.clock - one.clock;
}
