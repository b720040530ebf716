import {copyFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import type {SerializedError} from 'vitest';
import type {Reporter, TestModule} from 'vitest/node';
import {orderSeed} from './order.ts';
import {ofTheRun, placeOfRun} from './place.ts';
import {noteStep, resultsFolder, writeResult, type Failure} from './results.ts';
import {lastRun, readSpent, type Spent} from './times.ts';

const SLOWEST = 10;

/** Most letters of a failure that CI repeats in its closing lines. */
const LONGEST_TEXT = 600;

const root = join(import.meta.dirname, '..', '..');

/** Closes a run with what took longest, why tests were skipped, and one line that any reader can count. */
export default class ClosingReporter implements Reporter {
	onTestModuleQueued(module: TestModule): void {
		noteFile(module, false);
	}

	onTestModuleEnd(module: TestModule): void {
		noteFile(module, true);
	}

	onTestRunEnd(
		modules: ReadonlyArray<TestModule>,
		unhandled: ReadonlyArray<SerializedError>,
	): void {
		const failures = [...modules.flatMap(failuresOf), ...unhandled.map(unhandledFailure)];
		const tests = modules.flatMap(module => [...module.children.allTests()]);
		const count = (state: string) => tests.filter(test => test.result().state === state).length;
		const result = {
			passed: count('passed'),
			failed: failures.length,
			skipped: count('skipped'),
			failures,
		};
		if (resultsFolder !== undefined) writeResult(resultsFolder, result);
		printSlowest(readSpent(join(placeOfRun(), ofTheRun.spent)));
		for (const reason of new Set(linesOf(ofTheRun.missing))) console.log(`skipped: ${reason}`);
		if (result.failed > 0) console.log(`This order of files again: TEST_ORDER=${orderSeed}`);
		console.log(`${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`);
	}
}

function noteFile({moduleId, project}: TestModule, isEnd: boolean): void {
	if (resultsFolder === undefined) return;
	const file = relative(root, moduleId);
	noteStep(resultsFolder, {file, project: project.name, isEnd, at: Date.now()});
}

/** Failed tests, and errors of the file itself: one that could not be loaded has no tests to count. */
function failuresOf(module: TestModule): readonly Failure[] {
	const whose = {file: relative(root, module.moduleId), project: module.project.name};
	const tests = [...module.children.allTests('failed')].map(test => ({
		...whose,
		test: test.fullName,
		text: textOf(test.result().errors ?? []),
	}));
	const suites = [...module.children.allSuites()].filter(suite => suite.errors().length > 0);
	const around = [module, ...suites].flatMap(part => part.errors());
	if (around.length === 0) return tests;
	return [...tests, {...whose, test: 'around its tests', text: textOf(around)}];
}

function unhandledFailure(error: SerializedError): Failure {
	const path: unknown = Reflect.get(error, 'VITEST_TEST_PATH');
	const file = typeof path === 'string' ? relative(root, path) : undefined;
	return {file, project: '', test: 'an error that no test caught', text: textOf([error])};
}

function textOf(errors: readonly {message: string}[]): string {
	return errors
		.map(({message}) => message)
		.join('\n')
		.slice(0, LONGEST_TEXT);
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
