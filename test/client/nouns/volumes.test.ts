import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

test('room is found, and a volume made, listed and deleted', async () => {
	await using market = await openTestMarket({offers: 20});
	const client = openClient(market);
	try {
		const found = await client.volumes.search({
			filter: [{field: 'disk_space', operator: 'gte', value: 100}],
			order: [['storage_cost', 'asc']],
			sizeGb: 20,
		});
		const [offer = expect.fail('no room')] = found.offers;
		expect(await client.volumes.create({offerId: offer.id, sizeGb: 20, name: 'data'})).toBe('V.1');
		expect(await client.volumes.create({offerId: offer.id})).toBe('V.2');
		expect((await client.volumes.list()).volumes).toMatchObject([
			{id: 1, label: 'data', disk_space: 20},
			{id: 2, label: null, disk_space: 15},
		]);
		await client.volumes.delete(1);
		expect((await client.volumes.list()).volumes).toMatchObject([{id: 2}]);
		await expect(client.volumes.delete(1)).rejects.toMatchObject({code: 'no_such_volume'});
		await expect(client.volumes.create({offerId: offer.id, sizeGb: 1e9})).rejects.toMatchObject({
			code: 'invalid_args',
		});
	} finally {
		await client.close();
	}
});
