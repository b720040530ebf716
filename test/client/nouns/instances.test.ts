import type {RequestListener} from 'node:http';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {canMiss} from '../../../source/client/nouns/instance-list.ts';
import {openTestMarketFile, rentDirectly, rentRunning} from '../../helpers/market/instances.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openTestClient, openToldService, saying} from '../../helpers/services/told-service.ts';

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
	const none = {total: 0, unreadable: noneUnreadable, way: 'v1', isWhole: true, problem: undefined};
	expect(await instances.list()).toEqual({instances: [], ...none});
	expect(instances.isKnown(1)).toBe(false);
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
	const unreadable = {count: 0, of: 1, first: []};
	expect(await instances.list()).toEqual({instances: [shown], ...none, total: 1, unreadable});
	expect(instances.isKnown(id)).toBe(true);
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
		{
			instances: [{id: 1}],
			total: undefined,
			next: 'again',
			unreadable: {count: 0, of: 1, first: []},
		},
		{
			instances: [{id: 1}],
			total: undefined,
			next: 'again',
			unreadable: {count: 0, of: 1, first: []},
		},
	]);
});

test.each([
	['shows the same instances under new tokens', () => [{id: 1}, {id: 2}], 2],
	['shows none under new tokens', () => [], 1],
	['shows new instances for ever', (page: number) => [{id: page}], 400],
])(
	'pages of a service that %s come to an end, as a list that is not whole',
	async (_, shown, most) => {
		let pages = 0;
		await using service = await openToldService((request, response) => {
			pages += 1;
			saying({instances: shown(pages), next_token: `page-${pages}`})(request, response);
		});
		await using client = openTestClient({url: service.url, key: 'k', paceScale: 0});
		const list = await client.instances.list();
		expect([list.isWhole, canMiss(list), pages]).toEqual([false, false, most]);
		expect(list.total).toBe(list.instances.length + 1);
	},
);

/** A service that has v1 with so many instances in pages, and says that there are so many. */
function paging(pages: ReadonlyArray<readonly number[] | number>, total: number): RequestListener {
	return (request, response) => {
		const url = new URL(request.url ?? '', 'http://service');
		const at = Number(url.searchParams.get('after_token') ?? 0);
		const page = pages[at];
		const json = {'content-type': 'application/json'};
		if (url.pathname.startsWith('/api/v0/')) return response.writeHead(410, json).end('{}');
		if (typeof page === 'number') return response.writeHead(page, json).end('{"msg":"broken"}');
		const next_token = at + 1 < pages.length ? String(at + 1) : null;
		const instances = (page ?? []).map(id => ({id}));
		const body = {instances, total_instances: total, next_token};
		return response.writeHead(200, json).end(JSON.stringify(body));
	};
}

test.for([
	['all pages came with as many as the service says', [[1, 2], [3]], 3, true, 3],
	['the service says that there are more', [[1, 2], [3]], 60, false, 3],
	['an instance ended while pages were read', [[1, 2], [3]], 2, false, 3],
	['a page behind the first one fails', [[1, 2], 503], 3, false, 2],
] as const)(
	'of a list of which %s it is known whether it is whole',
	async ([, pages, total, isWhole, read]) => {
		await using service = await openToldService(paging(pages, total));
		await using client = openTestClient({url: service.url, key: 'k', repeats: 0});
		const list = await client.instances.list();
		expect(list).toMatchObject({way: 'v1', total, isWhole});
		expect(list.instances).toHaveLength(read);
		expect(list.problem === undefined).toBe(read === 3);
		expect(canMiss(list)).toBe(isWhole);
	},
);

test('a first page that fails is an error and no list', async () => {
	await using service = await openToldService(paging([503], 3));
	await using client = openTestClient({url: service.url, key: 'k', repeats: 0});
	await expect(client.instances.list()).rejects.toMatchObject({status: 503});
});

test('each page is told as soon as it is read', async () => {
	await using service = await openToldService(paging([[1, 2], [3]], 3));
	await using client = openTestClient({url: service.url, key: 'k'});
	const told: number[] = [];
	await client.instances.list({onPage: ({instances}) => told.push(instances.length)});
	expect(told).toEqual([2, 1]);
});

test('a list by v0 is never taken to be whole, whatever it says of its length', async () => {
	const body = {instances: [{id: 1}], instances_found: 40};
	await using service = await openToldService((request, response) => {
		if (request.url?.startsWith('/api/v1/') === true) saying({msg: 'no'}, 404)(request, response);
		else saying(body)(request, response);
	});
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await client.instances.list()).toMatchObject({way: 'v0', total: 40, isWhole: false});
});

test('tokens that go round in a circle come to an end', async () => {
	await using service = await openToldService((request, response) => {
		const token = new URL(request.url ?? '', 'http://x').searchParams.get('after_token');
		saying({instances: [{id: 1}], next_token: token === 'a' ? 'b' : 'a'})(request, response);
	});
	await using client = openTestClient({url: service.url, key: 'k', paceScale: 0});
	expect(await Array.fromAsync(client.instances.pages())).toHaveLength(2);
});

test('a record that the service does not have is undefined, however it says so', async () => {
	const missing = {success: false, error: 'no_such_instance', msg: 'Instance 7 not found.'};
	await using service = await openToldService(saying(missing, 404));
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await client.instances.show(7)).toBeUndefined();
	await using other = await openToldService(saying({msg: 'Invalid user key'}, 404));
	await using stranger = openTestClient({url: other.url, key: 'k'});
	await expect(stranger.instances.show(7)).rejects.toMatchObject({status: 404});
});
