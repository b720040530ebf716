import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {testAsk, testPublication} from '../helpers/host/hosts.ts';
import {openTestMarket, type CallInit, type TestMarket} from '../helpers/market/market.ts';
import {least, runs} from '../helpers/property.ts';

type Call = readonly [path: string, init: CallInit];

const search = (body: unknown): Call => [
	'/api/v0/bundles/',
	{method: 'POST', body: JSON.stringify(body)},
];

/** Calls that are made again and again, and whether their replies have a tag. */
const asked: ReadonlyArray<readonly [hasTag: boolean, ...Call]> = [
	[true, ...search({limit: 3, order: [['dph_total', 'asc']]})],
	[true, ...search({rentable: {eq: true}, duration: {gte: 100}, order: [['inet_up', 'desc']]})],
	[true, '/api/v0/instances/', {}],
	[true, '/api/v1/instances/?limit=2', {}],
	[true, '/api/v1/instances/?order_by=[{"col":"dph_total","dir":"desc"}]', {}],
	[false, '/api/v1/instances/?select_cols=["id","label","duration"]', {}],
];

/** The first record of a list that a call answers, or that at another place. */
async function idOf({call}: TestMarket, [path, init]: Call, index: number) {
	const {body} = await call(path, init);
	const lists = isRecord(body) ? Object.values(body).filter(Array.isArray) : [];
	const ids = lists.flat().map(record => (isRecord(record) ? Number(record['id']) : 0));
	return ids[index % Math.max(1, ids.length)] ?? 0;
}

type World = {readonly market: TestMarket; readonly hostKey: string};

const put = (body: unknown, method = 'PUT') => ({method, body: JSON.stringify(body)});

/** A host changes its price, or until when it lets its machine. */
async function publish({market, hostKey}: World, ask: Parameters<typeof testAsk>[0]) {
	const headers = {authorization: `Bearer ${hostKey}`};
	const publication = testPublication({asks: [testAsk(ask)]});
	const published = await market.call('/api/v0/hosts/machines/', {...put(publication), headers});
	const machines = isRecord(published.body) ? [published.body['id']] : [];
	const path = '/api/v0/hosts/heartbeat/';
	expect((await market.call(path, {...put({machines}, 'POST'), headers})).status).toBe(200);
}

const deeds = {
	nothing: async () => undefined,
	rent: async ({market}: World, index: number) => {
		const id = await idOf(market, search({rentable: {eq: true}}), index);
		await market.call(
			`/api/v0/asks/${id}/`,
			put({image: 'ubuntu', disk: 10, cancel_unavail: false}),
		);
	},
	destroy: async ({market}: World, index: number) => {
		const id = await idOf(market, ['/api/v0/instances/', {}], index);
		await market.call(`/api/v0/instances/${id}/`, {method: 'DELETE'});
	},
	label: async ({market}: World, index: number) => {
		const id = await idOf(market, ['/api/v0/instances/', {}], index);
		await market.call(`/api/v0/instances/${id}/`, put({label: `label ${index}`}));
	},
	price: async (world: World, index: number) => publish(world, {dph_base: 0.01 * (index % 9)}),
	end: async (world: World, index: number) =>
		publish(world, {dph_base: 0.01, end_date: world.market.clock.now() + 1 + (index % 90)}),
	second: async ({market}: World) => market.clock.pass(1),
	while: async ({market}: World, index: number) => market.clock.pass(index % 40),
};

const names = ['nothing', 'rent', 'destroy', 'label', 'price', 'end', 'second', 'while'] as const;
const story = fc.array(fc.record({name: fc.constantFrom(...names), index: fc.nat(1000)}), {
	minLength: 8,
	maxLength: 16,
});

test('whoever names the tag of a reply hears that it is unchanged only where it is, whatever happens', async () => {
	const seen = {same: 0, other: 0, listed: 0};
	await fc.assert(
		fc.asyncProperty(story, async steps => {
			await using market = await openTestMarket({offers: 20});
			const hostKey = await market.createKey('host', 'host');
			const kept = new Map<number, {readonly tag: string; readonly text: string}>();
			for (const {name: deed, index} of steps) {
				await deeds[deed]({market, hostKey}, index);
				// A market sweeps every second of this machine: what is due would change between two calls.
				await market.sweep();
				for (const [name, [hasTag, path, init]] of asked.entries()) {
					const {tag, text} = kept.get(name) ?? {};
					const headers = {'if-none-match': tag};
					const again = await market.call(path, {...init, headers});
					const anew = await market.call(path, init);
					expect(anew.status).toBe(200);
					expect(anew.headers.has('etag')).toBe(hasTag);
					expect(again.headers.get('etag')).toBe(anew.headers.get('etag'));
					if (again.status === 304) expect([again.text, anew.text]).toEqual(['', text]);
					else expect([again.status, again.text]).toEqual([200, anew.text]);
					seen[again.status === 304 ? 'same' : 'other']++;
					if (anew.text.includes('"instances":[{')) seen.listed++;
					const given = anew.headers.get('etag');
					if (given !== null) {
						kept.set(name, {tag: given, text: anew.text});
					}
				}
			}
		}),
		{numRuns: runs(12)},
	);
	// Proof that it tried something.
	expect(seen.same).toBeGreaterThanOrEqual(least(50));
	expect(seen.other).toBeGreaterThanOrEqual(least(50));
	expect(seen.listed).toBeGreaterThanOrEqual(least(50));
});

test('a reply is unchanged until the first offer in it ends, also within a minute', async () => {
	await using market = await openTestMarket({now: 1_795_000_030});
	const hostKey = await market.createKey('host', 'host');
	await publish({market, hostKey}, {end_date: market.clock.now() + 10});
	const [path, init] = search({});
	const first = await market.call(path, init);
	const again = async () =>
		market.call(path, {...init, headers: {'if-none-match': first.headers.get('etag') ?? ''}});
	market.clock.pass(9);
	expect(await again()).toMatchObject({status: 304, text: ''});
	market.clock.pass(1);
	expect(await again()).toMatchObject({status: 200, body: {offers: []}});
});

test('tags are told from others, in lists of them and as proxies change them; another account has others', async () => {
	await using market = await openTestMarket({offers: 5});
	const [path, init] = search({});
	const {headers} = await market.call(path, init);
	const tag = headers.get('etag') ?? '';
	const ask = async (known: string, authorization?: string) =>
		market.call(path, {
			...init,
			headers: {'if-none-match': known, ...(authorization !== undefined && {authorization})},
		});
	expect((await ask(tag)).status).toBe(304);
	expect((await ask(`"x", W/${tag}`)).status).toBe(304);
	for (const other of ['', '*', '"x"', tag.slice(1), `${tag.slice(0, -1)}.9999999999"`]) {
		expect((await ask(other)).status).toBe(200);
	}
	const host = `Bearer ${await market.createKey('host', 'host')}`;
	expect((await ask(tag, host)).status).toBe(200);
});

test('a call that is answered by 304 counts toward the pace', async () => {
	await using market = await openTestMarket({offers: 5, rateScale: 1});
	const [path, init] = search({});
	const {headers} = await market.call(path, init);
	const known = {'if-none-match': headers.get('etag') ?? ''};
	const statuses = new Set<number>();
	for (let call = 0; call < 12; call++) {
		statuses.add((await market.call(path, {...init, headers: known})).status);
	}
	expect([...statuses]).toEqual([304, 429]);
});
