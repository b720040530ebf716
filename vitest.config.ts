import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {defineConfig} from 'vitest/config';

// Where tests start a PostgreSQL, if any wants one.
process.env['RENTTY_TEST_POSTGRES'] ??= join(tmpdir(), `rentty-postgres-${process.pid}`);

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		globalSetup: './test/helpers/postgres-server.ts',
		reporters: ['default', './test/plain-reporter.ts'],
		env: {FORCE_COLOR: '3'},
		// Properties make a database for every case, which takes a PostgreSQL longer.
		testTimeout: process.env['MARKET_DATABASE'] === 'postgres' ? 200_000 : 20_000,
		// Programs and ports share a busy machine. What is broken fails again; what then passes is named.
		retry: 1,
		// Most tests wait for a process, a port or a terminal: two to a core keep it busy.
		maxWorkers: Math.min(8, 2 * availableParallelism()),
	},
});
