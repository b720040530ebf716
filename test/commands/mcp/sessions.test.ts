import {Ajv2020} from 'ajv/dist/2020.js';
import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {readCalls} from '../../../source/renter/agents/call-log.ts';
import {openAgents, revisions} from '../../helpers/commands/agents.ts';
import {answered, dropReply} from '../../helpers/services/faults.ts';

const wide = {limits: {dollars_a_day: 1000, instances: 3, lease_hours: 12}};
const PUT = {method: 'PUT', path: '/api/v0/asks/'};

test('without limits an agent reads, and is offered nothing that changes', async () => {
	await using agents = await openAgents();
	const {agent, call} = await agents.connect();
	const {tools} = await agent.listTools();
	const names = tools.map(({name}) => name);
	expect(names).toEqual(['find', 'compare', 'instances', 'logs', 'templates', 'account']);
	expect((await call('account')).text).toContain('Agents only read.');
});

test('resources and prompts say what there is, and how one begins', async () => {
	await using agents = await openAgents(wide);
	const {agent, call, quote} = await agents.connect();
	const {data} = await call('rent', {quote: await quote({label: 'train'}), key: 'a'});
	const read = async (uri: string) => JSON.stringify(await agent.readResource({uri}));
	const {resources} = await agent.listResources();
	const texts = Object.fromEntries(
		await Promise.all(resources.map(async ({name, uri}) => [name, await read(uri)] as const)),
	);
	for (const [name, says] of [
		['fleet', 'train agent:trial'],
		['limits', 'Agents may rent'],
		['journal', 'rent  done'],
		['words', 'reliability'],
	] as const) {
		expect(texts[name]).toContain(says);
	}
	expect(await read(`rentty://instances/${String(data['id'])}`)).toContain('"agent\\": \\"trial');
	const {prompts} = await agent.listPrompts();
	for (const {name} of prompts) {
		const {messages} = await agent.getPrompt({name});
		expect(JSON.stringify(messages)).toContain('Read');
	}
	expect(prompts).toHaveLength(3);
});

test.each(Object.entries(revisions))(
	'an agent of %s finds, rents once for a key, extends and ends',
	async (revision, options) => {
		await using agents = await openAgents(wide);
		const {agent, call, quote} = await agents.connect('My Client', options);
		expect(agent.getNegotiatedProtocolVersion()).toBe(revision);
		const found = await call('find', {limit: 3});
		expect(found.data['offers']).toHaveLength(3);
		const bound = await quote({label: 'train'});
		const rented = await call('rent', {quote: bound, key: 'one'});
		expect(rented.text).toContain('It is destroyed by its lease: for 2h then destroy');
		expect(await call('rent', {quote: bound, key: 'one'})).toMatchObject({data: rented.data});
		const [instance, ...others] = await agents.present();
		expect(others).toEqual([]);
		expect(instance?.label).toContain('train agent:my-client');
		expect(instance?.settings).toContain('"RENTTY_AGENT","my-client"');
		const id = instance?.id;
		expect((await call('instances')).data['instances']).toMatchObject([{id, agent: 'my-client'}]);
		expect((await call('lease', {id, hours: 11})).isError).toBe(false);
		expect(await call('end', {id, how: 'destroy'})).toMatchObject({data: {outcome: 'gone'}});
		expect(await agents.present()).toEqual([]);
	},
);

test('the list of tools is short, and its schemas are ones by which answers are valid', async () => {
	await using agents = await openAgents(wide);
	const {agent, call, quote} = await agents.connect();
	const {tools} = await agent.listTools();
	expect(JSON.stringify(tools).length).toBeLessThanOrEqual(6000);
	const ajv = new Ajv2020({strict: false});
	const answers: Readonly<Record<string, Record<string, unknown>>> = {
		find: {limit: 2},
		compare: {offers: [agents.offer.id]},
		rent: {quote: await quote(), key: 'a'},
		instances: {},
		templates: {},
		account: {},
	};
	for (const {name, inputSchema, outputSchema} of tools) {
		const output = z.record(z.string(), z.unknown()).parse(outputSchema);
		const [takes, gives] = [ajv.compile(inputSchema), ajv.compile(output)];
		const given = answers[name];
		if (given === undefined) continue;
		expect([name, takes(given)]).toEqual([name, true]);
		const {data, text} = await call(name, given);
		expect([name, gives(data), text.length < 8100]).toEqual([name, true, true]);
	}
});

test('a rent whose answer is lost is the same instance for the same key, also of a new server', async () => {
	await using agents = await openAgents(wide);
	const first = await agents.connect();
	const quote = await first.quote();
	agents.proxy.next(PUT, dropReply);
	const lost = await first.call('rent', {quote, key: 'k'});
	const [made] = await agents.present();
	await first.end();
	const again = await (await agents.connect()).call('rent', {quote, key: 'k'});
	expect([lost.isError ? made?.id : lost.data['id'], again.data['id']]).toEqual([
		made?.id,
		made?.id,
	]);
	expect(await agents.present()).toHaveLength(1);
});

test('a server whose client goes away ends after its calls, each of which is noted', async () => {
	await using agents = await openAgents(wide);
	const {call, end} = await agents.connect();
	const {promise: asked, resolve} = Promise.withResolvers<void>();
	agents.proxy.next({path: '/api/v1/instances/'}, () => resolve());
	const called = call('instances').catch(() => undefined);
	await asked;
	await end();
	expect(readCalls(agents.folders.state).map(({tool}) => tool)).toEqual(['instances']);
	await called;
});

test('two servers that rent with one key at once make one instance', async () => {
	await using agents = await openAgents(wide);
	const [one, other] = [await agents.connect(), await agents.connect()];
	const quote = await one.quote();
	const both = await Promise.all(
		[one, other].map(async ({call}) => call('rent', {quote, key: 'k'})),
	);
	expect(both.filter(({isError}) => !isError).length).toBeGreaterThanOrEqual(1);
	expect(await agents.present()).toHaveLength(1);
});

test('a rent that the service refuses leaves nothing, and takes nothing of the limits', async () => {
	await using agents = await openAgents({limits: {...wide.limits, instances: 1}});
	const {call, quote} = await agents.connect();
	agents.proxy.next(PUT, answered({status: 400, body: {success: false, error: 'x', msg: 'No.'}}));
	const refused = await call('rent', {quote: await quote(), key: 'k'});
	expect(refused).toMatchObject({isError: true});
	expect(await agents.present()).toEqual([]);
	expect((await call('rent', {quote: await quote(), key: 'other'})).isError).toBe(false);
});
