import {expect, test} from 'vitest';
import {
	keepHeard,
	readInstance,
	rentDirectly,
	rentRunning,
} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openProvided} from '../../helpers/market/provided.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** A market where one of two GPUs is rented. */
async function openRented() {
	const market = await openProvided();
	const instance = await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	await keepHeard(market.database);
	await market.database
		.updateTable('machines')
		.set({heard_at: TEST_NOW + 99 * DAY})
		.execute();
	return {...market, instance};
}

test('announced maintenance is told to renters, and nobody rents meanwhile', async () => {
	await using market = await openRented();
	const {id} = market.machine;
	const plan = {sdate: '2026-10-19T10:00:00Z', duration: 2, maintenance_reason: 'a new disk'};
	expect(await market.callAsProvider('PUT', `${id}/dnotify/`, plan)).toMatchObject({
		status: 400,
	});
	const start = TEST_NOW + DAY;
	const sdate = new Date(start * 1000).toISOString();
	const category = {maintenance_category: 'Disk'};
	expect(
		await market.callAsProvider('PUT', `${id}/dnotify/`, {...plan, ...category, sdate}),
	).toMatchObject({status: 200, body: {success: true, you_sent: '1 notifications sent'}});
	const window = {
		machine_id: id,
		start_time: start,
		end_time: start + 2 * HOUR,
		duration_hours: 2,
		maintenance_category: 'disk',
		maintenance_reason: 'a new disk',
	};
	for (const client of [market.renter, market.provider]) {
		expect(await client.machines.maintenance({})).toMatchObject({windows: [window]});
	}
	expect(await market.renter.machines.maintenance({machine_ids: [id + 1]})).toMatchObject({
		windows: [],
	});
	expect(await market.machines.show(id)).toMatchObject({machine_maintenance: [window]});
	const rentable = async () => (await market.offers()).some(offer => offer.rentable === true);
	await market.pass(DAY - 1);
	expect(await rentable()).toBe(true);
	await market.pass(1);
	expect(await rentable()).toBe(false);
	expect(await market.machines.show(id)).toMatchObject({
		error_description: expect.stringMatching(/maintained/) as unknown,
	});
	await market.pass(2 * HOUR);
	expect(await rentable()).toBe(true);
	expect(await readInstance(market.database, market.instance.id)).toMatchObject({
		current: 'running',
	});
});

test('maintenance that is cancelled ends at once, and there may be none', async () => {
	await using market = await openRented();
	const {id} = market.machine;
	await market.machines.announceMaintenance(id, {start: TEST_NOW, hours: 3, reason: undefined});
	await market.sweep();
	expect((await market.offers()).some(offer => offer.rentable === true)).toBe(false);
	expect(await market.machines.cancelMaintenance(id)).toBe(
		`deleted 1 scheduled maintenance window(s) on machine ${id}`,
	);
	expect((await market.offers()).some(offer => offer.rentable === true)).toBe(true);
	expect(await market.machines.cancelMaintenance(id)).toMatch(/^deleted 0/);
});

test('a machine with something of a renter on it is not removed, and its name is free afterwards', async () => {
	await using market = await openRented();
	const {id} = market.machine;
	expect(await market.callAsProvider('POST', `${id}/force_delete/`)).toMatchObject({
		status: 400,
		body: {error: 'machine_in_use', msg: expect.stringMatching(/ 1 instances/) as unknown},
	});
	await market.renter.instances.destroy(market.instance.id);
	await market.machines.delete(id);
	expect(await market.machines.list()).toMatchObject({machines: []});
	expect(await market.offers()).toEqual([]);
	expect(await market.host.heartbeat([id])).toMatchObject({unknown: [id]});
	const {testPublication} = await import('../../helpers/host/hosts.ts');
	expect((await market.host.publish(testPublication())).id).not.toBe(id);
});

test('cleaning up deletes what ended two days ago, and nothing sooner', async () => {
	await using market = await openRented();
	const {id} = market.machine;
	await market.database.updateTable('instances').set({end_date: TEST_NOW}).execute();
	await market.database.updateTable('offers').set({listed: 0}).execute();
	await market.pass(2 * DAY - 1);
	expect(await market.machines.cleanUp(id)).toMatchObject({num_deleted: 0});
	await market.pass(1);
	expect(await market.machines.cleanUp(id)).toMatchObject({num_deleted: 1});
	expect((await readInstance(market.database, market.instance.id)).destroyed_at).toBe(
		TEST_NOW + 2 * DAY,
	);
});

test('defragmenting moves what never ran to GPUs that are free, and nothing that did', async () => {
	await using market = await openRented();
	const [first, second] = market.machine.asks;
	const stopped = {ask_id: first?.id ?? 0, current: 'stopped', intended: 'stopped'} as const;
	const never = await rentDirectly(market.database, {...stopped, reported: null});
	const before = await rentDirectly(market.database, {...stopped, reported: 'exited'});
	const {machines} = await market.machines.defragment({machine_ids: [market.machine.id]});
	expect(machines).toEqual([{machine_id: market.machine.id, moved: 1, offers: 1}]);
	expect(await readInstance(market.database, never.id)).toMatchObject({
		ask_id: second?.id,
		gpu_mask: 2,
	});
	expect(await readInstance(market.database, before.id)).toMatchObject({ask_id: first?.id});
	await expect(market.machines.defragment({machine_ids: [999]})).rejects.toMatchObject({
		status: 404,
	});
});

test('who rents of a machine reports it once a day, and its provider reads no names', async () => {
	await using market = await openRented();
	const {id} = market.machine;
	await market.renter.machines.report(id, {problem: 'slow disk', message: '2 MB/s'});
	await expect(
		market.renter.machines.report(id, {problem: 'again', message: ''}),
	).rejects.toMatchObject({status: 429});
	await expect(
		market.provider.machines.report(id, {problem: 'mine', message: ''}),
	).rejects.toMatchObject({
		status: 404,
	});
	const reply = await market.callAsProvider('GET', `${id}/reports/`, undefined);
	expect(reply.body).toEqual([
		{
			id: 1,
			machine_id: id,
			problem: 'slow disk',
			message: '2 MB/s',
			created_at: new Date(TEST_NOW * 1000).toISOString(),
		},
	]);
	expect(await market.machines.show(id)).toMatchObject({num_reports: 1, num_recent_reports: 1});
	await market.pass(8 * DAY);
	expect(await market.machines.show(id)).toMatchObject({num_reports: 1, num_recent_reports: 0});
});

test('earnings are as of the same second as the charges that renters see', async () => {
	await using market = await openRented();
	market.clock.pass(33);
	const {summary} = await market.machines.earnings(2);
	const day = {from: TEST_NOW - DAY, until: TEST_NOW + DAY};
	const {records} = await market.renter.billing.charges(day);
	const {total_gpu: gpu, total_stor: disk} = summary;
	expect(gpu).toBeGreaterThan(0);
	expect(records.reduce((sum, {amount}) => sum + amount, 0)).toBeCloseTo(gpu + disk, 9);
});

test('earnings add up by machine, by day and in all, and are what renters were charged', async () => {
	await using market = await openRented();
	await market.pass(3 * HOUR);
	const earned = await market.machines.earnings(2);
	const {total_gpu: gpu, total_stor: disk} = earned.summary;
	expect(gpu).toBeCloseTo(3 * 0.4, 6);
	expect(disk).toBeGreaterThan(0);
	expect(sumOf(earned.per_machine)).toBeCloseTo(gpu + disk, 9);
	expect(sumOf(earned.per_day)).toBeCloseTo(gpu + disk, 9);
	expect(earned.current.balance).toBeCloseTo(gpu + disk, 6);
	const charged = await market.database
		.selectFrom('charges')
		.select(({fn}) => fn.sum<number>('amount_micros').as('micros'))
		.executeTakeFirstOrThrow();
	expect(charged.micros).toBe(Math.round((gpu + disk) * 1e6));
	const call = async (user: string, query: string) => {
		const headers = {authorization: `Bearer ${market.hostKey}`};
		return market.call(`/api/v0/users/${user}/machine-earnings?${query}`, {headers});
	};
	const today = Math.floor(TEST_NOW / DAY);
	const yesterday = await call(
		'me',
		`owner=me&sday=${today - 1}.5&eday=${today - 1}.5&machid=null`,
	);
	expect(yesterday).toMatchObject({status: 200, body: {per_machine: [], per_day: []}});
	expect(await call('999', '')).toMatchObject({status: 403});
	expect(await call('me', 'last_days=0')).toMatchObject({status: 400});
});

function sumOf(rows: ReadonlyArray<{readonly gpu_earn: number; readonly sto_earn: number}>) {
	return rows.reduce((total, row) => total + row.gpu_earn + row.sto_earn, 0);
}
