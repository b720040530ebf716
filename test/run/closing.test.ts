import {expect, test} from 'vitest';
import {decide} from './closing.ts';
import type {Failure} from './results.ts';

const whose = {file: 'test/some.test.ts', project: 'all'};
const failed: Failure = {...whose, test: 'holds', text: 'expected 1 to be 2'};

const ended = (failures: readonly Failure[], code = failures.length === 0 ? 0 : 1) => ({
	name: 'test',
	code,
	result: {passed: 10, failed: failures.length, skipped: 2, failures},
});

const passes = () => [];

test('a file that passes when it runs again is flaky, and the run is green', () => {
	const {isGreen, lines} = decide([ended([failed])], passes);
	expect(isGreen).toBe(true);
	expect(lines).toEqual([
		'flaky: test/some.test.ts > holds\n    expected 1 to be 2',
		'11 passed, 0 failed, 2 skipped',
	]);
});

test('a file that fails again is red, with what it said then', () => {
	const again = [{...failed, text: 'expected 3 to be 2'}];
	const {isGreen, lines} = decide([ended([failed])], () => again);
	expect(isGreen).toBe(false);
	expect(lines).toEqual([
		'failed: test/some.test.ts > holds\n    expected 3 to be 2',
		'10 passed, 1 failed, 2 skipped',
	]);
});

test('a file is run again once, however many of its tests failed', () => {
	const runs: string[] = [];
	decide([ended([failed, {...failed, test: 'ends'}])], file => {
		runs.push(file);
		return [];
	});
	expect(runs).toEqual(['test/some.test.ts']);
});

test('what a test that failed by chance left behind is told with it, and is green', () => {
	const left: Failure = {file: undefined, project: '', test: 'after all tests', text: 'a process'};
	const {isGreen, lines} = decide([ended([failed, left])], passes);
	expect(isGreen).toBe(true);
	expect(lines.join('\n')).toContain('flaky: after all tests');
	expect(decide([ended([failed, left])], () => [failed]).isGreen).toBe(false);
});

test.each([
	['a suite that did not end', [{name: 'test', code: 124, result: undefined}]],
	['a suite whose runner failed, though no test did', [ended([], 1)]],
	['a failure of no file', [ended([{...failed, file: undefined}])]],
	[
		'more failures than chance brings',
		[ended(Array.from({length: 13}, (_, index) => ({...failed, file: `test/${index}.test.ts`})))],
	],
])('%s is red, and nothing is run again for it', (_, suites) => {
	let runs = 0;
	const {isGreen, lines} = decide(suites, () => {
		runs++;
		return [];
	});
	expect([isGreen, runs]).toEqual([false, 0]);
	expect(lines.at(-1)).toMatch(/ passed, [1-9]\d* failed, /);
});
