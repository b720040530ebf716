/** A host of the machine that this program runs on: its hardware, its listing and its agent. */
import process from 'node:process';
import {BOUNDABLE, printIsolation, type Isolation} from '../../contract/rules/isolation.ts';
import {largestDisk} from '../../host/sandbox/folders.ts';
import {findInstanceLimits, missingLimits} from '../../host/sandbox/control-groups.ts';
import {sharedMachine} from '../../host/sandbox/resource-limits.ts';
import {containerRuntime} from '../../host/engine/containers.ts';
import type {Engine} from '../../host/engine/engine.ts';
import {chooseEngine} from '../../host/engine/own-engine.ts';
import {findIsolationSupport, missingIsolation} from '../../host/engine/isolation-support.ts';
import {openSandboxes} from '../../host/sandbox/sandboxes.ts';
import {
	type Detected,
	detectMachine,
	publicationOf,
	type HostPrices,
} from '../../host/machine/detect.ts';
import {findNetworkTools, tryNetwork, type NetworkTools} from '../../host/sandbox/own-network.ts';
import {chooseInside, type MakeInside} from '../../host/sandbox/choose-inside.ts';
import {checkReach, type PortAddresses} from '../../host/machine/port-choice.ts';
import {openReachabilityPort, type ReachabilityPort} from '../../host/machine/reachability-port.ts';
import type {OpenRuntime} from '../../host/base/runtime.ts';
import {openClient} from '../../client/client.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import {openHostAgent} from '../../host/agent/agent.ts';
import {lockFolder} from '../../host/instance/record.ts';
import {openOwnGpus, type Offered} from './own-gpus.ts';
import {
	containersFolder,
	findEngineNeed,
	missingEngine,
	nameOwnMachine,
	notePublished,
	otherEngine,
	type RuntimeKind,
} from './own-folder.ts';

/** Terms of an offer in the API's names; those that are not given stay as they are. */
export type HostTerms = Readonly<
	Partial<
		Record<'price_disk' | 'price_inetu' | 'price_inetd' | 'price_min_bid' | 'min_chunk', number>
	>
>;

type OwnHostOptions = MeansOptions & {
	/** A key of the account that provides the machine. */
	readonly key: string;
	/**
	 * Name among the machines of its account.
	 *
	 * @default the one that its folder knows, or the host name
	 */
	readonly name?: string | undefined;
	/** City and country that the provider names. */
	readonly place?: string | undefined;
	readonly prices: HostPrices;
	/**
	 * The provider gave a price, which replaces the one on the market.
	 *
	 * @default false
	 */
	readonly isPriced?: boolean;
	/**
	 * Further terms that the provider gave.
	 *
	 * @default {}
	 */
	readonly terms?: HostTerms;
	/**
	 * Close the market together with the host, so that its machine does not go away.
	 * @default false
	 */
	readonly endsWithMarket?: boolean;
	/** Called with the hardware found and the name, before it is published. */
	readonly onDetected?: (found: Detected, isolation: HostIsolation, name: string) => void;
	/** Called after each judgement of the machine's GPUs. */
	readonly onJudged?: Offered['onJudged'];
};

export type OwnHost = {
	readonly machineId: number;
	/** The machine as its market lists it; undefined if the market does not. */
	readonly listed: Machine | undefined;
	/** Fulfils when the host is closed, or with the reason why it had to stop before. */
	readonly ended: Promise<string | undefined>;
	readonly close: () => Promise<void>;
};

/** Least price of a listing: a free machine is only published. */
const LEAST_PRICE = 0.001;

/** @throws FolderInUse, or an error that says why the machine cannot be offered. */
export async function openOwnHost(options: OwnHostOptions): Promise<OwnHost> {
	const unlock = await lockFolder(options.folder);
	const client = openClient({
		url: options.url,
		key: options.key,
		userAgent: 'rentty-host',
		// The agent repeats calls by itself, and logs it.
		repeats: 0,
	});
	let port: ReachabilityPort | undefined;
	const letGo = async () => {
		await Promise.all([client.close(), port?.close()]);
		await unlock();
	};
	try {
		await checkReach(options.reach);
		port = await openReachabilityPort(options.reach);
		const reach = port && {reach: port.reach};
		const name = await nameOwnMachine(client.hosts, options);
		const publish = async (found: Detected) =>
			client.hosts.publish({...publicationOf(name, found, options.prices), ...reach});
		const detected = {found: await detectMachine(options), publish, onJudged: options.onJudged};
		const {open, found, ...isolation} = await meansOf(options, detected);
		options.onDetected?.(found, isolation, name);
		const {id} = await publish(found);
		await notePublished(options.folder, {url: options.url, id, name});
		const terms = termsOf(options);
		if (Object.keys(terms).length > 0) await client.machines.offer({machine: id, ...terms});
		const agent = await openHostAgent({
			calls: client.hosts,
			openRuntime: open,
			relay: {url: options.url, key: options.key},
			share: {machines: [id]},
			endsWithMarket: options.endsWithMarket === true,
			...(options.log !== undefined && {log: options.log}),
		});
		return {
			machineId: id,
			listed: await client.machines.show(id).catch(() => undefined),
			ended: agent.ended,
			async close() {
				await agent.close();
				await letGo();
			},
		};
	} catch (error) {
		await letGo();
		throw error;
	}
}

/** Terms that the provider gave, which go before those on the market. */
function termsOf({
	prices: {perGpuHour: price},
	isPriced = false,
	terms = {},
}: Pick<OwnHostOptions, 'prices' | 'isPriced' | 'terms'>) {
	if (!isPriced || price < LEAST_PRICE) return terms;
	return {price_gpu: price, price_min_bid: Math.max(LEAST_PRICE, price / 2), ...terms};
}

const GB = 1e9;

type MeansOptions = {
	readonly url: string;
	readonly folder: string;
	/** Addresses at which the ports of instances are bound, and at which renters find them. */
	readonly reach: PortAddresses;
	/** Runtime; `room` is the best one that needs no images. */
	readonly runtime: RuntimeKind | 'room';
	/**
	 * Limit instances to the resources that they rent, and give them networks of their own, where possible:
	 * needless when renting one's own machine.
	 * @default true
	 */
	readonly isBounded?: boolean;
	/**
	 * Renters may use images of this machine and of its network.
	 * @default false
	 */
	readonly allowsLocalImages?: boolean;
	/**
	 * Registries that renters may push snapshots to, where instances are containers.
	 * @default none
	 */
	readonly pushRegistries?: readonly string[];
	/**
	 * Images that are pulled before they are rented, where instances are containers.
	 * @default none
	 */
	readonly warm?: readonly string[];
	/** Instances end when the host is closed. */
	readonly endsOnClose: boolean;
	readonly log?: (line: string) => void;
};

/** Isolation of instances from the machine and from each other. */
export type HostIsolation = {
	readonly how: Isolation['how'];
	/** Missing limits, in words. */
	readonly lacking: readonly string[];
	/** Reason why instances share the machine's network; undefined if each has its own. */
	readonly sharedNetwork: string | undefined;
};

type Means = HostIsolation & {
	readonly open: OpenRuntime;
	/** The machine, with its GPUs by the numbers that the runtime has for them. */
	readonly found: Detected;
};

/**
 * Finds the wanted runtime; by default, that of the rentals in the folder, or the one that isolates
 * instances best.
 */
async function meansOf(options: MeansOptions, offered: Offered): Promise<Means> {
	const {folder, runtime} = options;
	const need = await findEngineNeed(folder, runtime);
	if (need !== 'none') {
		const {engine, strangers} = await chooseEngine(containersFolder(folder));
		if (engine !== undefined) return containers(options, engine, offered);
		if (strangers.length > 0) throw otherEngine(folder, strangers);
		if (need === 'needed') throw missingEngine(folder, runtime);
	}
	// Only Linux tells which processes belong together, however they were started.
	if (process.platform !== 'linux') {
		throw new Error('only Linux runs instances without a container engine: start Docker or Podman');
	}
	const makeInside = await chooseInside(
		runtime === 'sandbox' || runtime === 'process' ? runtime : 'auto',
	);
	return sandboxes(options, makeInside, offered);
}

/** The machine as it is offered, with its isolation for renters to read. */
function withIsolation(found: Detected, {sharedNetwork, ...walls}: HostIsolation): Detected {
	const isolation = printIsolation({...walls, sharesNetwork: sharedNetwork !== undefined});
	return {...found, facts: {...found.facts, isolation}};
}

/** The machine as it is offered with disks that are files, whose size the file system limits. */
async function withDisks(found: Detected, folder: string): Promise<Detected> {
	const {facts} = found;
	const largest = Math.floor((await largestDisk(folder, (facts.disk_space ?? 0) * GB)) / GB);
	return {...found, facts: {...facts, disk_space: Math.max(1, largest)}};
}

async function containers(
	{
		folder,
		reach,
		url,
		allowsLocalImages = false,
		pushRegistries = [],
		warm = [],
		log,
	}: MeansOptions,
	engine: Engine,
	{found, ...offered}: Offered,
): Promise<Means> {
	const means = await findIsolationSupport(engine);
	const isolation: HostIsolation = {
		how: 'container',
		lacking: missingIsolation(means),
		sharedNetwork: means.hasFirewall ? undefined : 'nsenter and iptables cannot be used',
	};
	const walled = {...withIsolation(found, isolation), pushRegistries};
	const gpus = await openOwnGpus(folder, {...offered, found: walled});
	const {names} = gpus.machineGpus;
	const options = {
		engine,
		means,
		gpus: gpus.machineGpus,
		machine: sharedMachine(Math.max(names.length, found.facts.num_gpus)),
		folder: containersFolder(folder),
		...reach,
		measureGpus: gpus.measure,
		serviceUrl: url,
		allowsLocalImages,
		pushRegistries,
		warm,
		...(log !== undefined && {log}),
	};
	return {
		...isolation,
		open: containerRuntime(options),
		found: gpus.found,
	};
}

/** Network tools of this machine, or the reason why there are none. */
async function usableNetwork(folder: string): Promise<NetworkTools | string> {
	const tools = findNetworkTools();
	if (typeof tools === 'string') return `${tools} is not installed`;
	return (await tryNetwork(tools, folder)) ?? tools;
}

async function sandboxes(
	{folder, reach, url: serviceUrl, endsOnClose, isBounded = true, log}: MeansOptions,
	makeInside: MakeInside,
	{found, ...offered}: Offered,
): Promise<Means> {
	const {isolation: how} = makeInside({folder: '/', hostName: '', env: {}, mounts: []});
	// Without a sandbox, instances are plain processes of this machine, without limits.
	const isLimited = isBounded && how === 'sandbox';
	const limits = isLimited ? await findInstanceLimits(folder, found.facts.num_gpus) : undefined;
	const network = isLimited ? await usableNetwork(folder) : 'there are no walls around them';
	const isolation: HostIsolation = {
		how,
		lacking: limits === undefined ? BOUNDABLE : missingLimits(limits),
		sharedNetwork: typeof network === 'string' ? network : undefined,
	};
	const bounded = limits?.hasDisks === true ? await withDisks(found, folder) : found;
	const gpus = await openOwnGpus(folder, {...offered, found: withIsolation(bounded, isolation)});
	const options = {folder, ...reach, makeInside, serviceUrl, endsOnClose, gpus: gpus.machineGpus};
	return {
		...isolation,
		found: gpus.found,
		open: openSandboxes({
			...options,
			...(limits !== undefined && {limits}),
			...(typeof network !== 'string' && {network}),
			measureGpus: gpus.measure,
			...(log !== undefined && {log}),
		}),
	};
}
