import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {hearMachines, rentDirectly} from '../../helpers/market/instances.ts';
import {openHostMarket} from '../../helpers/host/hosts.ts';
import {allFaults} from '../../helpers/market/ledger.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {
	callVolumes,
	listVolumes,
	makeVolume,
	readVolume,
	searchRoom,
} from '../../helpers/market/volumes.ts';

const HOUR = 3600;

const forever = {silentAfter: 1e9, lostAfter: 2e9};

const cloneKey = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`;

/** A market with a volume of 40 GB, and room on another machine. */
async function openCloning() {
	const market = await openHostMarket({offers: 50, patience: forever});
	await hearMachines(market.database);
	const rooms = await searchRoom(market, {limit: 100, disk_space: {gte: 100}});
	const [room] = rooms;
	const other = rooms.find(({machine_id: id}) => id !== room?.machine_id);
	if (room === undefined || other === undefined) return expect.fail('there is no room');
	const source = await makeVolume(market, {id: room.id, size: 40, name: 'data'});
	const copy = async (body: Readonly<Record<string, unknown>> = {}) =>
		callVolumes(market, 'POST', {src_id: source, dst_id: other.id, ...body}, 'copy/');
	const rowOf = async (id: number) => readVolume(market.database, id);
	const report = async (body: Readonly<Record<string, unknown>>) =>
		market.callAsHost('POST', 'copies/1/', body);
	return {...market, room: other, source, copy, rowOf, report};
}

const ownFault = {failed: true, fault: 'machine'} as const;

test('a clone has its price before, costs from its beginning, and is made once', async () => {
	await using market = await openCloning();
	const {room, source, copy, rowOf, report, database} = market;
	const perGb = room.storage_cost ?? expect.fail('it has no price');
	expect(await copy({most_storage_cost: perGb / 2})).toMatchObject({
		status: 400,
		body: {msg: 'This room costs more by now: look for room again.'},
	});
	const made = await copy({size: '50', wish: 'once', most_storage_cost: perGb});
	const price = {storage_cost: perGb, storage_total_cost: (perGb * 50) / 720};
	expect(made).toMatchObject({
		status: 200,
		body: {success: true, volume_id: 2, volume_name: 'V.2', disk_space: 50, ...price},
	});
	expect(await copy({wish: 'once'})).toMatchObject({status: 200, body: {volume_id: 2}});
	const shown = {
		id: 2,
		label: 'data',
		status: 'creating',
		clone_of: source,
		wish: 'once',
		...price,
	};
	expect((await listVolumes(market))[1]).toMatchObject(shown);
	const open = await callVolumes(market, 'DELETE', {id: source});
	expect(open.body).toHaveProperty(
		'msg',
		'Volume 1 is being copied into volume 2: cancel that first.',
	);
	expect(await copy({src_id: 2})).toMatchObject({body: {msg: 'Volume 2 is not whole yet.'}});

	await market.pass(2 * HOUR);
	const charged = async () =>
		(await database.selectFrom('charges').selectAll().where('source_id', '=', 2).execute()).reduce(
			(sum, {amount_micros: micros}) => sum + micros,
			0,
		);
	const half = 'Copying: 50% (20.0 GB of 40.0 GB)';
	expect(await report({message: half, ended: false})).toMatchObject({status: 200});
	expect((await listVolumes(market))[1]).toMatchObject({status: 'creating', status_msg: half});
	expect(await report({message: 'Copy done: 1 files.', ended: true})).toMatchObject({status: 200});
	expect(await charged()).toBe(Math.round((perGb * 1e6 * 50 * 2) / 720));
	expect((await listVolumes(market))[1]).toMatchObject({...shown, status: 'created'});
	await market.pass(HOUR);
	expect(await charged()).toBe(Math.round((perGb * 1e6 * 50 * 3) / 720));
	expect(await rowOf(2)).toMatchObject({agreed_micros: null, storage_micros: perGb * 1e6});
});

test('a clone that fails is gone, is given back, and its source says why', async () => {
	await using market = await openCloning();
	const {source, copy, rowOf, report, host, callAsHost, database} = market;
	const credits = async () =>
		database.selectFrom('accounts').select(['id', 'credit_micros']).execute();
	const before = await credits();
	await copy({wish: 'again'});
	const {copies = [], copy_doors: none, revision} = await host.takeWork({after: 0});
	expect(copies).toMatchObject([{id: 1, wanted: 'done', target: {volume_id: 2, size: 40}}]);
	expect(none).toEqual([]);
	await report({message: 'Copying: begins', ended: false, public_key: cloneKey});
	const {copy_doors: doors, revision: later} = await host.takeWork({after: revision});
	const wanted = {id: 1, source: {volume_id: source, size: 40}, public_key: cloneKey};
	expect(doors).toMatchObject([{...wanted, wanted: 'done'}]);
	const door = {host: '192.0.2.9', port: 22, host_key: cloneKey};
	const other = cloneKey.replace(/A$/, 'B');
	const late = await callAsHost('POST', 'copies/1/door/', {public_key: other, door});
	expect(late).toMatchObject({status: 404});
	await callAsHost('POST', 'copies/1/door/', {public_key: cloneKey, door});
	const opened = await host.takeWork({after: later});
	// Both machines are of one provider.
	expect(opened.copies).toMatchObject([{door: {...door, may_be_private: true}}]);
	const stranger = market.stranger.reportCopy(1, {message: 'mine', ended: true});
	await expect(stranger).rejects.toMatchObject({status: 404});

	await report({message: 'Copy failed: its disk is broken.', ended: true, ...ownFault});
	expect(await listVolumes(market)).toMatchObject([
		{
			id: source,
			status_msg:
				'Clone V.2: Copy failed: its disk is broken. It is gone, and what it cost was given back.',
		},
	]);
	expect((await rowOf(2)).destroyed_at).not.toBeNull();
	expect(await credits()).toEqual(before);
	const gone = await host.takeWork({after: opened.revision});
	expect(gone).toMatchObject({
		copies: [{id: 1, wanted: 'gone'}],
		copy_doors: [{id: 1, wanted: 'gone'}],
		volumes: [{volume_id: 2, wanted: 'gone'}],
	});
	expect(await copy({wish: 'again'})).toMatchObject({
		status: 400,
		body: {msg: 'Volume 2 was made for this request before, and is gone.'},
	});
});

test('a clone that never ends is gone after a time, and what it held is paid for', async () => {
	await using market = await openCloning();
	const {source, copy, rowOf, database} = market;
	await copy();
	const {ends_at: end} = await database
		.selectFrom('copies')
		.select('ends_at')
		.executeTakeFirstOrThrow();
	const seconds = (end ?? 0) - TEST_NOW;
	expect(seconds).toBeGreaterThan(HOUR);
	await market.pass(seconds - 1);
	expect((await rowOf(2)).destroyed_at).toBeNull();
	await market.pass(2);
	const {destroyed_at: gone, storage_micros: micros} = await rowOf(2);
	expect(gone).toBe(TEST_NOW + seconds + 1);
	expect((await rowOf(source)).message).toMatch(/^Clone V\.2: Copy failed: .* It is gone\.$/);
	const {sum} = await database
		.selectFrom('charges')
		.select(({fn}) => fn.sum<number>('amount_micros').as('sum'))
		.where('source_id', '=', 2)
		.executeTakeFirstOrThrow();
	expect(sum).toBeCloseTo((micros * 40 * (seconds + 1)) / 3600 / 720, -1);
	expect(await allFaults(database)).toEqual([]);
});

test('a clone that fails by another fault than that of its host is paid for', async () => {
	await using market = await openCloning();
	const {copy, report, database, source, rowOf} = market;
	for (const [at, fault] of [undefined, 'order'].entries()) {
		await copy();
		await market.pass(HOUR / 2);
		const message = 'Copy failed: the source cannot be reached.';
		await market.callAsHost('POST', `copies/${at + 1}/`, {
			message,
			ended: true,
			failed: true,
			fault,
		});
		const id = at + 2;
		expect((await rowOf(source)).message).toBe(`Clone V.${id}: ${message} It is gone.`);
		const costs = database.selectFrom('charges').where('source_id', '=', id);
		const {sum} = await costs
			.select(({fn}) => fn.sum<number>('amount_micros').as('sum'))
			.executeTakeFirstOrThrow();
		expect(sum).toBeGreaterThan(0);
	}
	expect((await report({message: 'x', ended: true, ...ownFault})).status).toBe(404);
});

test('a clone that fails after its day was posted is given back what its provider still has', async () => {
	await using market = await openCloning();
	const {copy, report, database} = market;
	await copy();
	await database.updateTable('copies').set({ends_at: null}).execute();
	const {host_account_id: provider} = await market.rowOf(2);
	await market.pass(2 * 24 * HOUR);
	const costs = database.selectFrom('charges').where('source_id', '=', 2);
	const {earned_micros: earned} = await database
		.selectFrom('accounts')
		.selectAll()
		.where('id', '=', provider)
		.executeTakeFirstOrThrow();
	expect(earned).toBeGreaterThan(0);
	await report({message: 'Copy failed: its disk is broken.', ended: true, ...ownFault});
	const payments = database.selectFrom('payments').selectAll().where('kind', '=', 'refund');
	const {amount_micros: given = 0} = (await payments.executeTakeFirst()) ?? {};
	expect(given).toBeGreaterThan(0);
	expect(given).toBeLessThanOrEqual(earned);
	expect((await costs.selectAll().execute()).length).toBeGreaterThan(0);
	expect(await allFaults(database)).toEqual([]);
});

test('a clone is cancelled like a copy, and refused where its source may change', async () => {
	await using market = await openCloning();
	const {source, copy, database} = market;
	await copy();
	const cancelled = await market.call('/api/v0/commands/copy_direct/', {
		method: 'DELETE',
		body: JSON.stringify({dst_id: 'V.2'}),
	});
	expect(cancelled.body).toMatchObject({msg: 'Copies into volume 2 were cancelled.'});
	expect(await listVolumes(market)).toMatchObject([{id: source, status: 'created'}]);
	const refused = async (body: Readonly<Record<string, unknown>>) =>
		z.parse(z.looseObject({msg: z.string()}), (await copy(body)).body).msg;
	expect(await refused({size: 39})).toBe('Volume 1 has 40 GB: 39 are too few.');
	expect(await refused({size: 1e9})).toMatch(/^The machine has room for \d+ GB, and not for/);
	expect(await refused({src_id: 99})).toBe('Volume with that ID does not exist.');
	expect(await refused({dst_id: 99_999})).toMatch(/^no_such_ask There is no volume offer/);
	const {machine_id} = await market.rowOf(source);
	const instance = await rentDirectly(database, {machine_id});
	await database
		.insertInto('mounts')
		.values({instance_id: instance.id, volume_id: source, path: '/data'})
		.execute();
	expect(await refused({})).toBe(
		`Volume 1 is in use: instance ${instance.id} has it, and may write to it.`,
	);
});

test('a copy that ended a week ago is forgotten, and its number is given to no other', async () => {
	await using market = await openCloning();
	const {copy, report, database} = market;
	const ids = async () => {
		const rows = await database.selectFrom('copies').select('id').orderBy('id').execute();
		return rows.map(({id}) => id);
	};
	const week = 7 * 24 * HOUR;
	await copy();
	await report({message: 'Copy failed: its disk is broken.', ended: true, ...ownFault});
	await market.pass(week + 1);
	expect(await ids()).toEqual([1]);
	await copy();
	await market.pass(week - HOUR);
	expect(await ids()).toEqual([2]);
	await market.callAsHost('POST', 'copies/2/', {message: 'Copy done.', ended: true});
	await copy();
	await market.pass(week - HOUR);
	expect(await ids()).toEqual([2, 3]);
	await market.pass(HOUR);
	expect(await ids()).toEqual([3]);
});
