import {
	Client,
	StreamableHTTPClientTransport,
	type ClientOptions,
} from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {agentsOfMarket} from '../../../source/commands/mcp/of-market.ts';
import type {Cap} from '../../../source/contract/grammar/caps.ts';
import {revisions} from '../../helpers/commands/agents.ts';
import {contractOf, openRentable} from '../../helpers/market/rentable.ts';

const wide: Cap = {dollars_a_day: 1000, instances: 2, lease_hours: 12};

const answer = z.looseObject({
	isError: z.optional(z.boolean()),
	content: z.array(z.looseObject({text: z.string()})),
	structuredContent: z.optional(z.record(z.string(), z.unknown())),
});

/** A market that serves agents, and clients of the protocol with keys of its accounts. */
async function openServing() {
	const market = await openRentable({beside: agentsOfMarket('test')});
	const url = new URL('/mcp', market.url);

	async function makeKey(cap: Cap | undefined, by = market.key): Promise<string> {
		const body = JSON.stringify({name: 'agents', ...(cap && {cap})});
		const headers = {authorization: `Bearer ${by}`};
		const made = await market.call('/api/v0/auth/apikeys/', {method: 'POST', body, headers});
		return z.looseObject({key: z.string()}).parse(made.body).key;
	}

	async function connect(key: string, options: ClientOptions = {}) {
		const agent = new Client({name: 'trial', version: '1'}, options);
		const requestInit = {headers: {authorization: `Bearer ${key}`}};
		await agent.connect(new StreamableHTTPClientTransport(url, {requestInit}));
		async function call(name: string, given: Record<string, unknown> = {}) {
			const read = answer.parse(await agent.callTool({name, arguments: given}));
			return {
				text: read.content.map(({text}) => text).join('\n'),
				isError: read.isError === true,
				data: read.structuredContent ?? {},
			};
		}
		const quote = async (more: Record<string, unknown> = {}) => {
			const order = {offer: market.offer.id, hours: 2, image: 'a/b', disk_gb: 10, ...more};
			const {data, text} = await call('quote', order);
			if (typeof data['quote'] !== 'string') throw new Error(text);
			return data['quote'];
		};
		return {agent, call, quote, [Symbol.asyncDispose]: async () => agent.close()};
	}

	const present = async () =>
		market.database.selectFrom('instances').selectAll().where('destroyed_at', 'is', null).execute();

	return {
		...market,
		mcp: url,
		makeKey,
		connect,
		present,
		[Symbol.asyncDispose]: market[Symbol.asyncDispose],
	};
}

test.each(Object.entries(revisions))(
	'an agent of %s finds, rents once for a key, extends and ends at the market, within the cap of its key',
	async (revision, options) => {
		// Older revisions say the client's name once, and a market keeps nothing between two requests.
		const name = revision === '2026-07-28' ? 'trial' : 'agent';
		await using market = await openServing();
		await using agent = await market.connect(await market.makeKey(wide), options);
		const {call, quote} = agent;
		expect((await call('account')).text).toContain('The service holds this key to $1000/day');
		expect((await call('find', {limit: 3})).data['offers']).toHaveLength(3);
		const bound = await quote({label: 'train'});
		const rented = await call('rent', {quote: bound, key: 'one'});
		// Seconds are counted by the time of the market, as far as its answers say it.
		expect(rented.text).toMatch(/for 2h(?:1s)? then destroy; the market ends it\.$/);
		expect(await call('rent', {quote: bound, key: 'one'})).toMatchObject({data: rented.data});
		const [instance, ...others] = await market.present();
		expect(others).toEqual([]);
		expect(instance?.label).toContain(`train agent:${name}`);
		const id = instance?.id;
		expect((await call('instances')).data['instances']).toMatchObject([{id, agent: name}]);
		const extended = await call('lease', {id, hours: 11});
		expect([extended.isError, extended.text]).toEqual([false, expect.stringContaining('ends at')]);
		expect(await call('end', {id, how: 'destroy'})).toMatchObject({data: {outcome: 'gone'}});
		expect(await market.present()).toEqual([]);
	},
);

test('a key without a cap reads alone, and no key has files or folders of the market', async () => {
	await using market = await openServing();
	await using reader = await market.connect(market.key);
	await using renter = await market.connect(await market.makeKey(wide));
	const names = async ({agent}: typeof reader) =>
		(await agent.listTools()).tools.map(({name}) => name);
	const reading = ['find', 'compare', 'instances', 'logs', 'templates', 'account'];
	expect(await names(reader)).toEqual(reading);
	const all = ['find', 'compare', 'quote', 'rent', 'instances', 'logs', 'end', 'lease'];
	expect(await names(renter)).toEqual([...all, 'templates', 'account']);
	expect((await reader.call('account')).text).toContain('This key has no cap, so it only reads');
	const {resources} = await renter.agent.listResources();
	expect(resources.map(({name}) => name)).toEqual(['fleet', 'limits', 'words']);
	const order = {offer: market.offer.id, hours: 1, image: 'a/b', onstart: '@/etc/passwd'};
	expect(await renter.call('quote', order)).toMatchObject({
		isError: true,
		text: 'onstart is a text: no file is read.',
	});
});

test("the cap is the market's: what passes it is refused, and names the figure", async () => {
	await using market = await openServing();
	await using agent = await market.connect(await market.makeKey({...wide, instances: 1}));
	const {call, quote} = agent;
	const first = await call('rent', {quote: await quote(), key: 'a'});
	expect(first.isError).toBe(false);
	const others = await call('find', {words: 'any', limit: 30});
	const offers = z.array(z.looseObject({id: z.int()})).parse(others.data['offers']);
	const offer = offers.find(({id}) => id !== market.offer.id)?.id;
	const more = await call('rent', {quote: await quote({offer}), key: 'b'});
	expect(more.isError).toBe(true);
	expect(more.text).toContain('1 instance at once');
	expect((await call('lease', {id: first.data['id'], hours: 13})).text).toContain('12 hours');
	expect((await call('account')).text).toContain('Left of the limits');
	expect(await market.present()).toHaveLength(1);
});

test('what was rented without the cap is not ended, entered or extended with its key', async () => {
	await using market = await openServing();
	const id = contractOf(
		(await market.rent({image: 'x', label: 'mine', env: {RENTTY_AGENT: 'trial'}})).body,
	);
	await using agent = await market.connect(await market.makeKey(wide));
	for (const [tool, given] of [
		['end', {id, how: 'destroy'}],
		['end', {id, how: 'stop'}],
		['lease', {id, hours: 1}],
	] as const) {
		const {isError, text} = await agent.call(tool, given);
		expect([tool, isError]).toEqual([tool, true]);
		expect(text).toMatch(/not rented (?:by an agent|within the cap)/);
	}
	expect(await market.present()).toMatchObject([{id, intended: 'running'}]);
});

test('a quote counts for the key that asked for it, and another account sees and ends nothing', async () => {
	await using market = await openServing();
	await using one = await market.connect(await market.makeKey(wide));
	await using colleague = await market.connect(await market.makeKey(wide));
	const ofHosts = await market.createKey('other', 'host');
	await using stranger = await market.connect(await market.makeKey(wide, ofHosts));
	const quote = await one.quote();
	for (const {call} of [colleague, stranger]) {
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		const {isError, text} = await call('rent', {quote, key: 'k'});
		expect([isError, text]).toEqual([true, expect.stringContaining('no quote of rentty')]);
	}
	expect(await market.present()).toEqual([]);
	const {id} = (await one.call('rent', {quote, key: 'k'})).data;
	expect((await stranger.call('instances')).text).toBe('No instance.');
	for (const {call} of [colleague, stranger]) {
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		expect(await call('end', {id, how: 'destroy'})).toMatchObject({isError: true});
	}
	expect(await market.present()).toMatchObject([{id, intended: 'running'}]);
});

test('nothing is served without a key, to a key elsewhere than in the header, or to a page of another origin', async () => {
	await using market = await openServing();
	const right = {authorization: `Bearer ${market.key}`};
	const ask = async (headers: Record<string, string>, query = '') => {
		const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/list'});
		const type = {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		};
		const init = {method: 'POST', headers: {...type, ...headers}, body};
		return fetch(new URL(`/mcp${query}`, market.url), init);
	};
	for (const [what, status, headers, query] of [
		['no key', 401, {}],
		['a wrong key', 401, {authorization: `Bearer ${'0'.repeat(64)}`}],
		['the key as another scheme', 401, {authorization: `Basic ${market.key}`}],
		['the key in the address', 401, {}, `?api_key=${market.key}`],
		['a page of the web', 403, {...right, origin: 'https://example.com'}],
		['a page without an origin', 403, {...right, origin: 'null'}],
		['the key', 200, right],
		['a page of the market', 200, {...right, origin: market.url}],
	] as const) {
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		const {status: got} = await ask(headers, query);
		expect([what, got]).toEqual([what, status]);
	}
	expect(await (await ask(right)).text()).not.toContain(market.key);
});

test('a market that was not told to serve agents has nothing there', async () => {
	await using market = await openRentable();
	const {status} = await market.call('/mcp', {method: 'POST', body: '{}'});
	expect(status).toBe(404);
});
