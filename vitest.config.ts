import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {defineConfig} from 'vitest/config';
import {noPostgres} from './test/helpers/postgres-server.ts';
import {ShuffledOrder} from './test/run/order.ts';
import {ofTheRun, placeOfRun} from './test/run/place.ts';
import {apart, onBothDatabases, onlyInAll, patternsOf} from './test/run/suites.ts';

process.env['RENTTY_TEST_POSTGRES'] ??= join(placeOfRun(), ofTheRun.postgres);

const isAll = process.env['TEST_ALL'] === '1';
/** A file that is named is run, wherever it belongs. */
const isNamed = process.argv.slice(2).some(word => /^(\.\/)?test\/|\.test\.tsx?$/.test(word));
const isAllOnPostgres = process.env['MARKET_DATABASE'] === 'postgres';

const everything = ['test/**/*.test.{ts,tsx}'];
const left = isAll || isNamed ? [] : patternsOf(onlyInAll);

export default defineConfig({
	test: {
		globalSetup: './test/run/begin.ts',
		setupFiles: './test/run/each-file.ts',
		reporters: ['default', './test/run/reporter.ts'],
		// Processes of tests that wait, for a program or a terminal, leave their core to another.
		maxWorkers: Math.ceil(1.5 * availableParallelism()),
		sequence: {sequencer: ShuffledOrder},
		env: {
			FORCE_COLOR: '3',
			TMPDIR: placeOfRun(),
			TEST_RUNS: process.env['TEST_RUNS'] ?? (isAll ? '1' : '0.1'),
		},
		// Limits for what never comes: a busy machine is slower than any that a test is about.
		testTimeout: isAll ? 900_000 : 180_000,
		hookTimeout: 180_000,
		expect: {poll: {timeout: 60_000, interval: 10}},
		projects: [
			{
				extends: true,
				test: {
					name: 'all',
					include: everything,
					exclude: [...left, ...patternsOf(apart)],
					isolate: false,
				},
			},
			{
				extends: true,
				test: {name: 'apart', include: patternsOf(apart), exclude: left},
			},
			...(!isAll || isAllOnPostgres || noPostgres !== undefined
				? []
				: [
						{
							extends: true as const,
							test: {
								name: 'postgres',
								include: patternsOf(onBothDatabases),
								env: {MARKET_DATABASE: 'postgres'},
								isolate: false,
							},
						},
					]),
		],
	},
});
