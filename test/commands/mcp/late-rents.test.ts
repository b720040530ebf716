import {mkdirSync, renameSync, rmSync, rmdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {openAgents} from '../../helpers/commands/agents.ts';
import {
	answered,
	dropReply,
	dropRequest,
	passOn,
	type Exchange,
} from '../../helpers/services/faults.ts';
import {createSwiftTime} from '../../helpers/hand-time.ts';
import {hearMachines} from '../../helpers/market/instances.ts';

const wide = {limits: {dollars_a_day: 1000, instances: 3, lease_hours: 12}};

const PUT = {method: 'PUT', path: '/api/v0/asks/'};

type World = Awaited<ReturnType<typeof openAgents>>;
type Server = Awaited<ReturnType<World['connect']>>;

const openWorld = async (limits = wide) => openAgents(limits, createSwiftTime());

/** Rents where the order does not arrive, and says how it can arrive all the same. */
async function rentInVain({proxy}: World, {call}: Server, quote: string) {
	const {promise: sent, resolve} = Promise.withResolvers<Exchange>();
	proxy.next(PUT, exchange => {
		resolve(exchange);
		return dropRequest(exchange);
	});
	const {isError, text} = await call('rent', {quote, key: 'k'});
	expect([isError, text]).toEqual([true, expect.stringContaining('the same key')]);
	return async () => (await sent).forward();
}

const listOf = z.looseObject({offers: z.array(z.looseObject({id: z.int()}))});

const idsOf = async ({present}: World) => (await present()).map(({id}) => id);

test('a rent whose outcome nobody can tell is settled by its key once it can be told', async () => {
	await using agents = await openWorld();
	const server = await agents.connect();
	const quote = await server.quote();
	agents.proxy.next(PUT, async exchange => {
		agents.proxy.next({path: '/api/v1/instances/'}, dropRequest, 1000);
		return dropReply(exchange);
	});
	const lost = await server.call('rent', {quote, key: 'k'});
	expect([lost.isError, lost.text]).toEqual([true, expect.stringContaining('the same key')]);
	agents.proxy.calm();
	const again = await server.call('rent', {quote, key: 'k'});
	expect([again.data['id']]).toEqual(await idsOf(agents));
});

test('a rent that was not found and arrives late is that of its key, also by a new quote', async () => {
	await using agents = await openWorld();
	const server = await agents.connect();
	const deliver = await rentInVain(agents, server, await server.quote());
	const quote = await server.quote();
	await deliver();
	const again = await server.call('rent', {quote, key: 'k'});
	expect([again.data['id']]).toEqual(await idsOf(agents));
});

test('a rent that was not found is sent again by its key, and makes no second where both arrive', async () => {
	await using agents = await openWorld();
	const server = await agents.connect();
	const deliver = await rentInVain(agents, server, await server.quote());
	const again = await server.call('rent', {quote: await server.quote(), key: 'k'});
	await deliver();
	expect([again.data['id']]).toEqual(await idsOf(agents));
});

test('the key of a rent that was not found is not one of another order', async () => {
	await using agents = await openWorld();
	const server = await agents.connect();
	await rentInVain(agents, server, await server.quote());
	const other = await server.call('rent', {quote: await server.quote({image: 'c/d'}), key: 'k'});
	expect(other.text).toContain('another order');
	expect(await idsOf(agents)).toEqual([]);
});

test('another key rents the same order only once the one before cannot arrive any more, or is known', async () => {
	await using agents = await openWorld();
	const server = await agents.connect();
	const quote = await server.quote();
	const deliver = await rentInVain(agents, server, quote);
	const early = await server.call('rent', {quote, key: 'other'});
	expect([early.isError, early.text]).toEqual([true, expect.stringContaining('may still arrive')]);
	await deliver();
	const {offers} = listOf.parse((await server.call('find', {limit: 1})).data);
	const next = await server.quote({offer: offers[0]?.id});
	const late = await server.call('rent', {quote: next, key: 'other'});
	const [id] = await idsOf(agents);
	expect([late.isError, late.text]).toEqual([true, expect.stringContaining(`instance ${id}`)]);
	const listed = await server.call('instances', {});
	expect(listed.data['instances']).toMatchObject([{id, agent: 'trial'}]);
	expect(await idsOf(agents)).toEqual([id]);
});

test('what was not found counts within the limits until it cannot arrive any more', async () => {
	const time = createSwiftTime();
	await using agents = await openAgents({limits: {...wide.limits, instances: 1}}, time);
	const server = await agents.connect();
	await rentInVain(agents, server, await server.quote());
	const more = {quote: await server.quote({image: 'c/d'}), key: 'other'};
	expect((await server.call('rent', more)).text).toContain('limit');
	await time.pause(3_700_000);
	expect((await server.call('rent', more)).isError).toBe(false);
});

test('what arrives late is an agent’s, and counts, as soon as a list shows it', async () => {
	await using agents = await openWorld({limits: {...wide.limits, instances: 1}});
	const server = await agents.connect();
	const deliver = await rentInVain(agents, server, await server.quote());
	await deliver();
	const [id] = await idsOf(agents);
	const listed = await server.call('instances', {});
	expect(listed.data['instances']).toMatchObject([{id, agent: 'trial'}]);
	expect(await server.call('end', {id, how: 'destroy'})).toMatchObject({data: {outcome: 'gone'}});
});

test('what was rented or ended is told where it cannot be noted, and a rent that cannot be noted is not sent', async () => {
	await using agents = await openWorld();
	const server = await agents.connect();
	const quote = await server.quote();
	const file = join(agents.folders.state, 'agents-rents.jsonl');
	const breakFile = () => {
		renameSync(file, `${file} kept`);
		mkdirSync(file);
	};
	const mendFile = () => {
		rmdirSync(file);
		renameSync(`${file} kept`, file);
	};
	agents.proxy.next(PUT, async exchange => {
		breakFile();
		return passOn(exchange);
	});
	const rented = await server.call('rent', {quote, key: 'k'});
	const [id] = await idsOf(agents);
	expect([rented.data['id'], rented.text]).toEqual([id, expect.stringContaining('not be noted')]);
	expect((await server.call('rent', {quote, key: 'other'})).isError).toBe(true);
	expect(await idsOf(agents)).toEqual([id]);
	mendFile();
	expect((await server.call('rent', {quote, key: 'k'})).data['id']).toBe(id);
	agents.proxy.next({method: 'DELETE'}, async exchange => {
		breakFile();
		return passOn(exchange);
	});
	const ended = await server.call('end', {id, how: 'destroy'});
	expect([ended.data['outcome'], ended.text]).toEqual([
		'gone',
		expect.stringContaining('not be noted'),
	]);
	mendFile();
});

test('a rent that was never sent counts within the limits for two minutes at most', async () => {
	await using agents = await openWorld({limits: {...wide.limits, instances: 1}});
	const server = await agents.connect();
	const file = join(agents.folders.state, 'wishes.json');
	writeFileSync(file, 'no rents');
	const unsent = await server.call('rent', {quote: await server.quote(), key: 'k'});
	expect([unsent.isError, unsent.text]).toEqual([
		true,
		expect.stringContaining('nothing was sent'),
	]);
	rmSync(file, {force: true});
	const other = async () => server.call('rent', {quote: await server.quote(), key: 'other'});
	expect((await other()).text).toContain('limit');
	agents.clock.pass(130);
	await hearMachines(agents.database, agents.clock.now());
	expect((await other()).isError).toBe(false);
});

test('a repetition that is refused leaves the first order to its key, and within the limits', async () => {
	await using agents = await openWorld({limits: {...wide.limits, instances: 1}});
	const server = await agents.connect();
	const quote = await server.quote();
	const deliver = await rentInVain(agents, server, quote);
	agents.proxy.next(
		PUT,
		answered({status: 410, body: {success: false, error: 'no_such_ask', msg: 'Gone.'}}),
	);
	expect((await server.call('rent', {quote, key: 'k'})).text).toContain('410');
	const more = {quote: await server.quote({image: 'c/d'}), key: 'other'};
	expect((await server.call('rent', more)).text).toContain('limit');
	await deliver();
	expect([(await server.call('rent', {quote, key: 'k'})).data['id']]).toEqual(await idsOf(agents));
});
