/** Measures the list of many instances, of which one in twenty changes at every look, and long logs. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {openClient} from '../../source/client/client.ts';
import {measureHour} from './fleet-hour.ts';
import {measureLogs} from './logs.ts';
import {openManyInstances} from './many-instances.ts';
import {openSession, quantile} from './session.ts';
import type {Session} from './session.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');
const AMOUNT = 1000;
const WATCHED = 200;
/** What such a line carries in a minute. */
const LINE_BYTES = 57_600;
const IDLE_MS = 60_000;
const KEYS_MS = 20_000;

function row(name: string, ...cells: ReadonlyArray<string | number>): void {
	const written = cells.map(cell => (typeof cell === 'number' ? cell.toFixed(1) : cell));
	console.log(name.padEnd(34) + written.map(cell => cell.padStart(11)).join(''));
}

/** A minute in which nobody types, with a look every ten seconds. */
async function measureIdle(session: Session): Promise<void> {
	const before = {bytes: session.bytes(), cpu: session.cpuMs()};
	await sleep(IDLE_MS);
	row('a minute of looks, bytes', session.bytes() - before.bytes);
	row('a minute of looks, cpu ms', session.cpuMs() - before.cpu);
	row('memory MB', session.memoryMb());
}

/** Keys beside looks, which come in the middle of them. */
async function measureKeys(session: Session): Promise<void> {
	const times: number[] = [];
	for (const until = performance.now() + KEYS_MS; performance.now() < until; await sleep(40)) {
		const {ms} = await session.press(times.length % 60 < 30 ? 'j' : 'k');
		times.push(ms);
	}
	row('', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms');
	row('j and k', ...[0.5, 0.95, 0.99, 1].map(share => quantile(times, share)));
}

/** How long the pages of a whole list take at the documented pace. */
async function measurePaging(url: string): Promise<void> {
	const client = openClient({url, key: 'k'});
	let pages = 0;
	const startedAt = performance.now();
	const list = await client.instances.list({onPage: () => (pages += 1)});
	console.log(`\nPages: ${list.instances.length} instances, ${pages} calls at the documented pace`);
	row('until the list is whole, s', (performance.now() - startedAt) / 1000);
	await client.close();
}

type Measured = {readonly url: string; readonly home: string; readonly what: string};

async function measureProgram({url, home, what}: Measured): Promise<void> {
	const keyFile = join(home, 'key');
	writeFileSync(keyFile, 'k'.repeat(64), {mode: 0o600});
	const env = {
		XDG_DATA_HOME: join(home, 'data'),
		XDG_CONFIG_HOME: join(home, 'config'),
		XDG_STATE_HOME: join(home, 'state'),
		XDG_CACHE_HOME: join(home, 'cache'),
	};
	const size = {columns: 140, rows: 40};
	const session = openSession(rentty, ['--url', url, '--key-file', keyFile], size, env);
	await session.shows('help');
	await session.press('2');
	await session.shows('trouble first');
	// Ports are tried once for all, which is not what a minute costs.
	await sleep(5000);
	console.log(`\nInstances: ${what}, one in twenty changes at every look, 140x40`);
	await measureKeys(session);
	await measureIdle(session);
	await session.close();
}

const home = mkdtempSync(join(tmpdir(), 'rentty-bench-'));
const service = await openManyInstances(AMOUNT);
const watched = await openManyInstances(WATCHED);
try {
	await measurePaging(`${service.url}/paged`);
	await measureProgram({url: service.url, home, what: `${AMOUNT} in one list`});
	await measureProgram({url: `${service.url}/paged`, home, what: `${AMOUNT} page by page`});
	await measureProgram({url: watched.url, home, what: `${WATCHED} in one list`});
	row(`at most, for a line of 9,600 baud`, LINE_BYTES);
	const hour = await measureHour(service.url);
	console.log(`\nThe same for an hour on a clock moved by hand: ${hour.asked} looks`);
	row('memory after a minute, MB', hour.afterMinute);
	row('memory after an hour, MB', hour.afterHour);
	row('bytes a minute', hour.bytes / 59);
	measureLogs(row);
} finally {
	await service.close();
	await watched.close();
	rmSync(home, {recursive: true, force: true});
}
