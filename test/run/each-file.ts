/** Around each file of tests: what it spent, and that it leaves the process as it was. */
import {appendFileSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import process from 'node:process';
import {afterAll, beforeAll, expect} from 'vitest';
import {configureProperties} from '../helpers/property.ts';
import {ofTheRun, placeOfRun} from './place.ts';

const tests = join(import.meta.dirname, '..');

/** Processor time of this process and of the children that it has waited for, in seconds. */
function processorTime(): number {
	try {
		// Fields of ticks behind the name, which may hold spaces: utime, stime, cutime, cstime.
		const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
		const ticks = fields.split(' ').slice(11, 15).map(Number);
		return ticks.reduce((sum, count) => sum + count, 0) / 100;
	} catch {
		const {user, system} = process.cpuUsage();
		return (user + system) / 1e6;
	}
}

/** Whatever every file of this process is to find as the one before it did, by name. */
function surroundings(): ReadonlyMap<string, unknown> {
	return new Map<string, unknown>([
		...Object.entries(process.env).map(([name, value]) => [`$${name}`, value] as const),
		['the working folder', process.cwd()],
		['Date', Date],
		['setTimeout', setTimeout],
		['fetch', fetch],
		['process.stdout.write', Reflect.get(process.stdout, 'write')],
	]);
}

/** Names of what differs: values of an environment may be secrets. */
function changesSince(earlier: ReadonlyMap<string, unknown>): readonly string[] {
	const later = surroundings();
	const names = new Set([...earlier.keys(), ...later.keys()]);
	return [...names].filter(name => earlier.get(name) !== later.get(name));
}

configureProperties();
let [spent, begun] = [0, 0];
let before = surroundings();

beforeAll(() => {
	[spent, begun] = [processorTime(), performance.now()];
	before = surroundings();
});

afterAll(() => {
	const isOnPostgres = process.env['MARKET_DATABASE'] === 'postgres';
	const path = relative(tests, expect.getState().testPath ?? '');
	const file = isOnPostgres ? `${path} on PostgreSQL` : path;
	const seconds = {processor: processorTime() - spent, clock: (performance.now() - begun) / 1000};
	// Files of one process share its heap: what one leaves makes all after it dearer.
	const heapMb = Math.round(process.memoryUsage().heapUsed / 1e6);
	const line = JSON.stringify({file, ...seconds, pid: process.pid, heapMb});
	appendFileSync(join(placeOfRun(), ofTheRun.spent), `${line}\n`);
	const changed = changesSince(before);
	if (changed.length > 0) throw new Error(`this file leaves ${changed.join(', ')} changed`);
});
