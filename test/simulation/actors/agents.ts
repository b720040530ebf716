/**
 * A program on each person's machine that rents by the tools of agents, within limits: each call is a process, which
 * may be killed, and a rent without an answer is called again with its key, as agents are told.
 */
import type {Context} from '../../../source/commands/base/command.ts';
import {CommandError} from '../../../source/commands/base/failure.ts';
import {openAgent} from '../../../source/commands/mcp/agent.ts';
import {keepLimits} from '../../../source/commands/mcp/limits.ts';
import {tools} from '../../../source/commands/mcp/server.ts';
import {MarketError} from '../../../source/client/exchange/errors.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {codeOf, sentenceOf} from '../../../source/contract/rules/thrown.ts';
import {agentContext} from '../../helpers/commands/agent-context.ts';
import {befall, count} from '../tried.ts';
import {world} from '../world/world.ts';
import {foldersOn, setupOf} from './commands.ts';
import {pause, weighted} from './deeds.ts';
import {mine, wishOf, type Person, type Wish} from './person.ts';

const NAME = 'robot';

/** What a person allows all agents together. */
const MOST_INSTANCES = 2;
const limits = {instances: MOST_INSTANCES, lease_hours: 2, dollars_a_day: 50};

const isAgents = (wish: string) => wish.endsWith(`agent:${NAME}`);

type Answer =
	| {readonly kind: 'done'; readonly data: Readonly<Record<string, unknown>>}
	| {readonly kind: 'refused' | 'failed' | 'killed'; readonly why: string};

/** Calls a tool as a server of its own, which may be killed at any moment. */
async function callTool(
	person: Person,
	name: string,
	given: Readonly<Record<string, unknown>>,
): Promise<Answer> {
	const {machine, chance, kills} = person;
	const tool = tools.find(one => one.name === name);
	if (tool === undefined) throw new Error(`there is no tool ${name}`);
	const said: {answer: Answer} = {answer: {kind: 'killed', why: ''}};
	const process = world().begin(machine, `${person.name}: agent ${name}`, async () => {
		const setup = setupOf(person, {out: '', err: ''});
		const {client, close} = await setup.chooseService([]).open();
		const context: Context = agentContext(setup, async () => client, new AbortController().signal);
		try {
			const input = tool.input.parse(given);
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tool's schema has read it
			const {data} = await tool.run(await openAgent(context, NAME), input as never);
			said.answer = {kind: 'done', data};
		} catch (error) {
			const isExpected = error instanceof MarketError || isOfDisk(error);
			if (!(error instanceof CommandError) && !isExpected) throw error;
			const kind = error instanceof CommandError ? 'refused' : 'failed';
			said.answer = {kind, why: sentenceOf(error)};
		} finally {
			await close();
		}
	});
	const ended = new Promise<void>(resolve => {
		process.onEnd.push(() => void world().outside(0, resolve));
	});
	if (chance.happens(kills)) {
		world().outside(chance.wait(400), () => {
			if (process.isAlive && befall('agent’s tool killed', person.name)) world().end(process);
		});
	}
	await ended;
	const {answer} = said;
	const text = answer.kind === 'done' ? JSON.stringify(answer.data) : answer.why;
	world().tell(`${person.name}: agent's ${name} → ${answer.kind} ${text.slice(0, 300)}`);
	count(`agent ${name}, ${answer.kind}`);
	return answer;
}

const isOfDisk = (error: unknown) => ['ENOSPC', 'EROFS'].includes(codeOf(error) ?? '');

/** A rent that an agent has begun, and what it remembers of it. */
type Begun = {readonly wish: Wish; readonly key: string; quote: string | undefined};

/** Words of an answer after which the same key is to be used again, and of one after which its quote is over. */
const again = /same key|that key|being rented with/;
const isOver = /older than five minutes|by now|is gone: find/;

async function quote(person: Person, {wish}: Begun): Promise<string | undefined> {
	const found = await callTool(person, 'find', {limit: 5});
	const offers =
		found.kind === 'done' && Array.isArray(found.data['offers']) ? found.data['offers'] : [];
	const ids = offers.flatMap(offer => (isRecord(offer) ? [Number(offer['id'])] : []));
	if (ids.length === 0) return undefined;
	const hours = person.chance.pick([0.1, 0.5, 2]);
	const label = wish.name.split(' ')[0];
	const order = {offer: person.chance.pick(ids), hours, image: 'ubuntu:24.04', disk_gb: 10, label};
	const quoted = await callTool(person, 'quote', order);
	return quoted.kind === 'done' ? String(quoted.data['quote']) : undefined;
}

/** Rents, or goes on with what was begun; answers what is to be gone on with. */
async function rent(person: Person, left: Begun | undefined): Promise<Begun | undefined> {
	const {wishes, name} = person;
	const number = wishes.length + 1;
	const begun = left ?? {
		wish: wishOf(`${name}-a${number} agent:${NAME}`),
		key: `k${number}`,
		quote: undefined,
	};
	if (left === undefined) wishes.push(begun.wish);
	begun.quote ??= await quote(person, begun);
	if (begun.quote === undefined) return begun;
	const answer = await callTool(person, 'rent', {quote: begun.quote, key: begun.key});
	if (answer.kind === 'done') begun.wish.id = Number(answer.data['id']);
	else if (answer.kind !== 'refused' || again.test(answer.why)) return begun;
	else if (isOver.test(answer.why)) return {...begun, quote: undefined};
	begun.wish.stage = 'answered';
	return undefined;
}

/** Ends an instance that an agent rented; any other is refused. */
async function end(person: Person): Promise<void> {
	const {chance, truth} = person;
	const there = mine(person);
	if (there.length === 0) return;
	const {id, wish} = chance.pick(there);
	if (isAgents(wish)) {
		truth.asked.set(id, 'agent');
		truth.stopped.add(id);
	}
	const answer = await callTool(person, 'end', {
		id,
		how: chance.pick(['destroy', 'destroy', 'stop']),
	});
	if (!isAgents(wish) && answer.kind === 'done')
		truth.lies.push(`an agent ended ${id}, which a person rented`);
	const isGone = answer.kind === 'done' && answer.data['outcome'] === 'gone';
	if (isGone && truth.isThere(id)) truth.lies.push(`an agent destroyed ${id}, and it is there`);
}

async function lease(person: Person): Promise<void> {
	const own = mine(person).filter(({wish}) => isAgents(wish));
	if (own.length === 0) return;
	const {id} = person.chance.pick(own);
	await callTool(person, 'lease', {id, hours: person.chance.pick([0.1, 1, 2])});
}

/** Instances of agents are at most as many as their person allows. */
function judgeLimits(person: Person): void {
	const own = mine(person).filter(({wish}) => isAgents(wish));
	if (own.length <= MOST_INSTANCES) return;
	const ids = own.map(({id}) => id).join(', ');
	person.truth.lies.push(`${person.name}: agents have ${ids}, and may have ${MOST_INSTANCES}`);
}

const kinds = weighted({rent: 6, look: 2, end: 3, lease: 1});

/** Lives for as long as its machine is there. */
export async function employ(person: Person, meanMs: number): Promise<void> {
	const {machine, name} = person;
	if (!world().may('agent', name)) return;
	await keepLimits(foldersOn(machine), {profile: name, limits});
	let left: Begun | undefined;
	for (;;) {
		await pause(person.chance.wait(meanMs));
		const kind = person.chance.pick(kinds);
		const chance = world().chance(`${name}'s agent, deed ${world().numberOf(`${name}'s agent`)}`);
		const actor = {...person, chance};
		if (!world().may(`${kind}, by agent`, name)) continue;
		if (kind === 'rent') left = await rent(actor, left);
		else if (kind === 'look') await callTool(actor, 'instances', {});
		else if (kind === 'end') await end(actor);
		else await lease(actor);
		judgeLimits(person);
	}
}
