import {expect, test} from 'vitest';
import {createWorkSignal, type WorkSignal} from '../../../source/market/base/work-signal.ts';
import {noteHeartbeat} from '../../../source/market/hosts/heartbeats.ts';
import {usualPatience} from '../../../source/market/lifecycle/contact-rules.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {openHostMarket, readMachine, testPublication} from '../../helpers/host/hosts.ts';
import {
	changeMachines,
	insertMadeUpMachines,
} from '../../../source/market/lifecycle/machines-store.ts';
import {readInstance, rentDirectly, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

test('a machine is there from its first heartbeat on', async () => {
	await using market = await openHostMarket();
	const {id} = await market.host.publish(testPublication());
	expect(await readMachine(market.database, id)).toMatchObject({contact: 'lost', heard_at: null});
	expect(await market.host.heartbeat([id])).toEqual({success: true, every: 10, unknown: []});
	expect(await readMachine(market.database, id)).toMatchObject({
		contact: 'heard',
		heard_at: TEST_NOW,
	});
});

test("machines that are not the caller's are told, and not heard", async () => {
	await using market = await openHostMarket();
	const mine = await market.host.publish(testPublication());
	const theirs = await market.stranger.publish(testPublication());
	const reply = await market.host.heartbeat([999, theirs.id, mine.id, 999]);
	expect(reply.unknown).toEqual([999, theirs.id]);
	expect(await readMachine(market.database, theirs.id)).toMatchObject({
		contact: 'lost',
		heard_at: null,
	});
	await market.stranger.heartbeat([theirs.id]);
	await market.host.disconnect([theirs.id, 999]);
	expect(await readMachine(market.database, theirs.id)).toMatchObject({contact: 'heard'});
});

test('a machine that was silent for too long is heard again, and was silent meanwhile', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	const {id} = await rentRunning(market.database, {ask_id: machine.asks[0]?.id ?? 0});
	// The first 45 of these seconds were still paid for; nobody has noticed yet.
	market.clock.pass(1000);
	await market.host.heartbeat([machine.id]);
	expect(await readMachine(market.database, machine.id)).toMatchObject({contact: 'heard'});
	expect(await readInstance(market.database, id)).toMatchObject({
		contact: 'heard',
		actual: 'running',
	});
	const charges = await market.database
		.selectFrom('charges')
		.select(['item', 'quantity'])
		.orderBy('item')
		.execute();
	expect(charges).toEqual([
		{item: 'disk', quantity: 600_000 * 16},
		{item: 'gpu', quantity: 45_000},
	]);
});

test('a host that goes is gone at once, with all that runs on it', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	const {id} = await rentRunning(market.database, {ask_id: machine.asks[0]?.id ?? 0});
	await market.host.heartbeat([machine.id]);
	await market.host.disconnect([machine.id]);
	expect(await readMachine(market.database, machine.id)).toMatchObject({contact: 'lost'});
	expect(await readInstance(market.database, id)).toMatchObject({actual: 'offline'});
	await market.host.heartbeat([machine.id]);
	expect(await readInstance(market.database, id)).toMatchObject({actual: 'running'});
});

test('all machines of a large host are heard in one message', async () => {
	await using market = await openHostMarket({offers: 3000});
	const machines = (await market.host.list()).map(({id}) => id);
	expect(machines.length).toBeGreaterThan(1000);
	expect(await market.host.heartbeat(machines)).toMatchObject({unknown: []});
	const {count} = await market.database
		.selectFrom('machines')
		.select(({fn}) => fn.countAll<number>().as('count'))
		.where('contact', '=', 'heard')
		.where('heard_at', '=', TEST_NOW)
		.executeTakeFirstOrThrow();
	expect(count).toBe(machines.length);
});

test('what waits for a machine starts when it is heard, and its host is woken', async () => {
	await using market = await openHostMarket();
	const {database} = market;
	const {id: machineId} = await market.host.publish(testPublication());
	const waiting = {current: 'stopped', waiting_since: TEST_NOW} as const;
	const {id, host_account_id: accountId} = await rentDirectly(database, waiting);
	const signalled: number[] = [];
	const workSignal: WorkSignal = {...createWorkSignal(), send: name => signalled.push(name)};
	const hear = async (now: number) =>
		noteHeartbeat(
			{database, patience: usualPatience, workSignal},
			{accountId, ids: [machineId], contact: 'heard', now},
		);
	await hear(TEST_NOW);
	expect(signalled).toEqual([accountId]);
	expect(await readInstance(database, id)).toMatchObject({current: 'running', contact: 'heard'});
	await hear(TEST_NOW + 10);
	expect(signalled).toHaveLength(1);
	expect(await readMachine(database, machineId)).toMatchObject({heard_at: TEST_NOW + 10});
});

test('a heartbeat reads the machines that it names, and none of the others', async () => {
	await using market = await openHostMarket({offers: 300});
	const ids = (await market.host.list()).map(({id}) => id);
	const {id: accountId} = await soleAccount(market.database, 'host', TEST_NOW);
	let read = 0;
	const counted = market.database.withPlugin({
		transformQuery: ({node}) => node,
		async transformResult({result}) {
			// The answer of a lock is no row of anything.
			read += result.rows.filter(row => 'id' in row).length;
			return result;
		},
	});
	const say = async (some: readonly number[], contact: 'heard' | 'lost') => {
		read = 0;
		const word = {accountId, ids: some, contact, now: TEST_NOW};
		await noteHeartbeat(
			{database: counted, patience: usualPatience, workSignal: createWorkSignal()},
			word,
		);
		return read;
	};
	expect(ids.length).toBeGreaterThan(50);
	expect(await say(ids, 'heard')).toBeGreaterThanOrEqual(ids.length);
	expect(await say(ids.slice(0, 1), 'heard')).toBe(1);
	expect(await say(ids.slice(0, 2), 'lost')).toBe(2);
});

test('the silence of many machines is noted some at a time, and others write in between', async () => {
	await using market = await openHostMarket();
	const {database} = market;
	const {id} = await market.host.publish(testPublication());
	await market.host.heartbeat([id]);
	await addMachines(database, 2500, {contact: 'heard', heard_at: TEST_NOW});
	const rowsOf = async () =>
		database.selectFrom('machines').selectAll().where('made_up', '=', 1).execute();
	market.clock.pass(46);
	const seen = new Set<number>();
	const swept = market.sweep().then(() => 'swept');
	const call = async () => {
		await market.host.heartbeat([id]);
		seen.add((await rowsOf()).filter(({contact}) => contact === 'silent').length);
		return 'heard';
	};
	while ((await Promise.race([swept, call()])) === 'heard');
	expect(seen.size).toBeGreaterThan(3);
	const rows = await rowsOf();
	expect(rows).toHaveLength(2500);
	for (const row of rows) {
		expect(row).toMatchObject({
			contact: 'silent',
			compute_until: TEST_NOW + 45,
			disk_until: TEST_NOW + 600,
		});
	}
});

test('a heartbeat notes the silence of the machines that it names, and leaves others to the sweep', async () => {
	await using market = await openHostMarket();
	const {database} = market;
	const {id} = await market.host.publish(testPublication());
	await market.host.heartbeat([id]);
	await addMachines(database, 1, {contact: 'heard', heard_at: TEST_NOW});
	const {id: accountId} = await soleAccount(database, 'host', TEST_NOW);
	const hearing = {database, patience: usualPatience, workSignal: createWorkSignal()};
	await noteHeartbeat(hearing, {accountId, ids: [id], contact: 'heard', now: TEST_NOW + 50});
	const [made] = await database
		.selectFrom('machines')
		.selectAll()
		.where('made_up', '=', 1)
		.execute();
	expect(made).toMatchObject({contact: 'heard', disk_until: null});
	expect(await readMachine(database, id)).toMatchObject({contact: 'heard', disk_until: null});
});

/** Machines of the market's host, with nothing on them. */
async function addMachines(
	database: Database,
	count: number,
	changes: Parameters<typeof changeMachines>[2],
): Promise<void> {
	const {id: account_id} = await soleAccount(database, 'host', TEST_NOW);
	const ids = Array.from({length: count}, (_, index) => 10_000 + index);
	const machine = {account_id, host_id: account_id, num_gpus: 1, busy_mask: 0};
	await insertMadeUpMachines(
		database,
		ids.map(id => ({...machine, id, name: `machine ${id}`})),
	);
	await changeMachines(database, ids, changes);
}
