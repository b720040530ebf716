import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {operatorOf} from '../../../source/market/operator/operator.ts';
import {printedMachineState} from '../../../source/commands/host/machines.ts';
import {dueForTest} from '../../../source/market/machine-tests/store.ts';
import {openAccount} from '../../../source/market/accounts/people.ts';
import {insertAccount} from '../../../source/market/accounts/people-store.ts';
import {reliabilityMarksOf} from '../../../source/market/reliability/store.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {
	openRentedMarket,
	openHostMarket,
	readMachine,
	reportOf,
	testPublication,
} from '../../helpers/host/hosts.ts';
import {
	destroyAll,
	readInstance,
	rentDirectly,
	rentRunning,
} from '../../helpers/market/instances.ts';
import {openProvided} from '../../helpers/market/provided.ts';
import type {Database} from '../../../source/market/database/database.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** A team of an account. */
async function insertTeam(database: Database, owner_id: number) {
	const id = await insertAccount(database, {created_at: TEST_NOW, kind: 'both', owner_id});
	return {id};
}

async function daysOf(database: Database) {
	return database.selectFrom('machine_days').selectAll().orderBy('day').execute();
}

test('offers show how far a machine can be relied on, and its history is kept by day', async () => {
	await using market = await openProvided();
	const reliability = async () => (await market.offers()).map(offer => offer.reliability);
	await market.pass(1);
	expect(await reliability()).toEqual([0.95, 0.95, 0.95]);
	// All day long it is heard: without a sweep nobody notes silence.
	market.clock.pass(DAY - 10);
	await market.database.updateTable('machines').set({heard_at: market.clock.now()}).execute();
	await market.pass(10);
	const [first] = await reliability();
	expect(first).toBeCloseTo(0.975, 2);
	await market.pass(DAY);
	await market.provider.hosts.heartbeat([market.id]);
	await market.pass(1);
	const [second] = await reliability();
	expect(second).toBeCloseTo((DAY + 0.95 * DAY) / (3 * DAY), 3);
	const days = await daysOf(market.database);
	expect(days.map(({silent_seconds: silent}) => Math.round(silent / DAY))).toEqual([0, 0, 1]);
	expect((await market.machines.show(market.id))?.reliability2).toBe(second);
});

test('a machine that comes back in announced maintenance is as reliable as before', async () => {
	await using market = await openProvided();
	await market.pass(1);
	const start = market.clock.now() + 5;
	await market.machines.announceMaintenance(market.id, {start, hours: 2, reason: undefined});
	await market.pass(10);
	await market.pass(3 * HOUR);
	await market.provider.hosts.heartbeat([market.id]);
	await market.pass(1);
	const [day] = (await daysOf(market.database)).toReversed();
	expect(Math.round((day?.silent_seconds ?? 0) / 60)).toBe(60);
});

test('starts that fail lower it, but not those of an image that fails elsewhere', async () => {
	await using market = await openRentedMarket();
	const {machine, instance, database} = market;
	const other = await market.host.publish(testPublication({name: 'other'}));
	await market.host.heartbeat([machine.id, other.id]);
	await market.pass(1);
	const fail = async (row: typeof instance) => {
		await market.host.report([
			reportOf(row, {status: 'failed', status_msg: 'no disk', fault: 'machine'}),
		]);
		await market.pass(1);
	};
	const failed = async (id: number) =>
		(await daysOf(database)).find(({machine_id: machineId}) => machineId === id)?.failed;
	await fail(instance);
	expect(await failed(machine.id)).toBe(1);
	const [ask] = other.asks;
	await fail(await rentDirectly(database, {ask_id: ask?.id ?? 0}));
	expect([await failed(machine.id), await failed(other.id)]).toEqual([1, 0]);
});

test('machines that a market made up keep what they were made up with', async () => {
	await using market = await openHostMarket({offers: 20});
	const read = async () =>
		(await market.search({limit: 50, order: [['id', 'asc']]})).map(offer => offer.reliability);
	const before = await read();
	const machines = await market.host.list();
	await market.host.heartbeat(machines.map(({id}) => id));
	await market.pass(2 * DAY);
	expect(await read()).toEqual(before);
	expect(await daysOf(market.database)).toEqual([]);
});

/** Somebody else runs an order on a machine of yet another provider, so that its failures count. */
async function proveOrder(market: Pick<Provided, 'database' | 'stranger'>): Promise<string> {
	const {database, stranger} = market;
	const {
		asks: [ask],
	} = await stranger.publish(testPublication({name: 'elsewhere'}));
	const {id: account_id} = await openAccount(database, {kind: 'renter', now: TEST_NOW});
	await rentRunning(database, {ask_id: ask?.id ?? 0, account_id, order_hash: 'proven'});
	return 'proven';
}

type Provided = Awaited<ReturnType<typeof openProvided>>;

test('what one person rents and has fail quarantines nothing, nor does what ran nowhere', async () => {
	await using market = await openProvided();
	const {database, id} = market;
	const parentId = (await readInstance(database, (await rentDirectly(database)).id)).account_id;
	await destroyAll(database, TEST_NOW);
	const {id: child} = await openAccount(database, {kind: 'renter', parentId, now: TEST_NOW});
	const {id: team} = await insertTeam(database, child);
	const {id: other} = await openAccount(database, {kind: 'renter', now: TEST_NOW});
	const ask_id = market.machine.asks[0]?.id ?? 0;
	const fail = async (account_id: number, order_hash: string, fault?: 'order' | 'machine') => {
		const row = await rentDirectly(database, {ask_id, account_id, order_hash});
		const report = {status: 'failed', status_msg: 'no such image', ...(fault && {fault})} as const;
		await market.host.report([reportOf(row, report)]);
	};
	const state = async () => {
		await market.pass(1);
		const {failed} = (await daysOf(database)).findLast(day => day.machine_id === id) ?? {};
		const {quarantine} = await readMachine(database, id);
		return [failed, quarantine !== null];
	};
	// An image that exists nowhere, of however many persons.
	for (const account of [parentId, child, team, other]) await fail(account, 'nowhere', 'order');
	expect(await state()).toEqual([0, false]);
	// One that ran on a machine of another provider, for this person alone.
	const {
		asks: [elsewhere],
	} = await market.stranger.publish(testPublication({name: 'of a friend'}));
	const own = {ask_id: elsewhere?.id ?? 0, account_id: child, order_hash: 'mine'};
	await rentRunning(database, own);
	for (const account of [parentId, child, team]) await fail(account, 'mine');
	expect(await state()).toEqual([0, false]);
	const proven = await proveOrder(market);
	for (const account of [parentId, child, team]) await fail(account, proven);
	expect(await state()).toEqual([3, false]);
	// A host is believed in its own disfavour.
	await fail(other, 'nowhere at all', 'machine');
	expect(await state()).toEqual([4, true]);
});

test('a machine where rentals of two renters fail is quarantined, and its provider is told why', async () => {
	await using market = await openProvided();
	const {database, id} = market;
	const {id: account_id} = await openAccount(database, {kind: 'renter', now: TEST_NOW});
	const order_hash = await proveOrder(market);
	const rows = [];
	for (const given of [{}, {}, {account_id}, {}]) {
		const order = {ask_id: market.machine.asks[0]?.id ?? 0, order_hash};
		rows.push(await rentDirectly(database, {...order, ...given}));
	}
	const [first, second, third, late] = rows.map(row =>
		reportOf(row, {status: 'failed', status_msg: 'no disk'}),
	);
	if (first === undefined || second === undefined || third === undefined) throw new Error('none');
	await market.host.report([first, second]);
	const rentable = async () => (await market.offers()).map(offer => offer.rentable);
	expect(await rentable()).toEqual([false, true, false]);
	await market.host.report([third]);
	expect(await rentable()).toEqual([false, false, false]);
	const why = '3 rentals of 2 renters could not start within a day.';
	const shown = await market.machines.show(id);
	expect(shown).toMatchObject({
		quarantine: why,
		error_description: `Nobody can rent it until it passes its test: ${why}`,
	});
	expect(shown && printedMachineState(shown)).toBe('quarantined');
	expect(await dueForTest(database, TEST_NOW)).toEqual([id]);
	if (late !== undefined) await market.host.report([late]);
	await market.host.publish(testPublication());
	await market.pass(DAY);
	await market.host.heartbeat([id]);
	expect(await rentable()).toEqual([false, false, false]);
	expect(await reliabilityMarksOf(database, id, 9)).toMatchObject([
		{mark: 'quarantined', said_by: 'market', why},
	]);
});

test('rentals of one renter, and a provider’s own, quarantine nothing', async () => {
	await using market = await openProvided();
	const {database} = market;
	const ask_id = market.machine.asks[0]?.id ?? 0;
	const {account_id} = await readMachine(database, market.id);
	for (const given of [{}, {}, {}, {account_id}]) {
		const row = await rentDirectly(database, {ask_id, ...given});
		await market.host.report([reportOf(row, {status: 'failed', fault: 'machine'})]);
	}
	await market.pass(1);
	expect((await market.offers()).map(offer => offer.rentable)).toEqual([true, true, true]);
	expect((await daysOf(database)).at(-1)).toMatchObject({rentals: 4, failed: 4});
});

test('an operator’s word on a machine stands, and lets it out of quarantine', async () => {
	await using market = await openProvided();
	const operator = openClient({
		url: market.url,
		key: await market.createOperatorKey('operator'),
		paceScale: 0,
	});
	const {id} = market;
	const shown = async () => [
		...new Set((await market.offers()).map(one => `${one.verification} ${one.rentable}`)),
	];
	await operator.operator.markMachine(id, {verification: 'verified', quarantined: true, why: 'x'});
	expect(await shown()).toEqual(['verified false']);
	await market.host.publish(testPublication());
	await operator.operator.markMachine(id, {quarantined: false, why: ''});
	expect(await shown()).toEqual(['verified true']);
	expect((await market.search({verified: {eq: true}})).length).toBe(3);
	await operator.operator.markMachine(id, {verification: 'tested', why: ''});
	expect(await shown()).toEqual(['unverified true']);
	const {machines} = await operator.operator.machines(undefined);
	expect(machines).toMatchObject([{id, name: 'rig', listed: true, verification: 'unverified'}]);
	const {marks} = await operator.operator.machine(id);
	expect(marks.map(({mark, said_by: by}) => `${by} ${mark}`)).toEqual([
		'market unverified',
		'operator released',
		'operator quarantined',
		'operator verified',
	]);
	await expect(operator.operator.machine(99)).rejects.toMatchObject({status: 404});
	await operator.close();
});

test('an operator marks a machine on a database, and sees what it has proven', async () => {
	await using market = await openProvided();
	await market.pass(1);
	await operatorOf(market.database, () => TEST_NOW).markMachine({
		id: market.id,
		verification: 'deverified',
		why: 'Its disk is broken.',
	});
	const shown = await operatorOf(market.database, () => TEST_NOW).machine(market.id);
	expect(shown).toMatchObject({
		verification: 'deverified',
		marks: [{mark: 'deverified', said_by: 'operator', why: 'Its disk is broken.'}],
		days: [{reliability: 0.95}],
	});
});
