import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		reporters: ['default', './test/plain-reporter.ts'],
		env: {FORCE_COLOR: '3'},
		testTimeout: 20_000,
	},
});
