/** Measures start, keys, bytes, idleness and memory of the built program, all in one run. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {openMarket} from '../../source/market/open.ts';
import {measureClient} from './client.ts';
import {sayWorse} from './kept.ts';
import {openRefreshingService} from './refreshing.ts';
import {median, openSession, quantile} from './session.ts';

const root = join(import.meta.dirname, '..', '..');
const rentty = join(root, 'bin', 'rentty');
const node = join(root, 'node_modules', '.bin', 'node');
const home = mkdtempSync(join(tmpdir(), 'rentty-bench-'));
const env = {
	XDG_DATA_HOME: join(home, 'data'),
	XDG_CONFIG_HOME: join(home, 'config'),
	XDG_STATE_HOME: join(home, 'state'),
	XDG_CACHE_HOME: join(home, 'cache'),
};
const size = {columns: 140, rows: 40};
const ROUNDS = 11;
/** A text of the foot of the screen, which only a whole frame has. */
const FOOT = 'help';

/** Figures of this run that docs/performance.md keeps. */
const measured = new Map<string, number>();

function row(name: string, ...cells: ReadonlyArray<string | number>): void {
	const written = cells.map(cell => (typeof cell === 'number' ? cell.toFixed(1) : cell));
	console.log(name.padEnd(34) + written.map(cell => cell.padStart(11)).join(''));
}

async function bareStart(): Promise<number> {
	const session = openSession(node, ['-e', 'process.stdout.write("x")'], size, env);
	const ms = await session.shows('x');
	await session.close();
	return ms;
}

async function start() {
	const session = openSession(rentty, [], size, env);
	const skeleton = await session.shows('practice');
	const times = {
		firstByte: session.firstByte(),
		skeleton,
		frame: await session.shows(FOOT),
		offers: await session.shows(' of '),
		fresh: await session.becomes(
			screen => /\d of \d/.test(screen) && !screen.includes('searching'),
		),
	};
	await session.close();
	return times;
}

/** Starts and ends as a user does, so that what is kept for the next start is kept. */
async function warmUp(): Promise<void> {
	const session = openSession(rentty, [], size, env);
	await session.shows(' of ');
	await sleep(1500);
	await session.press('q');
	await session.ended;
}

async function measureStart(): Promise<void> {
	await warmUp();
	await warmUp();
	const bare: number[] = [];
	const ours: Array<Awaited<ReturnType<typeof start>>> = [];
	for (let round = 0; round < ROUNDS; round++) {
		bare.push(await bareStart());
		ours.push(await start());
	}
	console.log(`\nStart at 140x40, medians of ${ROUNDS}, beside bare node in the same run`);
	console.log('offers: those of last time; fresh: the service has answered');
	row('', 'ms', 'x bare');
	row('bare node, first byte', median(bare));
	for (const name of ['firstByte', 'skeleton', 'frame', 'offers', 'fresh'] as const) {
		const ms = median(ours.map(times => times[name]));
		row(name, ms, ms / median(bare));
		measured.set(`start: ${name}, x bare node`, ms / median(bare));
	}
}

async function measureKeys(amount: number): Promise<void> {
	const market = await openMarket({file: ':memory:', offers: amount, seed: 1, searchLimit: amount});
	const keyFile = join(home, 'key');
	writeFileSync(keyFile, await market.createKey('bench'), {mode: 0o600});
	const settings = join(home, 'settings.json');
	writeFileSync(settings, '{"diskGb": 8}');
	const args = ['--url', market.url, '--key-file', keyFile, '--settings', settings];
	const session = openSession(rentty, args, size, env);
	await session.shows(' of ');
	await session.quiet(300);
	const shown = amount.toLocaleString('en-US');
	console.log(`\nKeys, market of ${shown} offers, 140x40`);
	row('', 'p50 ms', 'p95 ms', 'bytes/key');
	const groups: ReadonlyArray<readonly [name: string, keys: readonly string[], times: number]> = [
		['j, moving', ['j'], 25],
		['j, scrolling', ['j'], 100],
		['page', ['\u001B[6~'], 12],
		['G and g', ['G', 'g'], 20],
		['sort', ['>', 'o', 'o', 'o'], 24],
		['box over the list', [':', '\u001B'], 12],
	];
	for (const [name, keys, times] of groups) {
		const pressed = [];
		for (let time = 0; time < times; time++) {
			pressed.push(await session.press(keys[time % keys.length] ?? ''));
		}
		const ms = pressed.map(press => press.ms);
		const bytes = pressed.reduce((sum, press) => sum + press.bytes, 0) / pressed.length;
		row(name, quantile(ms, 0.5), quantile(ms, 0.95), bytes);
		measured.set(`${amount} offers: ${name}, bytes a key`, bytes);
	}
	const before = {bytes: session.bytes(), cpu: session.cpuMs()};
	await sleep(10_000);
	row('idle for 10 s, bytes', session.bytes() - before.bytes);
	row('idle for 10 s, cpu ms', session.cpuMs() - before.cpu);
	row('memory at rest, MB', session.memoryMb());
	measured.set(`${amount} offers: idle for 10 s, bytes`, session.bytes() - before.bytes);
	measured.set(`${amount} offers: anonymous memory, MB`, session.memoryMb());
	await session.close();
	await market.close();
}

/** Keys of a program that echoes them and does nothing else: what is slow in it is the machine. */
async function measureEcho(): Promise<void> {
	const program = `
		process.stdin.setRawMode(true).on('data', key => process.stdout.write(key));
		process.stdout.write('ready');`;
	const session = openSession(node, ['-e', program], size, env);
	await session.shows('ready');
	const times: number[] = [];
	for (let time = 0; time < 300; time++) {
		times.push((await session.press('j')).ms);
		await sleep(20);
	}
	console.log('\nKeys of a bare node that echoes them, for comparison');
	row('', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms');
	row('j', ...[0.5, 0.95, 0.99, 1].map(share => quantile(times, share)));
	await session.close();
}

/** Keys while the list is refreshed: every two seconds, with other prices for one row in twenty. */
async function measureRefreshing(columns: number, rows: number): Promise<void> {
	const service = await openRefreshingService(10_000);
	const keyFile = join(home, 'key');
	writeFileSync(keyFile, 'k'.repeat(64), {mode: 0o600});
	const args = ['--url', service.url, '--key-file', keyFile];
	const session = openSession(rentty, args, {columns, rows}, env);
	await session.shows(' of ');
	await session.quiet(300);
	// Ordered by a price that changes, so that every refresh orders the rows anew.
	for (const key of ['>', '>', '>', '>', '>', 'o']) await session.press(key);
	const before = session.cpuMs();
	const times: number[] = [];
	const startedAt = performance.now();
	let refreshed = 0;
	while (performance.now() - startedAt < 14_000) {
		if (performance.now() - startedAt > refreshed * 2000) {
			refreshed += 1;
			session.type('R');
		}
		const {ms} = await session.press(times.length % 60 < 30 ? 'j' : 'k');
		times.push(ms);
		await sleep(40);
	}
	const amount = service.amount.toLocaleString('en-US');
	console.log(`\nKeys beside ${refreshed} refreshes of ${amount} offers, ${columns}x${rows}`);
	row('', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms');
	measured.set(`${columns}x${rows}, refreshed every 2 s: p99 ms`, quantile(times, 0.99));
	row('j and k', ...[0.5, 0.95, 0.99, 1].map(share => quantile(times, share)));
	row('cpu ms, a refresh with its keys', (session.cpuMs() - before) / refreshed);
	await session.close();
	await service.close();
}

try {
	await measureStart();
	await measureKeys(2000);
	await measureKeys(10_000);
	await measureEcho();
	await measureRefreshing(80, 24);
	await measureRefreshing(140, 40);
	await measureClient();
	sayWorse(measured);
} finally {
	rmSync(home, {recursive: true, force: true});
	process.exitCode ??= 0;
}
