import {copyFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Reporter, TestModule} from 'vitest/node';
import {orderSeed} from './order.ts';
import {ofTheRun, placeOfRun} from './place.ts';
import {lastRun, readSpent, type Spent} from './times.ts';

const SLOWEST = 10;

/** Closes a run with what took longest, why tests were skipped, and one line that any reader can count. */
export default class ClosingReporter implements Reporter {
	onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
		const count = {passed: 0, failed: 0, skipped: 0, pending: 0};
		for (const module of modules) {
			for (const test of module.children.allTests()) count[test.result().state]++;
			// A file that could not be loaded has no tests to count, and is a failure all the same.
			if (module.state() === 'failed' && module.errors().length > 0) count.failed++;
		}
		printSlowest(readSpent(join(placeOfRun(), ofTheRun.spent)));
		for (const reason of new Set(linesOf(ofTheRun.missing))) console.log(`skipped: ${reason}`);
		if (count.failed > 0) console.log(`This order of files again: TEST_ORDER=${orderSeed}`);
		console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
	}
}

function linesOf(name: string): readonly string[] {
	const path = join(placeOfRun(), name);
	return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

/** Names the slowest; what every file took stays in a folder that git ignores. */
function printSlowest(all: readonly Spent[]): void {
	if (all.length <= SLOWEST) return;
	mkdirSync(dirname(lastRun), {recursive: true});
	copyFileSync(join(placeOfRun(), ofTheRun.spent), lastRun);
	console.log('Slowest files, seconds by the clock and of processor time:');
	for (const {file, clock, processor} of all.toSorted(byClock).slice(0, SLOWEST)) {
		console.log(`${clock.toFixed(1).padStart(7)} ${processor.toFixed(1).padStart(6)}  ${file}`);
	}
}

function byClock(one: Spent, other: Spent): number {
	return other.clock - one.clock;
}
