/**
 * Kills agent, market and workloads and breaks the network between them, at random moments: no
 * instance is lost, nothing is left behind, and nothing is paid for that did not run.
 */
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {MarketError} from '../../source/client/exchange/errors.ts';
import {randomOf, type SimulatedRandom} from '../../source/host/simulated/script.ts';
import {openDatabase} from '../helpers/market/postgres.ts';
import {openFaultyHost, type FaultyHost} from '../helpers/host/faulty-host.ts';
import {noProcesses, sleepers} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {waitFor} from '../helpers/wait-for.ts';

/** All faults together; one in so many kills a program, which takes a second to be there again. */
const FAULTS = Number(process.env['HOST_FAULTS'] ?? 200);
const PROGRAMS_IN = 12;
const INSTANCES = 6;

type Rented = {
	readonly id: number;
	readonly seconds: string;
	wish: 'running' | 'stopped';
	isKilled: boolean;
	/** Whether it was seen to run, and then to have ended, since its wish was changed. */
	hasRun: boolean;
	hasEnded: boolean;
	/** How often its wish was changed: what was seen before is about another one. */
	changes: number;
	/** Since when it may be paid for; undefined while it may not. */
	paidSince: number | undefined;
	/** Milliseconds for which it may have been paid for before. */
	paidMs: number;
};

/** Calls the market until it answers, however often it is killed meanwhile. */
async function insist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
	for (;;) {
		try {
			return await call();
		} catch (error) {
			if (!(error instanceof MarketError)) throw error;
			await sleep(50);
		}
	}
}

function pay(one: Rented): void {
	one.paidSince ??= Date.now();
}

function payNoMore(one: Rented): void {
	if (one.paidSince !== undefined) one.paidMs += Date.now() - one.paidSince;
	one.paidSince = undefined;
}

async function rentAll({client}: FaultyHost): Promise<readonly Rented[]> {
	const search = async () =>
		(await client.offers.search({limit: 100})).offers.filter(({num_gpus: gpus}) => gpus === 1);
	await expect.poll(async () => (await search()).length).toBe(INSTANCES);
	const single = await search();
	const all: Rented[] = [];
	for (let index = 0; index < INSTANCES; index++) {
		const seconds = `${5_000_000 + index}${process.pid}`;
		const paidSince = Date.now();
		const {new_contract: id} = await client.instances.create(single[index]?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
			arguments: {list: ['sleep', seconds]},
		});
		const unseen = {isKilled: false, hasRun: false, hasEnded: false, changes: 0};
		all.push({id, seconds, wish: 'running', ...unseen, paidSince, paidMs: 0});
	}
	return all;
}

async function changeWish({client}: FaultyHost, one: Rented): Promise<void> {
	one.wish = one.wish === 'running' ? 'stopped' : 'running';
	one.isKilled = false;
	one.hasRun = false;
	one.hasEnded = false;
	one.changes++;
	if (one.wish === 'running') {
		pay(one);
		await insist(async () => client.instances.start(one.id));
	} else {
		await insist(async () => client.instances.stop(one.id));
		payNoMore(one);
	}
}

/** Kills a program now and then, and waits until it is there again. */
async function killPrograms(
	world: FaultyHost,
	random: SimulatedRandom,
	times: number,
): Promise<void> {
	for (let time = 0; time < times; time++) {
		await (random.next() < 0.6 ? world.killHost() : world.killMarket());
		await sleep(random.between(0, 1800));
	}
}

/** Kills workloads and breaks the network, and has instances stopped and started in between. */
async function breakThings(
	world: FaultyHost,
	all: readonly Rented[],
	{random, times}: {readonly random: SimulatedRandom; readonly times: number},
): Promise<void> {
	for (let done = 0; done < times;) {
		const one = all[random.whole(0, all.length - 1)];
		const chance = random.next();
		if (one !== undefined && chance < 0.15) await changeWish(world, one);
		else if (one !== undefined && chance < 0.4) {
			const isKilled = await world.killWorkload(one.id);
			one.isKilled ||= isKilled;
			done += isKilled ? 1 : 0;
		} else if (world.breakNetwork(random.whole(0, 7))) done += 1;
		await sleep(random.between(0, 200));
	}
}

/** Sees that none is lost, and which have ended: they stay so and cost nothing until they are started. */
async function watchEnds({client}: FaultyHost, all: readonly Rented[], signal: AbortSignal) {
	while (!signal.aborted) {
		const before = all.map(({changes}) => changes);
		const {instances: shown} = await insist(async () => client.instances.list());
		const states = new Map(shown.map(({id, actual_status: status}) => [id, status]));
		expect(all.filter(({id}) => !states.has(id))).toEqual([]);
		for (const [index, one] of all.entries()) {
			if (one.changes !== before[index]) continue;
			const status = states.get(one.id);
			if (one.hasEnded) expect([one.id, status]).toEqual([one.id, 'exited']);
			one.hasRun ||= status === 'running';
			// One that was started is still what it was until its host has begun.
			one.hasEnded = one.hasRun && status === 'exited';
			if (one.hasEnded) payNoMore(one);
		}
		await sleep(100);
	}
}

/** What must be so in the end, whatever has happened. */
async function expectAsWished({client}: FaultyHost, one: Rented): Promise<void> {
	const {id, seconds, wish, isKilled} = one;
	await waitFor(async () => {
		const shown = await client.instances.show(id);
		const count = sleepers(seconds);
		// What was killed has ended, or was begun again where nobody saw it end.
		const mayRun = wish === 'running' && (!isKilled || shown?.actual_status === 'running');
		expect([id, shown?.actual_status, count]).toEqual(
			mayRun ? [id, 'running', 1] : [id, 'exited', 0],
		);
	});
}

/** Milliseconds of computing that were paid for, by instance. */
async function paidIn(file: string): Promise<ReadonlyMap<number, number>> {
	const database = await openDatabase(file);
	const charges = await database
		.selectFrom('charges')
		.select(({fn}) => ['source_id', fn.sum<number>('quantity').as('ms')])
		.where('item', '=', 'gpu')
		.groupBy('source_id')
		.execute();
	await database.destroy();
	return new Map(charges.map(({source_id: id, ms}) => [id, ms]));
}

test.skipIf(noProcesses !== undefined).each([1])(
	`after ${FAULTS} faults instances are what they shall be, seed %i`,
	{timeout: 240_000},
	async seed => {
		using folder = openFolder();
		await using world = await openFaultyHost(folder.path, INSTANCES);
		const all = await rentAll(world);
		const programs = Math.round(FAULTS / PROGRAMS_IN);
		const over = new AbortController();
		const faults = Promise.all([
			killPrograms(world, randomOf(seed, 'programs'), programs),
			breakThings(world, all, {random: randomOf(seed, 'faults'), times: FAULTS - programs}),
		]);
		await Promise.all([watchEnds(world, all, over.signal), faults.finally(() => over.abort())]);
		world.calm();
		for (const one of all) await expectAsWished(world, one);
		for (const one of all) {
			await world.client.instances.destroy(one.id);
			payNoMore(one);
		}
		const left = () =>
			readdirSync(join(world.hostFolder, 'instances')).length +
			all.reduce((sum, {seconds}) => sum + sleepers(seconds), 0);
		await expect.poll(left).toBe(0);
		expect(await world.endMarket()).toBe(0);
		const paid = await paidIn(world.file);
		expect(all.filter(({id, paidMs}) => (paid.get(id) ?? 0) > paidMs)).toEqual([]);
		expect(paid.size).toBeGreaterThan(0);
	},
);
