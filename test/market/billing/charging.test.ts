import {expect, test} from 'vitest';
import {noteReports} from '../../../source/market/hosts/reports.ts';
import {messages} from '../../../source/market/lifecycle/rules.ts';
import {writeLease} from '../../../source/market/leases/store.ts';
import {
	chargesIn,
	creditOf,
	insertVolume,
	openBilledWorld,
	OPENING,
	setCredit,
} from '../../helpers/market/billing.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

test('what runs without events is charged every five minutes where nobody looks, and exactly', async () => {
	await using world = await openBilledWorld();
	for (let second = 1; second < 300; second++) {
		if (second % 40 === 0) await world.hear(TEST_NOW + second);
		await world.sweep(TEST_NOW + second);
	}
	expect(await chargesIn(world.database)).toEqual([]);
	await world.sweep(TEST_NOW + 300);
	// Computing, its disk and the volume, each rounded once.
	expect(OPENING - (await creditOf(world.database))).toBe(102_881 + 176 + 38);
	const before = await chargesIn(world.database);
	await world.sweep(TEST_NOW + 320);
	expect(await chargesIn(world.database)).toEqual(before);
});

test('who runs out of credit between two charges is charged and stopped at once', async () => {
	await using world = await openBilledWorld();
	await world.hear(TEST_NOW);
	// Enough for a hundred seconds of computing, and some more.
	await setCredit(world.database, 35_000);
	for (let second = 5; second < 100; second += 5) {
		if (second % 40 === 0) await world.hear(TEST_NOW + second);
		await world.sweep(TEST_NOW + second);
		expect(await readInstance(world.database, world.id)).toMatchObject({intended: 'running'});
	}
	await world.hear(TEST_NOW + 105);
	await world.sweep(TEST_NOW + 105);
	expect(await readInstance(world.database, world.id)).toMatchObject({
		intended: 'stopped',
		message: messages.noCredit,
	});
});

test('a volume of a machine that is not known keeps nobody from being charged', async () => {
	await using world = await openBilledWorld();
	const {ask_id} = await readInstance(world.database, world.id);
	await insertVolume(world.database, {machine_id: 1e6, ask_id, size_gb: 1, storage_micros: 9});
	await world.sweepAll(TEST_NOW + 30);
	expect(await chargesIn(world.database)).toHaveLength(2);
	expect(await chargesIn(world.database, 'volume')).toHaveLength(1);
});

test('a lease by cost sees what was not charged yet, and ends its instance at the second look', async () => {
	await using world = await openBilledWorld();
	await writeLease(world.database, {
		instance_id: world.id,
		ends_at: null,
		// A hundred seconds of computing, with the disk, and some more.
		max_cost_micros: 34_800,
		action: 'stop',
		grace_seconds: 0,
		keep: 0,
		changed_at: TEST_NOW,
	});
	const intendedAt = async (second: number) => {
		if (second % 5 === 0) await world.hear(TEST_NOW + second);
		await world.sweep(TEST_NOW + second);
		return (await readInstance(world.database, world.id)).intended;
	};
	for (let second = 0; second < 106; second++) expect(await intendedAt(second)).toBe('running');
	expect(await intendedAt(106)).toBe('stopped');
});

test('who has little left pays for what runs before the traffic that is counted', async () => {
	await using world = await openBilledWorld();
	const {database, id} = world;
	await database.updateTable('instances').set({up_micros: 1_000_000_000}).execute();
	await world.hear(TEST_NOW);
	await world.sweep(TEST_NOW);
	await setCredit(database, 50_000_000);
	const {boot, host_account_id: accountId} = await readInstance(database, id);
	for (const now of [TEST_NOW + 40, TEST_NOW + 44]) {
		await world.hear(now);
		const reports = [{instance_id: id, boot, traffic: {up: 1e9, down: 0}}];
		await noteReports({...world, warn: () => undefined}, {accountId, reports, now});
	}
	expect(await creditOf(database)).toBeGreaterThanOrEqual(0);
	const [compute] = await chargesIn(database);
	expect(compute).toMatchObject(['gpu', expect.any(Number), 40_000, expect.any(Number)]);
});

test('traffic too small to cost anything is counted for an account that owes', async () => {
	await using world = await openBilledWorld();
	const {database, id, patience, workSignal} = world;
	const {boot, host_account_id: accountId} = await readInstance(database, id);
	await database.updateTable('instances').set({up_micros: 1000}).execute();
	await setCredit(database, -1_000_000);
	const reports = [{instance_id: id, boot, traffic: {up: 10, down: 0}}];
	const services = {database, patience, workSignal, warn: () => undefined};
	await noteReports(services, {accountId, reports, now: TEST_NOW + 1});
	expect((await chargesIn(database)).filter(([item]) => item === 'bwu')).toMatchObject([
		['bwu', expect.any(Number), 10, 0],
	]);
});
