/** Providers whose GPUs are not what they say: each is refused, in a sentence with what was expected and measured. */
import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {testFacts, testPublication} from '../helpers/host/hosts.ts';
import type {PlayedCard} from '../helpers/market/proving-card.ts';
import {instanceServer, openTested, sshServer} from '../helpers/market/tested-machine.ts';

/** A machine with one GPU, whose card and driver's tool are a forger's. */
async function openForged(card: PlayedCard, lies: Partial<typeof testFacts> = {}) {
	const market = await openTested();
	const facts = {...testFacts, isolation: 'container', gpu_ram: 1, num_gpus: 1, ...lies};
	const asks = testPublication().asks.slice(0, 1);
	await market.host.publish(testPublication({facts, asks}));
	const ssh = await sshServer();
	return {
		...market,
		ssh,
		/** Outcome and reason of a test that is under way or asked for. */
		async tested() {
			await market.provider.machines.test(market.id);
			const {secret} = await market.ordered();
			const pass = (seconds: number) => market.clock.pass(seconds);
			await using instance = await instanceServer(secret, {pass, ...card});
			await market.runs(instance.port, ssh.port);
			await market.tells(['gpus', 'passed', 1], ['gpu_busy', 'passed', 300]);
			const last = await market.last();
			return {outcome: last?.outcome, note: last?.note};
		},
		async [Symbol.asyncDispose]() {
			await ssh[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('an honest card passes, and its offers show what was measured', async () => {
	await using market = await openForged({});
	expect(await market.tested()).toEqual({outcome: 'passed', note: 'It has passed its test.'});
	expect(await market.shown()).toBe('verified');
	const [offer] = await market.search({rentable: {eq: true}});
	expect(offer?.measured).toMatchObject({memory_gb: 0.001_05});
});

test.each<readonly [who: string, card: PlayedCard, note: string | RegExp]>([
	[
		'a card with half the memory, which says so',
		{claims: 1 << 19},
		'gpu_proof: it holds 0.00052 GB of memory; the RTX 4090 has 0.001 GB, of which 0.001 GB answer.',
	],
	[
		'half the memory, with numbers made up for the rest',
		{holds: 0.5, missing: 'made up'},
		'gpu_proof: it gives a number of a round that its memory does not give.',
	],
	[
		'an answer copied from another card',
		{seed: createHash('sha256').update('another').digest()},
		/^gpu_proof: it holds other bytes than the seed gives, at \d+ of its rows of memory\.$/,
	],
	[
		'answers made up after the fact',
		{isAfterwards: true},
		'gpu_proof: it shows other numbers of a round than it promised.',
	],
	[
		'one that ends where it would have to show something',
		{hides: true},
		'gpu_proof: it does not show what it was asked to.',
	],
])('%s is refused at once', async (_, card, note) => {
	await using market = await openForged(card);
	const {outcome, note: reason} = await market.tested();
	expect(outcome).toBe('failed');
	expect(reason).toMatch(note);
	expect(await market.shown()).toBe('unverified');
	expect(await market.search({verified: {eq: true}})).toEqual([]);
});

test.each<readonly [who: string, card: PlayedCard, note: RegExp]>([
	[
		'a card of half the speed',
		{speed: 0.5},
		/gpu_proof: it filled its memory in 4\.00 s, at \S+ TOPS; the RTX 4090 does \S+ TOPS, and has 2\.15 s\.$/,
	],
	[
		'half the memory, made again in each round',
		{holds: 0.5, missing: 'made again'},
		/gpu_proof: it read its memory at \S+ TB\/s; the RTX 4090 reads \S+ TB\/s: 0 of 5 answers came within 1\.15 s, and 3 have to\.$/,
	],
])('%s is late, and refused where it is late three times', async (_, card, note) => {
	await using market = await openForged(card);
	for (const expected of ['unfinished', 'unfinished', 'failed']) {
		const {outcome, note: reason} = await market.tested();
		expect(outcome).toBe(expected);
		expect(reason).toMatch(note);
		expect(reason?.startsWith('Late, and tried again: ')).toBe(expected === 'unfinished');
	}
	expect(await market.shown()).toBe('unverified');
	const [offer] = await market.search({rentable: {eq: true}});
	expect(offer?.measured).toMatchObject({memory_gb: 0.001_05});
});

test.each<readonly [lie: string, facts: Partial<typeof testFacts>, note: string]>([
	['more memory', {gpu_ram: 48}, 'it says 48 MB of memory a card, and the RTX 4090 has 1.'],
	[
		'a driver for Windows',
		{gpu_name: 'RTX 3090', gpu_ram: 24_576, driver_version: '551.61'},
		'it says driver 551.61, which is one for Windows: those for Linux have three numbers.',
	],
	[
		'a driver that does not know its card',
		{gpu_name: 'RTX 5090', gpu_ram: 32_607, driver_version: '535.54.03'},
		'it says driver 535.54.03, and the RTX 5090 has 570 or later.',
	],
])('a driver’s tool that lies about %s is refused', async (_, facts, note) => {
	await using market = await openForged({}, facts);
	expect(await market.tested()).toEqual({outcome: 'failed', note: `gpu_model: ${note}`});
});

test('one card for two machines passes alone, and is late where both are asked in the same second', async () => {
	await using market = await openForged({});
	const facts = {...testFacts, isolation: 'container', gpu_ram: 1, num_gpus: 1};
	const asks = testPublication().asks.slice(0, 1);
	const other = await market.host.publish(testPublication({name: 'another rig', facts, asks}));
	const ids = [market.id, other.id];
	await market.host.heartbeat(ids);
	expect(await market.tested()).toMatchObject({outcome: 'passed'});
	await market.provider.machines.test(other.id);
	// What works for two machines takes the time of both.
	const card = {pass: (seconds: number) => market.clock.pass(seconds)};
	for (const id of ids) {
		const instance = await instanceServer((await market.ordered(id)).secret, card);
		await market.runs(instance.port, market.ssh.port, id);
	}
	await market.tells();
	const last = await Promise.all(ids.map(async id => market.last(id)));
	expect(last.map(one => one?.reason)).toEqual(['due', 'asked']);
	const late = last.filter(one => one?.note?.startsWith('Late, and tried again: gpu_proof'));
	expect(late.length).toBeGreaterThan(0);
	expect(late[0]?.note).toMatch(
		/it filled its memory in .+ s, at .+; the RTX 4090 .+ has 2\.15 s\.$/,
	);
});
