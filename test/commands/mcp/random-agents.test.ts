import {rmSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {AgentLimits} from '../../../source/commands/mcp/limits.ts';
import {openAgents, type Called} from '../../helpers/commands/agents.ts';
import {
	answered,
	dropReply,
	dropRequest,
	passOn,
	type Fault,
} from '../../helpers/services/faults.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {runs} from '../../helpers/property.ts';
import {contractOf} from '../../helpers/market/rentable.ts';

const wide = {dollars_a_day: 1000, instances: 3, lease_hours: 12};

/** What the user may set, from one call to the next. */
const limits: ReadonlyArray<AgentLimits | undefined> = [
	{limits: wide},
	{limits: {...wide, instances: 1}},
	{limits: {...wide, dollars_an_hour: 0.5}},
	{limits: wide, each: 0.01},
	undefined,
];

const faults: Readonly<Record<string, Fault>> = {
	none: passOn,
	'request lost': dropRequest,
	'answer lost': dropReply,
	'failed before': answered({status: 502}),
	'failed after': answered({status: 502, acts: true}),
};

/** Numbers choose among what there is. */
const step = fc.record({
	does: fc.constantFrom(
		...(['quote', 'quote', 'quote', 'rent', 'rent', 'rent', 'rent', 'both rent'] as const),
		...(['end', 'lease', 'end the user’s', 'restart', 'pass', 'set limits'] as const),
		...(['quote', 'rent', 'the user destroys'] as const),
	),
	agent: fc.constantFrom(0, 0, 0, 1),
	which: fc.nat({max: 4}),
	key: fc.nat({max: 2}),
	hours: fc.constantFrom(1, 2, 12, 14),
	seconds: fc.constantFrom(5, 130, 301, 4000),
	fault: fc.oneof(
		{weight: 5, arbitrary: fc.constant('none')},
		fc.constantFrom(...Object.keys(faults)),
	),
});

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type World = Awaited<ReturnType<typeof openAgents>>;
type Server = Awaited<ReturnType<World['connect']>>;

const names = ['one', 'other'] as const;

/** A world, and what is known of it so far. */
function beginLife(world: World, own: number, offers: readonly number[]) {
	return {
		world,
		offers,
		/** The instance that the user rented. */
		own,
		problems: [] as string[],
		servers: new Map<string, Server>(),
		quotes: [] as Array<{readonly text: string; readonly at: number}>,
		/** Instances by agent, key and quote. */
		wishes: new Map<string, Set<unknown>>(),
		known: [] as number[],
		allowed: limits[0],
	};
}

type Life = ReturnType<typeof beginLife>;

/** A tool that the limits do not offer is none. */
async function call(
	{world, servers}: Life,
	agent: number,
	tool: string,
	given: Record<string, unknown>,
): Promise<Called> {
	const name = names[agent] ?? 'one';
	const server = servers.get(name) ?? (await world.connect(name));
	servers.set(name, server);
	return server.call(tool, given).catch(() => ({isError: true, data: {}, text: ''}));
}

async function held({world, own}: Life) {
	return (await world.present()).filter(({id}) => id !== own);
}

async function rent(life: Life, {agent, which, key}: Step): Promise<void> {
	const {world, quotes, wishes, known, problems} = life;
	const quote = quotes[which % quotes.length];
	if (quote === undefined) return;
	const now = world.clock.now();
	const before = new Set((await held(life)).map(({id}) => id));
	const given = {quote: quote.text, key: String(key)};
	const {isError, data} = await call(life, agent, 'rent', given);
	const mine = (await held(life)).filter(({id}) => !before.has(id));
	const wish = `${agent} ${key} ${quote.text}`;
	const ids = wishes.get(wish) ?? new Set();
	if (!isError) ids.add(data['id']);
	wishes.set(wish, ids);
	known.push(...mine.map(({id}) => id));
	if (ids.size > 1) problems.push(`one wish made ${[...ids].join(' and ')}`);
	if (mine.length === 0) return;
	if (now - quote.at > 300) problems.push('a quote older than five minutes was rented');
	problems.push(...passedBy(life, await held(life)));
}

type Held = Awaited<ReturnType<typeof held>>;

/** The limits that what is held right after a rent passes. */
function passedBy({allowed}: Life, all: Held): readonly string[] {
	const most = allowed?.limits;
	if (most === undefined) return ['rented without limits'];
	const rate = all.reduce((sum, one) => sum + one.gpu_micros / 1e6, 0);
	return [
		...(all.length > (most.instances ?? Infinity) ? [`${all.length} instances at once`] : []),
		...(rate > (most.dollars_an_hour ?? Infinity) ? [`$${rate} an hour`] : []),
		...(allowed?.each === undefined ? [] : ['dearer than one may be']),
	];
}

/** The instance that a step is about. */
function targetOf({known, own}: Life, {which}: Step): number {
	return known[which % Math.max(1, known.length)] ?? own;
}

const acts: Readonly<Record<Step['does'], (life: Life, one: Step) => Promise<unknown>>> = {
	async quote(life, {agent, which, hours}) {
		const {world, offers, quotes} = life;
		const given = {offer: offers[which] ?? 0, hours, image: 'a/b', disk_gb: 10};
		const text = (await call(life, agent, 'quote', given)).data['quote'];
		if (typeof text === 'string') quotes.push({text, at: world.clock.now()});
	},
	rent,
	'both rent': async (life, one) =>
		Promise.all([rent(life, {...one, agent: 0}), rent(life, {...one, agent: 1})]),
	end: async (life, one) => call(life, one.agent, 'end', {id: targetOf(life, one), how: 'destroy'}),
	lease: async (life, one) =>
		call(life, one.agent, 'lease', {id: targetOf(life, one), hours: one.hours}),
	'end the user’s': async (life, {agent}) =>
		call(life, agent, 'end', {id: life.own, how: 'destroy'}),
	async restart({servers}, {agent}) {
		const name = names[agent] ?? 'one';
		await servers.get(name)?.end();
		servers.delete(name);
	},
	async pass({world}, {seconds}) {
		world.clock.pass(seconds);
		await hearMachines(world.database, world.clock.now());
	},
	async 'set limits'(life, {which}) {
		life.allowed = limits[which];
		life.world.setLimits(life.allowed);
	},
	async 'the user destroys'(life, one) {
		const id = targetOf(life, one);
		if (id !== life.own) await life.world.call(`/api/v0/instances/${id}/`, {method: 'DELETE'});
	},
};

/** Lives a sequence, and answers what was wrong. */
async function live(life: Life, sequence: readonly Step[]) {
	const {world, own} = life;
	world.setLimits(life.allowed);
	for (const one of sequence) {
		world.proxy.next({method: one.does === 'end' ? 'DELETE' : 'PUT'}, faults[one.fault] ?? passOn);
		// oxlint-disable-next-line no-await-in-loop -- one step after the other
		await acts[one.does](life, one);
		world.proxy.calm();
		// oxlint-disable-next-line no-await-in-loop -- as above
		const mine = (await world.present()).find(({id}) => id === own);
		if (mine?.intended !== 'running') life.problems.push(`${one.does} ended the user's instance`);
	}
	for (const server of life.servers.values()) await server.end();
	return life.problems;
}

/** Worlds side by side: what is lost is looked for during half a minute. */
const LANES = 6;

test('whatever agents, networks and the user do, no limit is passed and no wish makes two', async () => {
	const rented = await Promise.all(
		Array.from({length: LANES}, async () => liveLane(Math.ceil(runs(50) / LANES))),
	);
	expect(Math.max(...rented)).toBeGreaterThan(0);
});

/** Lives so many sequences, and answers how many instances were left at their ends. */
async function liveLane(numRuns: number): Promise<number> {
	await using world = await openAgents();
	const found = await world.database
		.selectFrom('offers')
		.select('id')
		.where('rentable', '=', 1)
		.where('vms_enabled', '=', 0)
		.where('min_bid_micros', 'is not', null)
		.orderBy('id')
		.limit(6)
		.execute();
	const [first = 0, ...offers] = found.map(({id}) => id);
	const own = contractOf((await world.rent({image: 'x', label: 'mine'}, first)).body);
	let rented = 0;
	const sequences = fc.array(step, {minLength: 5, maxLength: 20});
	const check = fc.asyncProperty(sequences, async sequence => {
		const problems = await live(beginLife(world, own, offers), sequence);
		for (const {id} of await world.present()) {
			if (id === own) continue;
			rented += 1;
			// oxlint-disable-next-line no-await-in-loop -- one after the other
			await world.call(`/api/v0/instances/${id}/`, {method: 'DELETE'});
		}
		rmSync(join(world.folders.state), {recursive: true, force: true});
		expect(problems).toEqual([]);
	});
	await fc.assert(check, {numRuns});
	return rented;
}
