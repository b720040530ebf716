/** Measures the built market under load, as a process of its own: searches, rents, lists, start, memory. */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {Pool} from 'undici';
import {contract} from '../../source/contract/index.ts';
import {openFolder} from '../helpers/folder.ts';
import {startMarket} from '../helpers/market/market-process.ts';
import {median, quantile} from './session.ts';

const OFFERS = 100_000;
const CONNECTIONS = 32;
const ROUNDS = 7;

function row(name: string, ...cells: ReadonlyArray<string | number>): void {
	const written = cells.map(cell => (typeof cell === 'number' ? cell.toFixed(1) : cell));
	console.log(name.padEnd(44) + written.map(cell => cell.padStart(11)).join(''));
}

type Market = Awaited<ReturnType<typeof startMarket>>;

type Call = {
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly path: string;
	readonly body?: unknown;
};

function openLoad(url: string, key: string) {
	const pool = new Pool(url, {connections: CONNECTIONS});
	const headers = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};

	async function send({method, path, body}: Call) {
		const text = body === undefined ? null : JSON.stringify(body);
		const reply = await pool.request({method, path, headers, body: text});
		return {status: reply.statusCode, text: await reply.body.text()};
	}

	/** Sends calls over all connections, and tells how many were answered a second, and how late. */
	async function fire(calls: Iterator<Call>, connections = CONNECTIONS) {
		const times: number[] = [];
		const failed: string[] = [];
		const startedAt = performance.now();
		const work = async () => {
			for (let next = calls.next(); next.done !== true; next = calls.next()) {
				const sentAt = performance.now();
				const {status, text} = await send(next.value);
				times.push(performance.now() - sentAt);
				if (status !== 200) failed.push(`${status} ${text.slice(0, 100)}`);
			}
		};
		await Promise.all(Array.from({length: connections}, work));
		const seconds = (performance.now() - startedAt) / 1000;
		if (failed.length > 0) throw new Error(`${failed.length} calls failed: ${failed[0]}`);
		return {rate: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99)};
	}

	return {send, fire, close: async () => pool.close()};
}

function* repeat(count: number, call: (index: number) => Call): Generator<Call> {
	for (let index = 0; index < count; index++) yield call(index);
}

const path = '/api/v0/bundles/';
const gpus = ['RTX 4090', 'RTX 3090', 'H100 SXM', 'A100 SXM4', 'RTX 5090', 'L40S'];

function indexed(index: number): Call {
	const body = {
		gpu_name: {eq: gpus[index % gpus.length]},
		num_gpus: {gte: 1},
		verified: {eq: true},
		rentable: {eq: true},
		order: [['dlperf_per_dphtotal', 'desc']],
		limit: 64,
	};
	return {method: 'POST', path, body};
}

function unindexed(): Call {
	const body = {
		cpu_ram: {gte: 64_000},
		inet_up: {gte: 500},
		disk_bw: {gte: 2000},
		order: [['inet_up_cost', 'asc']],
		limit: 64,
	};
	return {method: 'POST', path, body};
}

type Load = ReturnType<typeof openLoad>;

async function measureSearches(load: Load): Promise<void> {
	await load.fire(repeat(2000, indexed));
	row('', 'a second', 'p50 ms', 'p99 ms');
	const {rate, p50, p99} = await load.fire(repeat(10_000, indexed));
	row('indexed searches, 64 rows', rate, p50, p99);
	await load.fire(repeat(4, unindexed));
	const slow = await load.fire(repeat(200, unindexed), 4);
	row('unindexed searches, 4 at once', slow.rate, slow.p50, slow.p99);
	const [beside] = await Promise.all([
		load.fire(repeat(3000, indexed), 4),
		load.fire(repeat(100, unindexed), 2),
	]);
	row('indexed searches beside 2 unindexed', beside.rate, beside.p50, beside.p99);
}

async function rentable(load: Load, limit: number): Promise<readonly number[]> {
	const body = {rentable: {eq: true}, limit, select_cols: ['id', 'machine_id']};
	const {text} = await load.send({method: 'POST', path, body});
	const {offers} = contract.offers.search.replies[200].parse(JSON.parse(text));
	// One of each machine: the others share its GPUs.
	return [...new Map(offers.map(({id, machine_id}) => [machine_id, id])).values()];
}

async function measureRents(load: Load): Promise<void> {
	const asks = await rentable(load, 20_000);
	const body = {image: 'ubuntu:24.04', disk: 10, runtype: 'ssh_direct', label: 'bench'};
	const rent = (index: number): Call => ({
		method: 'PUT',
		path: `/api/v0/asks/${asks[index]}/`,
		body,
	});
	const {rate, p50, p99} = await load.fire(repeat(1000, rent));
	row('rents', rate, p50, p99);
}

async function measureLists(load: Load): Promise<void> {
	const {text} = await load.send({method: 'GET', path: '/api/v0/instances/'});
	const found = contract.instances.list.replies[200].parse(JSON.parse(text)).instances.length;
	await load.fire(
		repeat(50, () => ({method: 'GET', path: '/api/v0/instances/'})),
		4,
	);
	const list = await load.fire(
		repeat(200, () => ({method: 'GET', path: '/api/v0/instances/'})),
		4,
	);
	const size = `(${(text.length / 1e6).toFixed(1)} MB)`;
	row(`lists of ${found} instances ${size}`, list.rate, list.p50, list.p99);
	const page = await load.fire(
		repeat(2000, () => ({method: 'GET', path: '/api/v1/instances/?limit=25'})),
	);
	row('pages of 25 instances', page.rate, page.p50, page.p99);
}

function memoryMb(pid: number): number {
	const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Number(kilobytes) / 1024;
}

async function measureStart(file: string): Promise<void> {
	const bare: number[] = [];
	const ours: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const before = performance.now();
		spawnSync(join(import.meta.dirname, '../../node_modules/.bin/node'), ['-e', '0']);
		bare.push(performance.now() - before);
		const startedAt = performance.now();
		await using market = await startMarket(file);
		ours.push(performance.now() - startedAt);
		await market.end();
	}
	row('bare node, ms', median(bare));
	row(
		'until the address is printed, ms',
		median(ours),
		`+${(median(ours) - median(bare)).toFixed(0)}`,
	);
}

async function measureLoad(market: Market): Promise<void> {
	const load = openLoad(market.url, await market.key());
	row('memory after the start, MB', memoryMb(market.pid));
	await measureSearches(load);
	row('memory after searches, MB', memoryMb(market.pid));
	await measureRents(load);
	await measureLists(load);
	row('memory at the end, MB', memoryMb(market.pid));
	await load.close();
}

using folder = openFolder();
console.log(
	`\nThe market with ${OFFERS.toLocaleString('en-US')} offers, ${CONNECTIONS} connections`,
);
const large = join(folder.path, 'large.db');
{
	const args = ['--offers', String(OFFERS), '--trouble', 'none', '--credit', '1000000'];
	await using market = await startMarket(large, ...args);
	await measureLoad(market);
	await sleep(100);
}
console.log('\nStart, with 2,000 offers made already');
const small = join(folder.path, 'small.db');
{
	await using market = await startMarket(small, '--offers', '2000');
	await market.end();
}
await measureStart(small);
process.exitCode ??= 0;
