import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {tooManyReply} from '../../../source/contract/grammar/errors.ts';
import {contract} from '../../../source/contract/index.ts';
import {
	burstOf,
	createCallLimits,
	takeFromBucket,
	type CallBucket,
} from '../../../source/market/http/limits.ts';
import {forgetPaces, takeShared} from '../../../source/market/database/postgres/paces.ts';
import {openHostMarket, testPublication} from '../../helpers/host/hosts.ts';
import {openTestMarket, wholeReply, type TestMarket} from '../../helpers/market/market.ts';
import {databaseOnPostgres, openTwo} from '../../helpers/market/postgres.ts';
import {noPostgres} from '../../helpers/market/postgres-server.ts';

const size = {secondsPerCall: 4, burst: 2};

test.each<
	readonly [name: string, bucket: CallBucket | undefined, now: number, calls: number, wait: number]
>([
	['a first call is made', undefined, 100, 1, 0],
	['a burst is used up', {calls: 1, at: 100}, 100, 0, 0],
	['an empty bucket makes wait', {calls: 0, at: 100}, 100, 0, 4],
	['half of the time is half of the wait', {calls: 0, at: 100}, 102, 0.5, 2],
	['a threshold later there is one more', {calls: 0, at: 100}, 104, 0, 0],
	['a long pause fills no more than the bucket', {calls: 0, at: 100}, 9999, 1, 0],
	['a clock set back neither fills nor empties', {calls: 1, at: 100}, 50, 0, 0],
])('%s', (_, bucket, now, calls, waitSeconds) => {
	expect(takeFromBucket(bucket, size, now)).toEqual({bucket: {calls, at: now}, waitSeconds});
});

test('reading comes in longer bursts than writing', () => {
	expect(burstOf({method: 'GET', permission: undefined})).toBe(10);
	expect(burstOf({method: 'POST', permission: 'misc'})).toBe(10);
	expect(burstOf({method: 'PUT', permission: 'instance_read'})).toBe(10);
	expect(burstOf({method: 'POST', permission: 'user_write'})).toBe(5);
	expect(burstOf({method: 'PUT', permission: 'any key'})).toBe(5);
});

test('the buckets that were not used the longest are forgotten', async () => {
	const limits = createCallLimits({most: 3});
	for (const name of ['a', 'b', 'c', 'a', 'd']) await limits.take(name, {...size, burst: 1}, 0);
	expect(limits.size()).toBe(3);
	expect(await limits.take('a', size, 0)).toBeGreaterThan(0);
	expect(await limits.take('b', {...size, burst: 1}, 0)).toBe(0);
});

test.skipIf(noPostgres !== undefined)(
	'a bucket that processes share lets through what one of its own would',
	async () => {
		await using world = await openTwo();
		const processes = [world.one, world.other].map(({database}) =>
			createCallLimits({share: async (...call) => takeShared(database, ...call)}),
		);
		let own: CallBucket | undefined;
		const times = [0, 0, 0, 1, 3, 4, 4.5, 8, 8, 9999, 9999, 9999, 9999, 10_001.5, 10_003];
		for (const [index, now] of times.entries()) {
			const {bucket, waitSeconds} = takeFromBucket(own, size, now);
			own = bucket;
			const found = await processes[index % 2]?.take('somebody', size, now);
			expect(found, `at ${now}`).toBeCloseTo(waitSeconds, 5);
		}
		await forgetPaces(world.one.database, 20_000);
		expect((await sql`select * from paces`.execute(world.one.database)).rows).toEqual([]);
	},
);

test.skipIf(noPostgres !== undefined)(
	'two processes on one PostgreSQL hold an account, and an address, to one pace',
	async () => {
		const file = await databaseOnPostgres();
		await using one = await openTestMarket({file, rateScale: 1});
		await using other = await openTestMarket({file, rateScale: 1});
		const made = await statuses(one, '/api/v0/secrets/', 4, one.key);
		made.push(...(await statuses(other, '/api/v0/secrets/', 6, one.key)));
		expect(made).toEqual(Array(10).fill(200));
		expect(await statuses(one, '/api/v0/secrets/', 1, one.key)).toEqual([429]);
		expect(await statuses(other, '/api/v0/secrets/', 1, one.key)).toEqual([429]);
		for (const market of [one, other]) market.clock.pass(5);
		expect(await statuses(other, '/api/v0/secrets/', 1, one.key)).toEqual([200]);
		expect(await statuses(one, '/api/v0/secrets/', 1, one.key)).toEqual([429]);
		const guesses = await statuses(one, '/api/v0/secrets/', 5, 'guess');
		guesses.push(...(await statuses(other, '/api/v0/secrets/', 6, 'guess')));
		expect(guesses).toEqual([...Array.from({length: 10}, () => 401), 429]);
	},
);

async function statuses(market: TestMarket, path: string, times: number, key = market.key) {
	const headers = {authorization: `Bearer ${key}`};
	const found: number[] = [];
	for (let i = 0; i < times; i++) found.push((await market.call(path, {headers})).status);
	return found;
}

test('calls that come too fast are refused with how long to wait, and answered after that', async () => {
	await using market = await openTestMarket({rateScale: 1});
	expect(await statuses(market, '/api/v0/secrets/', 10)).toEqual(Array(10).fill(200));
	const reply = await market.call('/api/v0/secrets/');
	expect(reply.status).toBe(429);
	expect(reply.headers.get('retry-after')).toBe('5');
	const text = 'API requests too frequent endpoint threshold=5.0';
	expect(reply.body).toEqual({detail: text, msg: text});
	expect(() => tooManyReply.parse(reply.body)).not.toThrow();
	market.clock.pass(5);
	expect(await statuses(market, '/api/v0/secrets/', 2)).toEqual([200, 429]);
});

test('every endpoint has a limit of its own, whatever its form', async () => {
	await using market = await openTestMarket({rateScale: 1});
	expect(await statuses(market, '/api/v0/bundles/', 10)).not.toContain(429);
	const put = await market.call('/api/v0/bundles/', {method: 'PUT', body: '{}'});
	expect(put.status).toBe(429);
	expect(await statuses(market, '/api/v0/secrets/', 1)).toEqual([200]);
});

test('the keys of an account are counted together, and those of another account are not', async () => {
	await using market = await openTestMarket({rateScale: 1});
	const [second, host] = [await market.createKey('other'), await market.createKey('host', 'host')];
	expect(await statuses(market, '/api/v0/secrets/', 10)).not.toContain(429);
	expect(await statuses(market, '/api/v0/secrets/', 1, second)).toEqual([429]);
	expect(await statuses(market, '/api/v0/secrets/', 1, host)).toEqual([200]);
});

test('the key of an instance uses up nothing of its account', async () => {
	await using market = await openHostMarket({rateScale: 1});
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const order = {method: 'PUT', body: '{"image":"a"}'};
	const {body} = await market.call(`/api/v0/asks/${machine.asks[0]?.id}/`, order);
	const {new_contract: id, instance_api_key: key} =
		contract.instances.create.replies[200].parse(body);
	const change = async (authorization: string) =>
		(
			await market.call(`/api/v0/instances/${id}/`, {
				method: 'PUT',
				headers: {authorization: `Bearer ${authorization}`},
				body: '{"label": "x"}',
			})
		).status;
	const own = [];
	for (let times = 0; times < 6; times++) own.push(await change(key ?? ''));
	expect(own).toContain(429);
	expect(await change(market.key)).toBe(200);
});

test('calls with keys that nobody has are paced by their address, and keep nobody else', async () => {
	await using market = await openTestMarket({rateScale: 1, trustedProxies: ['127.0.0.1']});
	const guess = async (address: string) => {
		const headers = {authorization: 'Bearer guess', 'x-forwarded-for': address};
		return (await market.call('/api/v0/secrets/', {headers})).status;
	};
	const guesses = [];
	for (let times = 0; times < 11; times++) guesses.push(await guess(`2001:db8:1:2::${times}`));
	expect(guesses).toEqual([...Array.from({length: 10}, () => 401), 429]);
	expect(await guess('2001:db8:1:3::1')).toBe(401);
	expect(await statuses(market, '/api/v0/secrets/', 1)).toEqual([200]);
	market.clock.pass(1);
	expect(await guess('2001:db8:1:2::77')).toBe(401);
});

test('calls that a key may not make have a pace of its own, and beyond it no entry', async () => {
	await using market = await openTestMarket({rateScale: 1});
	const permissions = JSON.stringify({name: 'few', permissions: {api: {misc: {}}}});
	const {body} = await market.call('/api/v0/auth/apikeys/', {method: 'POST', body: permissions});
	const {key} = wholeReply(contract.apiKeys.create, body);
	const headers = {authorization: `Bearer ${key}`};
	const refused: number[] = [];
	// No host's call has a pace that one key reaches.
	for (let times = 0; times < 40; times++) {
		const init = {method: 'PUT', headers, body: '{}'};
		refused.push((await market.call('/api/v0/hosts/machines/', init)).status);
	}
	const ten = Array.from({length: 10}, () => 403);
	expect(refused).toEqual([...ten, ...Array.from({length: 30}, () => 429)]);
	expect(await statuses(market, '/api/v0/secrets/', 1)).toEqual([200]);
	const entries = wholeReply(
		contract.account.changes,
		(await market.call('/api/v0/audit_logs/')).body,
	).changes.filter(({status}) => (status ?? 0) >= 400);
	expect(entries.map(({status}) => status)).toEqual(ten);
	market.clock.pass(1);
	const later = await market.call('/api/v0/hosts/machines/', {method: 'PUT', headers, body: '{}'});
	expect(later.status).toBe(403);
});

test('limits can be scaled, and left out', async () => {
	await using half = await openTestMarket({rateScale: 0.5});
	await statuses(half, '/api/v0/secrets/', 10);
	expect(await statuses(half, '/api/v0/secrets/', 1)).toEqual([429]);
	half.clock.pass(2.5);
	expect(await statuses(half, '/api/v0/secrets/', 1)).toEqual([200]);
	await using none = await openTestMarket({rateScale: 0});
	expect(await statuses(none, '/api/v0/secrets/', 30)).not.toContain(429);
});
