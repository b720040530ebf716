/** Measures the client beside bare undici: what a call costs, and what long lists do. */
import process from 'node:process';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {Pool} from 'undici';
import {openClient} from '../../source/client/client.ts';
import {contract} from '../../source/contract/index.ts';
import {openMarket} from '../../source/market/open.ts';
import {openCannedService} from './canned-service.ts';
import {median, quantile} from './session.ts';

const CALLS = 3000;
const ROUNDS = 7;
const OFFERS = 10_000;
const INSTANCES = 1000;

const account = '/api/v0/users/current/';
const offers = '/api/v0/bundles/';
const instances = '/api/v0/instances/';

function row(name: string, ...cells: ReadonlyArray<string | number>): void {
	const written = cells.map(cell => (typeof cell === 'number' ? cell.toFixed(2) : cell));
	console.log(name.padEnd(34) + written.map(cell => cell.padStart(11)).join(''));
}

/** What a market answers about so many offers, and instances that have as much to say. */
async function cannedAnswers(): Promise<Record<string, string>> {
	const market = await openMarket({
		file: ':memory:',
		offers: OFFERS,
		seed: 1,
		searchLimit: OFFERS,
		rateScale: 0,
	});
	const headers = {authorization: `Bearer ${await market.createKey('bench')}`};
	const ask = async (path: string, body?: string) =>
		(
			await fetch(market.url + path, {
				headers: {...headers, 'content-type': 'application/json'},
				...(body !== undefined && {method: 'POST', body}),
			})
		).text();
	const found = await ask(offers, JSON.stringify({limit: OFFERS}));
	const whoami = await ask(account);
	await market.close();
	const {offers: records} = contract.offers.search.replies[200].parse(JSON.parse(found));
	const some = JSON.stringify({instances: records.slice(0, INSTANCES)});
	return {[account]: whoami, [offers]: found, [instances]: some};
}

/** Milliseconds of each of many runs. */
async function time(run: () => Promise<unknown>, runs: number): Promise<number[]> {
	const times: number[] = [];
	for (let index = 0; index < runs; index++) {
		const startedAt = performance.now();
		await run();
		times.push(performance.now() - startedAt);
	}
	return times;
}

/** The bytes of what is still needed. */
function heap(): number {
	runInNewContext('gc()');
	return process.memoryUsage().heapUsed;
}

/** What a result takes, in MB. */
async function memoryOf(run: () => Promise<readonly unknown[]>): Promise<number> {
	setFlagsFromString('--expose-gc');
	const before = heap();
	const kept = await run();
	const megabytes = (heap() - before) / 1e6;
	if (kept.length === 0) throw new Error('nothing was listed');
	return megabytes;
}

export async function measureClient(): Promise<void> {
	const service = await openCannedService(await cannedAnswers());
	const client = openClient({url: service.url, key: 'k', paceScale: 0});
	const pool = new Pool(service.url, {connections: 8});
	const headers = {authorization: 'Bearer k', accept: 'application/json'};
	const bare = async (path: string, method: 'GET' | 'POST' = 'GET') =>
		(await pool.request({path, method, headers})).body.json();

	console.log('\nThe client, beside undici with JSON.parse, a service in a thread of its own');
	row('', 'p50 ms', 'p95 ms', 'x bare', 'MB');
	const calls: Array<{readonly bare: readonly number[]; readonly ours: readonly number[]}> = [];
	for (let round = 0; round < ROUNDS; round++) {
		const times = await time(async () => bare(account), CALLS / ROUNDS);
		calls.push({bare: times, ours: await time(client.account.current, CALLS / ROUNDS)});
	}
	const alone = calls.flatMap(({bare: times}) => times);
	const ours = calls.flatMap(({ours: times}) => times);
	row('one call, bare', quantile(alone, 0.5), quantile(alone, 0.95));
	row('one call', quantile(ours, 0.5), quantile(ours, 0.95), median(ours) / median(alone));

	const lists = [
		['10,000 offers', offers, async () => (await client.offers.search({limit: OFFERS})).offers],
		['1,000 instances', instances, async () => (await client.instances.list()).instances],
	] as const;
	for (const [name, path, list] of lists) {
		const parsed = await time(async () => bare(path, path === offers ? 'POST' : 'GET'), ROUNDS);
		const listed = await time(list, ROUNDS);
		row(`${name}, bare`, median(parsed), quantile(parsed, 0.95));
		const ratio = median(listed) / median(parsed);
		row(name, median(listed), quantile(listed, 0.95), ratio, await memoryOf(list));
	}
	await Promise.all([client.close(), pool.destroy()]);
	await service.close();
}
