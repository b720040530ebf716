import type {Reporter, TestCase, TestModule} from 'vitest/node';

/** Closes the run with one line that any reader can count. */
export default class PlainReporter implements Reporter {
	/** Tells which tests needed another try: they passed, and are not to be relied on. */
	onTestCaseResult(test: TestCase): void {
		if (test.diagnostic()?.flaky === true) {
			console.log(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}`);
		}
	}

	onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
		const count = {passed: 0, failed: 0, skipped: 0, pending: 0};
		for (const module of modules) {
			for (const test of module.children.allTests()) count[test.result().state]++;
			// A file that could not be loaded has no tests to count, and is a failure all the same.
			if (module.state() === 'failed' && module.errors().length > 0) count.failed++;
		}
		console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
	}
}
