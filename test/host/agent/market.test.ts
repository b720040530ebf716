import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {removeFolder} from '../../helpers/remove-folder.ts';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import type {InstanceOrder} from '../../../source/contract/nouns/creation-request.ts';
import {openHostAgent} from '../../../source/host/agent/agent.ts';
import {calmRates, type FailureRates} from '../../../source/host/simulated/script.ts';
import {simulate} from '../../../source/host/simulated/simulated.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {waitFor} from '../../helpers/wait-for.ts';

const SPEED = 200;

type Options = Partial<FailureRates> & {readonly endsWithMarket?: boolean};

async function openHost(url: string, key: string, options: Options = {}) {
	const {endsWithMarket = false, ...rates} = options;
	const client = openClient({url, key});
	const log: string[] = [];
	const agent = await openHostAgent({
		calls: client.hosts,
		openRuntime: simulate({speed: SPEED, rates: {...calmRates, ...rates}}),
		random: () => 1,
		endsWithMarket,
		log: line => log.push(line),
	});
	async function close(): Promise<void> {
		await agent.close();
		await client.close();
	}
	return {...agent, close, log, [Symbol.asyncDispose]: close};
}

/** A market with its database in a folder, so that it can be closed and opened again. */
async function openWorld() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-host-'));
	const file = join(folder, 'market.db');
	const market = await openTestMarket({file, offers: 50});
	const {url, key} = market;
	const hostKey = await market.createKey('agent', 'host');
	const renter = openClient({url, key, paceScale: 0});

	async function rent(order: Partial<InstanceOrder> = {}): Promise<number> {
		const [offer] = (await renter.offers.search({limit: 1})).offers;
		if (offer === undefined) throw new Error('there is no offer');
		const {new_contract: id} = await renter.instances.create(offer.id, {
			image: 'ubuntu:24.04',
			disk: 16,
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
			...order,
		});
		return id;
	}

	/** Waits until an instance is shown as something. */
	async function sees(id: number, shown: Record<string, unknown>): Promise<void> {
		await waitFor(async () => expect(await renter.instances.show(id)).toMatchObject(shown));
	}

	return {
		market,
		hostKey,
		renter,
		rent,
		sees,
		url,
		/** Opens the market again where it was. */
		reopen: async () => openTestMarket({file, port: Number(new URL(url).port)}),
		async [Symbol.asyncDispose]() {
			await renter.close();
			await market.close().catch(() => undefined);
			removeFolder(folder);
		},
	};
}

test('an instance is rented, runs, is looked into, stopped, started and destroyed', async () => {
	await using world = await openWorld();
	await using host = await openHost(world.url, world.hostKey);
	const {renter, rent, sees} = world;
	const id = await rent({onstart: 'echo hi'});
	await sees(id, {
		actual_status: 'running',
		status_msg: 'success, running ubuntu:24.04/ssh',
		ssh_host: expect.stringMatching(/^ssh\d+\.example\.net$/) as unknown,
		ports: {'22/tcp': [{HostIp: '0.0.0.0'}]},
	});
	expect(await renter.instances.logs(id)).toContain('Server listening on :: port 22.');
	expect(await renter.instances.execute(id, 'ls /workspace')).toContain('train.py');
	await renter.instances.stop(id);
	await sees(id, {actual_status: 'exited', cur_state: 'stopped'});
	await renter.instances.start(id);
	await sees(id, {actual_status: 'running'});
	await renter.instances.recycle(id);
	await sees(id, {actual_status: 'running', status_msg: 'success, running ubuntu:24.04/ssh'});
	await renter.instances.destroy(id);
	expect(await renter.instances.show(id)).toBeUndefined();
	expect(host.log).toEqual([]);
});

test('an image that nobody has stops its instance, with what the engine says', async () => {
	await using world = await openWorld();
	await using host = await openHost(world.url, world.hostKey);
	const id = await world.rent({image: 'me/does-not-exist'});
	await world.sees(id, {intended_status: 'stopped', cur_state: 'stopped'});
	const shown = await world.renter.instances.show(id);
	expect(shown?.status_msg).toContain('Error response from daemon: pull access denied');
	expect(host.log).toEqual([expect.stringContaining(`Instance ${id} failed: Error response`)]);
});

test('what is stuck says how far it came', async () => {
	await using world = await openWorld();
	await using host = await openHost(world.url, world.hostKey, {stuck: 1});
	const id = await world.rent();
	await world.sees(id, {actual_status: 'loading', status_msg: expect.any(String) as unknown});
	expect(host.log).toEqual([]);
});

test('an instance is offline when its host leaves, and runs again when it is back', async () => {
	await using world = await openWorld();
	const before = await openHost(world.url, world.hostKey);
	const id = await world.rent();
	await world.sees(id, {actual_status: 'running'});
	await before.close();
	await world.sees(id, {actual_status: 'offline'});
	await using after = await openHost(world.url, world.hostKey);
	await world.sees(id, {actual_status: 'running'});
	expect(after.log).toEqual([]);
	expect(await world.renter.instances.logs(id)).toContain('Server listening');
});

test('an instance is what it was when its host is closed together with the market', async () => {
	await using world = await openWorld();
	const before = await openHost(world.url, world.hostKey, {endsWithMarket: true});
	const id = await world.rent();
	await world.sees(id, {actual_status: 'running'});
	await before.close();
	await world.sees(id, {actual_status: 'running'});
	await using after = await openHost(world.url, world.hostKey);
	expect(await world.renter.instances.logs(id)).toContain('Server listening');
	expect(after.log).toEqual([]);
});

test('what is wanted while no host is there is done when one comes', async () => {
	await using world = await openWorld();
	const before = await openHost(world.url, world.hostKey);
	const id = await world.rent();
	await world.sees(id, {actual_status: 'running'});
	await before.close();
	await world.renter.instances.reboot(id);
	await using host = await openHost(world.url, world.hostKey);
	await world.sees(id, {actual_status: 'running', status_msg: 'success, running ubuntu:24.04/ssh'});
	await world.renter.instances.destroy(id);
	expect(host.log).toEqual([]);
});

test('a host outlives its market', async () => {
	await using world = await openWorld();
	await using host = await openHost(world.url, world.hostKey);
	const id = await world.rent();
	await world.sees(id, {actual_status: 'running'});
	await world.market.close();
	await waitFor(() => expect(host.log.join('\n')).toContain('Trying again.'));
	await using market = await world.reopen();
	await world.renter.instances.reboot(id);
	await world.sees(id, {actual_status: 'running', status_msg: 'success, running ubuntu:24.04/ssh'});
	expect(host.log).toContain('It works again.');
	expect(market.log).toEqual([]);
});

test('a key that the market does not know opens no host', async () => {
	await using world = await openWorld();
	await expect(openHost(world.url, 'unknown')).rejects.toThrow('the key is not accepted');
});
