import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {defineConfig} from 'vitest/config';

// Where tests start a PostgreSQL, if any wants one.
process.env['RENTTY_TEST_POSTGRES'] ??= join(tmpdir(), `rentty-postgres-${process.pid}`);

const {noPostgres} = await import('./test/helpers/postgres-server.ts');
const isAllOnPostgres = process.env['MARKET_DATABASE'] === 'postgres';

/** Tests that a broken port fails: who writes at the same time, what is in order, what is counted. */
const onBothDatabases = [
	'rules/offer-query',
	'job-runner',
	'limits',
	'store/{contract-ends,keys,templates,writing}',
	'operations/{attach,charging,claims,leases,ledger,publish,take-work}',
	'routes/{billing-ledger,creation,instance-actions-bids,instance-actions-destroy}',
	'routes/{instances,machines,teams,volumes}',
].map(name => `test/market/${name}.test.ts`);

/** Properties make a database for every case, which takes a PostgreSQL longer. */
const POSTGRES_TIMEOUT = 200_000;

export default defineConfig({
	test: {
		globalSetup: './test/helpers/postgres-server.ts',
		reporters: ['default', './test/plain-reporter.ts'],
		env: {FORCE_COLOR: '3'},
		// Programs and ports share a busy machine. What is broken fails again; what then passes is named.
		retry: 1,
		// Most tests wait for a process, a port or a terminal: two to a core keep it busy.
		maxWorkers: Math.min(8, 2 * availableParallelism()),
		projects: [
			{
				extends: true,
				test: {
					name: 'all',
					include: ['test/**/*.test.{ts,tsx}'],
					testTimeout: isAllOnPostgres ? POSTGRES_TIMEOUT : 20_000,
				},
			},
			...(isAllOnPostgres || noPostgres !== undefined
				? []
				: [
						{
							extends: true as const,
							test: {
								name: 'postgres',
								include: onBothDatabases,
								env: {MARKET_DATABASE: 'postgres'},
								testTimeout: POSTGRES_TIMEOUT,
							},
						},
					]),
		],
	},
});
