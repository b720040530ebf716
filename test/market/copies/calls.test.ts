import {expect, test} from 'vitest';
import {openHostMarket, openRentedMarket} from '../../helpers/host/hosts.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {listVolumes, makeVolume, searchRoom} from '../../helpers/market/volumes.ts';

const DAY = 86_400;
/** Hosts that say nothing are waited for. */
const forever = {silentAfter: 1e9, lostAfter: 2e9};

test.each(['#', 'C.#', '#:/data', 'C.#:/data/a:b'])(
	'copies into %s are cancelled, however it is named',
	async word => {
		await using market = await openRentedMarket();
		const {id} = market.instance;
		const reply = await market.call('/api/v0/commands/copy_direct/', {
			method: 'DELETE',
			body: JSON.stringify({dst_id: word.replace('#', String(id))}),
		});
		const msg = `Copies into instance ${id} were cancelled.`;
		expect(reply).toMatchObject({status: 200, body: {success: true, msg}});
	},
);

test('a copy that never ends is ended after a time, whatever lines hosts say that they have', async () => {
	await using market = await openHostMarket({offers: 50, patience: forever});
	const {database, host} = market;
	await hearMachines(database);
	// A line on which nothing ever comes.
	await database.updateTable('offers').set({inet_up: 0, inet_down: 1e-9}).execute();
	const rooms = await searchRoom(market, {limit: 2, disk_space: {gte: 100}});
	for (const {id} of rooms) await makeVolume(market, {id, size: 10});
	const body = {src_id: 'V.1', src_path: '/', dst_id: 'V.2', dst_path: '/'};
	const ordered = await market.call('/api/v0/commands/copy_direct/', {
		method: 'PUT',
		body: JSON.stringify(body),
	});
	expect(ordered).toMatchObject({status: 200});
	const {copies = [], revision} = await host.takeWork({after: 0});
	expect(copies).toMatchObject([{id: 1, wanted: 'done'}]);
	await market.pass(14 * DAY - 1);
	expect((await host.takeWork({after: revision})).copies).toEqual([]);
	await market.pass(2);
	expect((await host.takeWork({after: revision})).copies).toMatchObject([{id: 1, wanted: 'gone'}]);
	const [, target] = await listVolumes(market);
	expect(target?.status).toBe('created');
	expect(target?.status_msg).toMatch(/^Copy failed: it was not done in the time/);
});
