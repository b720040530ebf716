/** Kills agent, market and workloads at random moments: nothing is lost, and nothing left behind. */
import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test, vi} from 'vitest';
import {endLeftovers} from '../../source/host/local/leftovers.ts';
import {readRecord} from '../../source/host/local/record.ts';
import {randomOf} from '../../source/host/simulated/random.ts';
import {siteOf} from '../../source/host/local/site.ts';
import {startHost} from '../helpers/host-process.ts';
import {noProcesses, noSandbox, sleepers} from '../helpers/local-host.ts';
import {clientOf, openFolder, startMarket} from '../helpers/market-process.ts';

/** As many as fit into this, and no more than is needed. */
const FAULTS_MS = 30_000;
const EVENTS = 16;
const INSTANCES = 3;

/** A market and a host in processes of their own, either of which can be killed and started again. */
async function openWorld(folder: string) {
	const file = join(folder, 'market.db');
	const hostFolder = join(folder, 'host');
	const keyFile = join(folder, 'key');
	let market = await startMarket(file);
	const {url} = market;
	const key = await market.key();
	writeFileSync(keyFile, key);
	const runtime = noSandbox === undefined ? 'sandbox' : 'process';
	const programs = makeUpGpus(folder);
	const hosting = {url, keyFile, folder: hostFolder, runtime, programs} as const;
	let host = await startHost(hosting);
	const client = clientOf(url, key);
	return {
		client,
		hostFolder,
		async killMarket() {
			await market.end('SIGKILL');
			market = await startMarket(file, '--port', new URL(url).port);
		},
		async killHost() {
			await host.end('SIGKILL');
			host = await startHost(hosting);
		},
		async killWorkload(id: number) {
			const {root} = (await readRecord(siteOf(hostFolder, id).record)) ?? {};
			if (root !== undefined) process.kill(root.pid, 'SIGKILL');
		},
		async [Symbol.asyncDispose]() {
			await host.end('SIGKILL');
			await endLeftovers(hostFolder);
			await client[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** A tool that says that there is a GPU for each instance. */
function makeUpGpus(folder: string): string {
	const programs = join(folder, 'programs');
	mkdirSync(programs);
	const rows = Array.from({length: INSTANCES}, (_, index) => `${index}, RTX 4090, 24564 MiB`);
	const table = ['index, name, memory.total [MiB]', ...rows].join('\n');
	writeFileSync(join(programs, 'nvidia-smi'), `#!/bin/sh\ncat <<END\n${table}\nEND\n`, {
		mode: 0o755,
	});
	return programs;
}

type World = Awaited<ReturnType<typeof openWorld>>;
type Rented = {
	readonly id: number;
	readonly seconds: string;
	wish: 'running' | 'stopped';
	isKilled: boolean;
};

async function rentAll({client}: World): Promise<readonly Rented[]> {
	const offers = await client.offers.search({limit: 100});
	const single = offers.filter(({num_gpus: gpus}) => gpus === 1);
	const all: Rented[] = [];
	for (let index = 0; index < INSTANCES; index++) {
		const seconds = `${5_000_000 + index}${process.pid}`;
		const {new_contract: id} = await client.instances.create(single[index]?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
			arguments: {list: ['sleep', seconds]},
		});
		all.push({id, seconds, wish: 'running', isKilled: false});
	}
	return all;
}

async function doSomething(world: World, one: Rented, chance: number): Promise<void> {
	const {client} = world;
	if (chance < 0.3) return world.killHost();
	if (chance < 0.5) return world.killMarket();
	if (chance < 0.7) {
		one.isKilled = true;
		return world.killWorkload(one.id).catch(() => undefined);
	}
	one.wish = one.wish === 'running' ? 'stopped' : 'running';
	one.isKilled = false;
	await (one.wish === 'running' ? client.instances.start(one.id) : client.instances.stop(one.id));
}

/** What must be so in the end, whatever has happened. */
async function expectAsWished({client}: World, {id, seconds, wish, isKilled}: Rented) {
	await vi.waitFor(
		async () => {
			const shown = await client.instances.show(id);
			const count = sleepers(seconds);
			// What was killed has ended, or was begun again where nobody saw it end.
			const mayRun = wish === 'running' && (!isKilled || shown?.actual_status === 'running');
			expect([id, shown?.actual_status, count]).toEqual(
				mayRun ? [id, 'running', 1] : [id, 'exited', 0],
			);
		},
		{timeout: 60_000, interval: 200},
	);
}

test.skipIf(noProcesses !== undefined).each([1])(
	'whoever is killed, instances are what they shall be and nothing is left behind, seed %i',
	{timeout: 300_000},
	async seed => {
		using folder = openFolder();
		await using world = await openWorld(folder.path);
		const random = randomOf(seed, 'faults');
		const all = await rentAll(world);
		const end = performance.now() + FAULTS_MS;
		for (let event = 0; event < EVENTS && performance.now() < end; event++) {
			const one = all[random.whole(0, INSTANCES - 1)];
			if (one !== undefined) await doSomething(world, one, random.next());
			await sleep(random.between(0, 700));
		}
		for (const one of all) await expectAsWished(world, one);
		for (const {id} of all) await world.client.instances.destroy(id);
		const left = () =>
			readdirSync(join(world.hostFolder, 'instances')).length +
			all.reduce((sum, {seconds}) => sum + sleepers(seconds), 0);
		await expect.poll(left, {timeout: 60_000}).toBe(0);
		expect(existsSync(join(world.hostFolder, 'agent.lock'))).toBe(true);
	},
);
