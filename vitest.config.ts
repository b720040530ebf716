import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		reporters: ['default', './test/plain-reporter.ts'],
		env: {FORCE_COLOR: '3'},
		testTimeout: 20_000,
		// Most tests wait for a process, a port or a terminal: two to a core keep it busy.
		maxWorkers: Math.min(8, 2 * availableParallelism()),
	},
});
