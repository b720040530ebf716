import {existsSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {
	findEngineNeed,
	nameOwnMachine,
	notePublished,
	type RuntimeKind,
} from '../../../source/commands/host/own-folder.ts';
import {openOwnHost} from '../../../source/commands/host/own-host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openHostMarket} from '../../helpers/host/hosts.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {openPretender} from '../../helpers/services/pretender.ts';
import {HERE} from '../../helpers/market/relay.ts';
import {waitFor} from '../../helpers/wait-for.ts';

const URL_OF_MARKET = 'https://market.example';
const noted = {url: URL_OF_MARKET, id: 7, name: 'rig'};

/** The folder of an agent that keeps instance 3, unless it is said to keep nothing. */
async function openKept(machine = noted, kept: readonly string[] = ['instances/3']) {
	const folder = openFolder();
	await notePublished(folder.path, machine);
	for (const place of kept) mkdirSync(join(folder.path, place), {recursive: true});
	return folder;
}

type Told = {
	readonly machines?: ReadonlyArray<readonly [number, string]>;
	readonly gone?: number[];
	/** Instances that are wanted, and whether they have run. */
	readonly wanted?: ReadonlyArray<readonly [number, boolean]>;
};

/** The name by which a machine is published from a folder, or the reason why it is not. */
async function nameIn(
	{path: folder}: {readonly path: string},
	{
		machines = [[7, 'rig']],
		gone = [],
		wanted: kept = [],
		...given
	}: Told & {url?: string; name?: string; endsWithMarket?: boolean} = {},
): Promise<string> {
	const common = {machine_id: 7, boot: 1, container: 1};
	const calls = {
		list: async () => machines.map(([id, name]) => ({id, name, num_gpus: 0, asks: []})),
		takeWork: async () => ({
			revision: 9,
			work: [
				...gone.map(id => ({...common, instance_id: id, wanted: 'gone' as const})),
				...kept.map(([id, hasRun]) => ({
					...common,
					instance_id: id,
					wanted: 'running' as const,
					api_key: hasRun ? null : 'a key',
				})),
			],
			volumes: [],
			tasks: [],
		}),
	};
	const about = {folder, url: URL_OF_MARKET, ...given};
	return nameOwnMachine(calls, about).catch((error: unknown) => String(error));
}

test('a machine is called what its folder knows, whatever the host is called by now', async () => {
	using kept = await openKept();
	expect(await nameIn(kept)).toBe('rig');
	expect(await nameIn(kept, {url: 'http://market.example'})).toBe('rig');
	using empty = await openKept(noted, []);
	expect(await nameIn(empty)).toBe('rig');
	expect(await nameIn(empty, {name: 'other'})).toBe('other');
	expect(await nameIn(empty, {url: 'https://other.example'})).toBe(hostname());
});

test.each(['instances/3', 'containers/instances/3', 'volumes/3'])(
	'a folder with %s is offered as no other machine, on no other market and by no other account',
	async place => {
		using kept = await openKept(noted, [place]);
		const sentence = `${kept.path} keeps what is rented of machine 7, rig`;
		const rest = 'it would be removed. Nothing is offered, and what runs goes on.';
		expect(await nameIn(kept, {name: 'other'})).toBe(
			`UsageError: ${sentence}, and not of other: ${rest} Say --name 'rig', or offer other from another --folder.`,
		);
		expect(await nameIn(kept, {url: 'https://other.example'})).toContain(
			`${sentence} on https://market.example, and not on https://other.example: ${rest}`,
		);
		for (const machines of [[], [[8, 'rig']]] as const) {
			expect(await nameIn(kept, {machines})).toContain(
				`${sentence}, and the account of this key has no such machine now: ${rest}`,
			);
		}
	},
);

test('a folder that knows no machine is offered only as one that its account has', async () => {
	using kept = await openKept();
	rmSync(join(kept.path, 'machine.json'));
	expect(await nameIn(kept, {name: 'rig'})).toBe('rig');
	expect(await nameIn(kept, {name: 'other'})).toMatch(/has no machine 'other'.*It has: 'rig'\./);
});

test('a new folder is not offered as a machine of which something is rented that has run', async () => {
	using folder = openFolder();
	const rig = {name: 'rig', wanted: [[3, true]]} as const;
	expect(await nameIn(folder, rig)).toBe(
		`UsageError: ${folder.path} is new, and has nothing of instance 3, which is rented of machine 7, rig: it would be made anew, empty. Nothing is offered, and what runs goes on. Mount the disk with the folder of before, or say its --folder. If that is lost, use another --name.`,
	);
	expect(await nameIn(folder, {...rig, wanted: [[3, false]]})).toBe('rig');
	expect(await nameIn(folder, {...rig, name: 'other'})).toBe('other');
	expect(await nameIn(folder, {...rig, endsWithMarket: true})).toBe('rig');
	// A folder that was in use before, such as for volumes of containers.
	using kept = await openKept(noted, []);
	expect(await nameIn(kept, rig)).toBe('rig');
	mkdirSync(join(folder.path, 'containers'));
	expect(await nameIn(folder, rig)).toBe('rig');
});

test('a machine that was deleted is published anew where all that was rented of it has ended', async () => {
	using kept = await openKept(noted, ['instances/3', 'instances/4']);
	const machines = [[7, 'rig (removed, 7)']] as const;
	expect(await nameIn(kept, {machines, gone: [3]})).toContain('no such machine now');
	expect(await nameIn(kept, {machines, gone: [3, 4]})).toBe('rig');
});

/** Needs for a container engine, by runtime, with folders within that of an agent. */
async function needsWith(...places: readonly string[]) {
	using kept = await openKept(noted, places);
	const needOf = async (runtime: RuntimeKind) =>
		findEngineNeed(kept.path, runtime).catch((error: unknown) =>
			String(error).replace(kept.path, 'DIR'),
		);
	return {
		auto: await needOf('auto'),
		container: await needOf('container'),
		sandbox: await needOf('sandbox'),
	};
}

const refusedAs = (kind: string) =>
	expect.stringContaining(
		`UsageError: DIR keeps what is rented as ${kind}, and --runtime`,
	) as unknown;

test('what is rented keeps its runtime, whatever works here by now', async () => {
	const free = {auto: 'possible', container: 'needed', sandbox: 'none'};
	expect(await needsWith()).toEqual(free);
	const asContainers = {...free, auto: 'needed', sandbox: refusedAs('containers')};
	expect(await needsWith('containers/instances/3')).toEqual(asContainers);
	const asSandboxes = {...free, auto: 'none', container: refusedAs('sandboxes')};
	expect(await needsWith('instances/3')).toEqual(asSandboxes);
	expect(await needsWith('volumes/3', 'containers/orders')).toEqual(asSandboxes);
	// Volumes of containers are in the engine.
	expect(await needsWith('containers/orders')).toEqual({...free, auto: 'needed'});
	expect(await needsWith('instances/3', 'containers/instances/4')).toEqual({
		...free,
		auto: 'needed',
	});
});

/** A market, and this machine with an instance that has a file. */
async function openWorld() {
	const folder = openFolder();
	const market = await openHostMarket();
	const open = async (name?: string, runtime: RuntimeKind = 'process') =>
		openOwnHost({
			url: market.url,
			key: market.hostKey,
			folder: folder.path,
			reach: {address: HERE},
			name,
			prices: {perGpuHour: 0.1, storage: 0.1},
			runtime,
			endsOnClose: true,
		});
	const host = await open('rig');
	const {machineId} = host;
	const wanted = {machine_id: {eq: machineId}, rentable: {}, verified: {}, disk_space: {}};
	const [offer] = await market.search(wanted);
	const {new_contract: id} = await market.renter.instances.create(offer?.id ?? 0, {
		image: 'ubuntu:24.04',
		disk: 8,
		launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
	});
	const runs = async () =>
		waitFor(async () =>
			expect((await market.renter.instances.show(id))?.actual_status).toBe('running'),
		);
	await runs();
	const own = join(folder.path, 'instances', String(id));
	mkdirSync(join(own, 'workspace'), {recursive: true});
	writeFileSync(join(own, 'workspace', 'weights'), 'a week of training');
	await host.close();
	return {
		folder: folder.path,
		market,
		machineId,
		id,
		own,
		open,
		runs,
		hasFile: () => existsSync(join(own, 'workspace', 'weights')),
		async [Symbol.asyncDispose]() {
			await market[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}

test.skipIf(noProcesses !== undefined)(
	'what is rented stays when the machine has got another name, and goes on by its own',
	async () => {
		await using world = await openWorld();
		await expect(world.open('rig.example.net')).rejects.toThrow("Say --name 'rig'");
		expect(await world.market.host.list()).toMatchObject([{id: world.machineId, name: 'rig'}]);
		expect(world.hasFile()).toBe(true);
		const host = await world.open();
		expect(host.machineId).toBe(world.machineId);
		await world.runs();
		expect(world.hasFile()).toBe(true);
		await host.close();
	},
);

test.skipIf(noProcesses !== undefined)(
	'containers are not made anew as sandboxes or by another engine while theirs is away',
	async () => {
		await using world = await openWorld();
		const {own, folder, open} = world;
		const instances = join(folder, 'instances');
		const containers = join(folder, 'containers');
		// As the agent of an engine leaves its folder.
		mkdirSync(containers);
		renameSync(instances, join(containers, 'instances'));
		vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock');
		await expect(open('rig', 'auto')).rejects.toThrow(/No container engine.*Start the engine/);
		await expect(open('rig', 'process')).rejects.toThrow('would make it anew, empty');
		await using other = await openPretender((_, response) => void response.end('[]'));
		vi.stubEnv('DOCKER_HOST', `unix://${other.path}`);
		await expect(open('rig', 'auto')).rejects.toThrow(
			'as containers of another engine than Docker',
		);
		vi.unstubAllEnvs();
		expect(existsSync(own)).toBe(false);
		renameSync(join(containers, 'instances'), instances);
		const host = await open('rig');
		await world.runs();
		expect(world.hasFile()).toBe(true);
		await host.close();
	},
);

test.skipIf(noProcesses !== undefined)(
	'a machine that was deleted while its agent was away is offered anew, without what has ended',
	async () => {
		await using world = await openWorld();
		const {market, id, own, machineId} = world;
		await market.renter.instances.destroy(id);
		const provider = openClient({url: market.url, key: market.hostKey, paceScale: 0});
		await provider.machines.delete(machineId);
		await provider.close();
		const host = await world.open();
		expect(host.machineId).not.toBe(machineId);
		await waitFor(() => expect(existsSync(own)).toBe(false));
		await host.close();
	},
);
