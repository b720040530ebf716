import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {openRentable} from '../../helpers/market/rentable.ts';
import {openTestClient, openToldService} from '../../helpers/services/told-service.ts';

test('a search that is repeated is read once for as long as nothing changes, and anew after a rent', async () => {
	await using market = await openRentable();
	await using client = openTestClient({url: market.url, key: market.key, paceScale: 0});
	const search = async (isUrgent = false) =>
		client.offers.search(
			{filter: [{field: 'id', operator: 'eq', value: market.offer.id}]},
			{isUrgent},
		);
	// The market answers from its database, without a tag, until it has read its offers.
	await expect.poll(async () => (await search()).offers === (await search()).offers).toBe(true);
	const first = await search();
	expect((await search()).offers).toBe(first.offers);
	const urgent = await search(true);
	expect(urgent.offers).not.toBe(first.offers);
	expect(urgent).toEqual(first);
	expect((await market.rent({image: 'ubuntu', disk: 10})).status).toBe(200);
	const after = await search();
	expect(after.offers).not.toBe(first.offers);
	expect([first.offers[0]?.rentable, after.offers[0]?.rentable]).toEqual([true, false]);
	market.clock.pass(60);
	expect((await search()).offers[0]?.duration).toBe(Number(after.offers[0]?.duration) - 60);
});

test('a list of instances that is repeated is the one that is known, until something becomes of one', async () => {
	await using market = await openRentable();
	await using client = openTestClient({url: market.url, key: market.key, paceScale: 0});
	await market.rent({image: 'ubuntu', disk: 10});
	const page = async () => (await client.instances.page({limit: 5})).instances;
	const first = await page();
	expect(first).toHaveLength(1);
	expect(await page()).toBe(first);
	await client.instances.destroy(first[0]?.id ?? 0);
	expect(await page()).toEqual([]);
});

/** A service of offers, and the tags that it was asked with. */
async function openTagged(tag: string | undefined, statusOf: (known: string) => number) {
	const asked: Array<string | undefined> = [];
	let said = 0;
	const service = await openToldService(({headers}, response) => {
		const known = headers['if-none-match'];
		asked.push(known);
		const status = known === undefined ? 200 : statusOf(known);
		response.writeHead(status, {
			'content-type': 'application/json',
			...(tag !== undefined && {etag: tag}),
		});
		response.end(status === 200 ? JSON.stringify({offers: [{id: ++said}]}) : undefined);
	});
	const client = openTestClient({url: service.url, key: 'key', paceScale: 0, repeats: 0});
	return {
		asked,
		idsOf: async (times: number) => {
			const ids: Array<number | undefined> = [];
			for (let time = 0; time < times; time++) {
				ids.push((await client.offers.search()).offers[0]?.id);
			}
			return ids;
		},
		async [Symbol.asyncDispose]() {
			await client[Symbol.asyncDispose]();
			await service[Symbol.asyncDispose]();
		},
	};
}

test('a service without tags, or with such as no header carries, is asked as ever', async () => {
	for (const tag of [undefined, 'none', '"a b"', `"${'x'.repeat(300)}"`]) {
		await using service = await openTagged(tag, () => 304);
		expect(await service.idsOf(3)).toEqual([1, 2, 3]);
		expect(service.asked).toEqual([undefined, undefined, undefined]);
	}
});

test('a tag is sent back as it came, and what it stands for is the reply', async () => {
	await using service = await openTagged('W/"1"', () => 304);
	expect(await service.idsOf(3)).toEqual([1, 1, 1]);
	expect(service.asked).toEqual([undefined, 'W/"1"', 'W/"1"']);
});

test('a service that takes no tags for searches is asked without from then on', async () => {
	await using service = await openTagged('"1"', () => 412);
	expect(await service.idsOf(3)).toEqual([1, 2, 3]);
	expect(service.asked).toEqual([undefined, '"1"', undefined, undefined]);
});

test('a service that says "unchanged" without having been asked has failed', async () => {
	await using service = await openToldService((_, response) => response.writeHead(304).end());
	await using client = openTestClient({url: service.url, key: 'key', paceScale: 0, repeats: 0});
	await expect(client.offers.search()).rejects.toBeInstanceOf(ApiError);
});
