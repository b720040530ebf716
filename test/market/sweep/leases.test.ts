import {expect, test} from 'vitest';
import {createWorkSignal} from '../../../source/market/base/work-signal.ts';
import {endLeases} from '../../../source/market/sweep/leases.ts';
import {messages} from '../../../source/market/lifecycle/rules.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {afterRead, doneOrHeld} from '../../helpers/market/after-read.ts';
import {creditOf} from '../../helpers/market/billing.ts';
import {
	leaseDirectly,
	openTestMarketFile,
	readInstance,
	rentDirectly,
	rentRunning,
} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {onPostgres} from '../../helpers/market/postgres.ts';

// A look of the market's own, between two of a test, would be the second one.
const calm = {offers: 20, patience: {silentAfter: 1e9, lostAfter: 2e9}, sweepsByItself: false};

/** A dollar an hour, and a disk for a dollar an hour. */
const prices = {gpu_micros: 1_000_000, storage_micros: 720_000_000, disk_gb: 1};

async function endOf(database: Database, id: number): Promise<string> {
	const {destroyed_at: destroyed, current, message} = await readInstance(database, id);
	if (destroyed !== null) return `destroyed at ${destroyed - TEST_NOW}`;
	return message === messages.leaseEnded ? `${current} by its lease` : current;
}

test('a deadline ends an instance at the second look after it, and nothing else', async () => {
	await using market = await openTestMarketFile(calm);
	const {database} = market;
	const {id} = await rentRunning(database);
	const {id: other} = await rentRunning(database);
	const {id: later} = await rentRunning(database);
	await leaseDirectly(database, id, {ends_at: TEST_NOW + 100});
	await leaseDirectly(database, later, {ends_at: TEST_NOW + 9000});
	await market.pass(99);
	await market.pass(1);
	expect(await endOf(database, id)).toBe('running');
	await market.sweep();
	expect(await endOf(database, id)).toBe('running');
	await market.pass(1);
	expect(await endOf(database, id)).toBe('destroyed at 101');
	await market.pass(60);
	expect(await endOf(database, other)).toBe('running');
	expect(await endOf(database, later)).toBe('running');
});

test('a market that was closed or slept past a deadline ends it at its second look', async () => {
	await using market = await openTestMarketFile(calm);
	const {id} = await rentRunning(market.database);
	await leaseDirectly(market.database, id, {ends_at: TEST_NOW + 100, action: 'stop'});
	market.clock.jump(7200);
	await market.sweep();
	expect(await endOf(market.database, id)).toBe('running');
	await market.pass(1);
	expect(await endOf(market.database, id)).toBe('stopped by its lease');
});

test('what is stopped first is destroyed an hour after its deadline', async () => {
	await using market = await openTestMarketFile(calm);
	const {database} = market;
	const {id} = await rentRunning(database);
	await leaseDirectly(database, id, {ends_at: TEST_NOW + 100, action: 'stop-destroy'});
	await market.pass(100);
	await market.pass(1);
	expect(await endOf(database, id)).toBe('stopped by its lease');
	await market.pass(3598);
	await market.pass(1);
	expect(await endOf(database, id)).toBe('stopped by its lease');
	await market.pass(1);
	expect(await endOf(database, id)).toBe('destroyed at 3701');
});

test('the grace of a lease puts off its end', async () => {
	await using market = await openTestMarketFile(calm);
	const {id} = await rentRunning(market.database);
	await leaseDirectly(market.database, id, {ends_at: TEST_NOW + 100, grace_seconds: 50});
	await market.pass(149);
	await market.pass(1);
	expect(await endOf(market.database, id)).toBe('running');
	await market.pass(1);
	expect(await endOf(market.database, id)).toBe('destroyed at 151');
});

test('a cost ends an instance, unless it is kept', async () => {
	await using market = await openTestMarketFile(calm);
	const {database} = market;
	const {id} = await rentRunning(database, prices);
	const {id: kept} = await rentRunning(database, prices);
	await leaseDirectly(database, id, {max_cost_micros: 2_000_000, action: 'stop-destroy'});
	await leaseDirectly(database, kept, {max_cost_micros: 2_000_000, keep: 1});
	await market.pass(3500);
	await market.pass(5);
	expect(await endOf(database, id)).toBe('running');
	await market.pass(200);
	await market.pass(5);
	expect(await endOf(database, id)).toBe('stopped by its lease');
	await market.pass(3600);
	await market.pass(5);
	expect(await endOf(database, id)).toMatch(/^destroyed/);
	expect(await endOf(database, kept)).toBe('running');
});

test('a lease that is changed or taken away between two looks ends nothing', async () => {
	await using market = await openTestMarketFile(calm);
	const {database} = market;
	const {id} = await rentRunning(database);
	await leaseDirectly(database, id, {ends_at: TEST_NOW + 100});
	await market.pass(100);
	await leaseDirectly(database, id, {ends_at: TEST_NOW + 100, changed_at: TEST_NOW + 100});
	await market.pass(1);
	expect(await endOf(database, id)).toBe('running');
	const {status} = await market.call(`/api/v0/instances/${id}/lease/`, {method: 'DELETE'});
	expect(status).toBe(200);
	await market.pass(1);
	await market.pass(1);
	expect(await endOf(database, id)).toBe('running');
});

test('an instance that waits for its GPUs is stopped, and one that is stopped is left alone', async () => {
	await using market = await openTestMarketFile(calm);
	const {database} = market;
	const waits = {intended: 'running', current: 'stopped', next: 'running', waiting_since: TEST_NOW};
	const {id: waiting} = await rentDirectly(database, waits);
	const rests = {intended: 'stopped', current: 'stopped', next: 'stopped', message: 'as it was'};
	const {id: stopped} = await rentDirectly(database, rests);
	for (const id of [waiting, stopped]) {
		await leaseDirectly(database, id, {ends_at: TEST_NOW + 1, action: 'stop'});
	}
	await market.pass(1);
	await market.pass(1);
	expect(await readInstance(database, waiting)).toMatchObject({intended: 'stopped'});
	expect(await readInstance(database, stopped)).toMatchObject({message: 'as it was'});
});

test('a host that is away costs its renter nothing after the end, and gets the order when it is back', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const {database} = market;
	const row = await rentRunning(database, prices);
	await leaseDirectly(database, row.id, {ends_at: TEST_NOW + 100});
	// Its machine is not heard from the first moment on.
	await market.pass(100);
	await market.pass(1);
	const credit = await creditOf(database);
	await market.pass(7200);
	expect(await creditOf(database)).toBe(credit);
	const {revision, destroyed_at: destroyed} = await readInstance(database, row.id);
	expect(destroyed).toBe(TEST_NOW + 101);
	expect(revision).toBeGreaterThan(row.revision);
});

test('what its renter stops while its lease is looked at is left alone, and keeps its disk', async () => {
	await using market = await openTestMarketFile(calm);
	const {database} = market;
	const {id} = await rentRunning(database, prices);
	await leaseDirectly(database, id, {max_cost_micros: 2_000_000, action: 'stop-destroy'});
	await market.pass(7300);
	const ending = {watch: new Map(), workSignal: createWorkSignal()};
	await endLeases({...ending, database}, TEST_NOW + 7300);
	const stop = {method: 'PUT', body: JSON.stringify({state: 'stopped'})};
	const act = async () => market.call(`/api/v0/instances/${id}/`, stop);
	const looked = afterRead(database, {of: 'costMicros', act});
	await endLeases({...ending, database: looked}, TEST_NOW + 7305);
	expect(await endOf(database, id)).toBe('stopped');
	const lease = await database.selectFrom('leases').selectAll().executeTakeFirst();
	expect(lease).toMatchObject({action: 'stop-destroy', ends_at: null});
});

test.skipIf(!onPostgres)(
	'nobody is told that a lease was taken away that ends its instance',
	async () => {
		await using market = await openTestMarketFile(calm);
		const {database} = market;
		const {id} = await rentRunning(database);
		await leaseDirectly(database, id, {ends_at: TEST_NOW + 1});
		const ending = {watch: new Map(), workSignal: createWorkSignal()};
		await endLeases({...ending, database}, TEST_NOW + 2);
		let removed: Promise<{readonly status: number}> | undefined;
		let reads = 0;
		const looked = afterRead(database, {
			// The second read is that of the transaction.
			of: row => 'costMicros' in row && ++reads === 2,
			async act() {
				removed = market.call(`/api/v0/instances/${id}/lease/`, {method: 'DELETE'});
				await doneOrHeld(database, removed);
			},
		});
		await endLeases({...ending, database: looked}, TEST_NOW + 5);
		expect([(await removed)?.status, await endOf(database, id)]).toEqual([404, 'destroyed at 5']);
	},
);
