import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openTestMarketFile, rentDirectly, rentRunning} from '../../helpers/instances.ts';
import {TEST_NOW} from '../../helpers/market.ts';
import {openTestClient, openToldService, saying} from '../../helpers/told-service.ts';

async function openRentedMarket() {
	const market = await openTestMarketFile({offers: 60});
	const client = openClient({url: market.url, key: market.key});
	return {
		...market,
		client,
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('the instances of a real market are listed and shown', async () => {
	await using market = await openRentedMarket();
	const {instances} = market.client;
	expect(await instances.list()).toEqual([]);
	expect(await instances.show(1)).toBeUndefined();
	const {id} = await rentRunning(market.database, {label: 'first'});
	const shown = await instances.show(id);
	expect(shown).toMatchObject({
		id,
		label: 'first',
		actual_status: 'running',
		start_date: TEST_NOW,
		extra_env: [],
		is_bid: false,
	});
	expect(await instances.list()).toEqual([shown]);
	expect(await instances.filters()).toEqual([
		{
			actual_status: 'running',
			gpu_name: shown?.gpu_name,
			verification: shown?.verification,
		},
	]);
});

test('all pages of a query are read one after the other', async () => {
	await using market = await openRentedMarket();
	const {instances} = market.client;
	const ids: number[] = [];
	for (let made = 0; made < 7; made++) ids.push((await rentDirectly(market.database)).id);
	const wanted = {
		limit: 3,
		order: [['id', 'desc']],
		filter: [{field: 'id', operator: 'neq', value: ids[0] ?? null}],
	} as const;
	const page = await instances.page(wanted);
	expect(page.instances.map(({id}) => id)).toEqual([ids[6], ids[5], ids[4]]);
	expect(page).toMatchObject({total: 6});
	const pages = await Array.fromAsync(instances.pages(wanted));
	expect(pages.flatMap(found => found.instances.map(({id}) => id))).toEqual(
		ids.slice(1).toReversed(),
	);
	expect(pages.map(({next}) => next)).toEqual([page.next, undefined]);
	const columns = ['label'];
	const rest = await Array.fromAsync(instances.pages({...wanted, columns, after: page.next}));
	expect(rest.map(found => found.instances)).toEqual([
		[3, 2, 1].map(index => ({id: ids[index], label: null})),
	]);
});

test('pages of a service that goes in circles come to an end', async () => {
	const body = {instances: [{id: 1}], next_token: 'again'};
	await using service = await openToldService(saying(body));
	await using client = openTestClient({url: service.url, key: 'k'});
	const pages = await Array.fromAsync(client.instances.pages());
	expect(pages).toEqual([
		{instances: [{id: 1}], total: undefined, next: 'again'},
		{instances: [{id: 1}], total: undefined, next: 'again'},
	]);
});
