import {expect, test} from 'vitest';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openHostMarket} from '../../helpers/host/hosts.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {makeVolume, searchRoom} from '../../helpers/market/volumes.ts';
import {waitFor} from '../../helpers/wait-for.ts';

test('a copy whose target goes away meanwhile is not said to be under way', async () => {
	await using market = await openHostMarket({
		offers: 50,
		patience: {silentAfter: 1e9, lostAfter: 2e9},
	});
	const {database} = market;
	await hearMachines(database);
	const rooms = await searchRoom(market, {limit: 2, disk_space: {gte: 100}});
	for (const {id} of rooms) await makeVolume(market, {id, size: 10});
	const copied = commandsOf(market)('cp', 'V.1:/', 'V.2:/');
	const copies = database.selectFrom('copies').select('id');
	await waitFor(async () => expect(await copies.execute()).toHaveLength(1));
	const removed = await market.call('/api/v0/volumes/?id=2', {method: 'DELETE'});
	expect(removed).toMatchObject({status: 200});
	const {code, out, err} = await copied;
	expect([code, out]).toEqual([1, '']);
	expect(err).toContain('V.1:/ was not copied to V.2:/: Copy failed: V.2 is gone.');
});
