import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import {parseVolumeRequest} from '../../../../source/console/screens/volumes/new-volume.tsx';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarketFile} from '../../../helpers/market/instances.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {perMonth} from '../../../../source/console/screens/volumes/volumes.ts';

test.each([
	['50', {sizeGb: 50, country: undefined}],
	[' 20  se ', {sizeGb: 20, country: 'SE'}],
	['0', 'expected a size in whole GB, at least 1'],
	['1.5', 'expected a size in whole GB, at least 1'],
	['', 'expected a size in whole GB, at least 1'],
	['50 Sweden', 'expected a country as two letters, like SE'],
	['50 SE US', 'expected a size and a country, like 50 SE'],
])('"%s" reads as %j', (text, wanted) => {
	expect(parseVolumeRequest(text)).toEqual(wanted);
});

/** Leads to the review of a volume of 50 GB, where there is none so far. */
async function reviewVolume(rentty: ReturnType<typeof openTestConsole>): Promise<void> {
	await rentty.sees(/12:41/);
	rentty.type('$');
	await rentty.sees('SPENDING');
	rentty.type('\r');
	await rentty.sees('There are no volumes.');
	rentty.type('n');
	await rentty.sees('GB> 50');
	rentty.type('\r');
	await rentty.sees('ROOM FOR 50 GB');
	rentty.type('\r');
	await rentty.sees('CREATE VOLUME');
}

test('a volume is made where there is room after a review, and deleted after its name was typed', async () => {
	await using market = await openTestMarket({offers: 60});
	const client = openClient(market);
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	await using rentty = openTestConsole({service: market, now: () => new Date(now)});
	await reviewVolume(rentty);
	expect((await client.volumes.list()).volumes).toEqual([]);
	now += 2000;
	rentty.type('y');
	await rentty.sees('is charged from now on');
	await rentty.sees('no instance has it');
	const [volume] = (await client.volumes.list()).volumes;
	expect(volume?.disk_space).toBe(50);
	rentty.type('Y');
	await rentty.sees('Clone of volume');
	rentty.type('\r');
	await rentty.sees('ROOM FOR 50 GB');
	rentty.type('\r');
	await rentty.sees('CLONE VOLUME');
	await rentty.sees('charged from now on');
	now += 2000;
	rentty.type('y');
	await rentty.sees('is being made');
	const clone = (await client.volumes.list()).volumes.find(({id}) => id !== volume?.id);
	expect(clone).toMatchObject({status: 'creating', clone_of: volume?.id, disk_space: 50});
	await client.copies.cancel({kind: 'volume', id: clone?.id ?? 0});
	rentty.type('R');
	await rentty.sees(/created(?![\s\S]*creating)/);
	rentty.type('x');
	await rentty.sees('DELETE VOLUME');
	now += 2000;
	rentty.type('delete');
	await rentty.sees('> [ Delete ]');
	rentty.type('\r');
	await rentty.sees('There are no volumes.');
	expect((await client.volumes.list()).volumes).toEqual([]);
	await client.close();
});

test('no volume is made that costs more by then than its review said', async () => {
	await using market = await openTestMarketFile({offers: 60});
	const {database} = market;
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	await using rentty = openTestConsole({service: market, now: () => new Date(now)});
	await reviewVolume(rentty);
	await database
		.updateTable('offers')
		.set(({eb}) => ({storage_cost_micros: eb('storage_cost_micros', '*', 3)}))
		.execute();
	now += 2000;
	rentty.type('y');
	await rentty.sees('This room costs more by now: look for room again.');
	expect(await database.selectFrom('volumes').selectAll().execute()).toEqual([]);
});

test('a month of a volume is the month that storage is priced for', () => {
	const costs = {id: 1, storage_total_cost: (0.1 * 100) / 720};
	expect(perMonth(costs)).toBeCloseTo(10, 9);
});
