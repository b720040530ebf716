import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {defineConfig} from 'vitest/config';
import {noPostgres} from './test/helpers/market/postgres-server.ts';
import {ShuffledOrder} from './test/run/order.ts';
import {ofTheRun, placeOfRun} from './test/run/place.ts';
import {
	apart,
	isInRest,
	measured,
	onBothDatabases,
	onlyInRest,
	patternsOf,
} from './test/run/suites.ts';

process.env['RENTTY_TEST_POSTGRES'] ??= join(placeOfRun(), ofTheRun.postgres);

/** `npm run test:rest`: what `npm test` leaves out. */
const isRest = process.env['TEST_REST'] === '1';
const words = process.argv.slice(2);
/** A file that is named is run, wherever it belongs. */
const isNamed = words.some(word => /^(\.\/)?test\/|\.test\.tsx?$/.test(word));
const isAllOnPostgres = process.env['MARKET_DATABASE'] === 'postgres';
const hasPostgres = (isRest || words.includes('postgres')) && noPostgres === undefined;

const ofTheSuite = isRest ? patternsOf(onlyInRest) : ['test/**/*.test.{ts,tsx}'];
const left = isNamed ? [] : patternsOf(isRest ? measured : onlyInRest);
const alone = isNamed ? apart : apart.filter(file => isInRest(file) === isRest);

export default defineConfig({
	test: {
		globalSetup: './test/run/begin.ts',
		setupFiles: './test/run/each-file.ts',
		reporters: ['default', './test/run/reporter.ts'],
		// Processes of tests that wait, for a program or a terminal, leave their core to another.
		maxWorkers: 2 * availableParallelism(),
		sequence: {sequencer: ShuffledOrder},
		env: {
			FORCE_COLOR: '3',
			TMPDIR: placeOfRun(),
			TEST_RUNS: process.env['TEST_RUNS'] ?? (isRest ? '1' : '0.1'),
		},
		// What a test waits for is named before its own time is up. Tests that need longer say so.
		testTimeout: 60_000,
		hookTimeout: 120_000,
		expect: {poll: {timeout: 50_000, interval: 10}},
		projects: [
			{
				extends: true,
				test: {
					name: 'all',
					include: ofTheSuite,
					exclude: [...left, ...patternsOf(apart)],
					isolate: false,
				},
			},
			{
				extends: true,
				test: {name: 'apart', include: patternsOf(alone)},
			},
			...(!hasPostgres || isAllOnPostgres
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
