/** Starts an instance in a sandbox, or continues with one that runs. */
import type {Work} from '../../contract/nouns/host-work.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {realpath} from 'node:fs/promises';
import {CannotStart} from '../base/retry.ts';
import {
	type Starting,
	keep,
	type HostInstance,
	type UsageMeasurement,
	type Running,
} from '../instance/instance.ts';
import {note} from '../instance/site.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import {isProcessRunning} from '../machine/processes.ts';
import {freeBytes, sizeOf} from '../machine/trees.ts';
import type {Scheduler} from '../base/scheduler.ts';
import {makeGroups, makeNetworkGroups, removeGroups} from './control-groups.ts';
import {usedBytes, instanceDiskOf, makeFolders} from './folders.ts';
import {endFamily, membersOf, usageBetween} from './ending.ts';
import {checkGpusInside, givenGpus, type GivenGpus} from './gpus.ts';
import {isSandbox} from './choose-inside.ts';
import {linkMounts, processLabelOf, makeInstanceInside, type Sandboxes} from './instance-inside.ts';
import {networkCalls, publishPorts, type Published} from './network-calls.ts';
import {holdNetwork, openNetwork, type HeldNetwork} from './own-network.ts';
import {askedPorts, wantedPorts, type WantedPort} from '../instance/ports.ts';
import type {Inside, LocalInside} from '../inside/inside.ts';
import {commandOf, findFirstInside, startWorkload, waitForProgramEnd} from './workload.ts';

export type StartSetup = {
	readonly sandboxes: Sandboxes;
	readonly gpus: MachineGpus;
	readonly scheduler: Scheduler;
};

type Holding = {
	gpus: GivenGpus;
	/** The instance's own network, and the machine's ports that forward to it. */
	network: HeldNetwork | undefined;
	published: Published | undefined;
	inside: LocalInside | undefined;
};

/** The program's end, if this agent has started it. */
type Begun = {readonly exited: Promise<void> | undefined};

export async function startSandbox(setup: StartSetup, starting: Starting): Promise<Running> {
	const {instance} = starting;
	const holding: Holding = {
		gpus: {devices: [], visible: []},
		network: undefined,
		published: undefined,
		inside: undefined,
	};
	try {
		const begin = (await goesOn(instance)) ? resume : startAnew;
		const {exited} = await begin(setup, starting, holding);
		let before: Parameters<typeof usageBetween>[1];
		return {
			ended: async signal => waitForProgramEnd(instance, exited, signal),
			async measure(withDisk): Promise<UsageMeasurement> {
				const now = {at: setup.scheduler.now(), members: await membersOf(instance.record)};
				const usage = usageBetween(now, before);
				before = now;
				const bytes = withDisk ? await bytesOf(instance) : undefined;
				return {usage, disk: {bytes, free: await freeBytes(setup.sandboxes.folder)}};
			},
			release: async () => release(holding),
		};
	} catch (error) {
		await release(holding);
		throw error;
	}
}

/** True if the program and the helper of its network run. */
export async function goesOn({record: {root, network}}: HostInstance): Promise<boolean> {
	const all = [root, ...(network === undefined ? [] : [network.holder, network.way])];
	const runs = all.map(async one => one !== undefined && isProcessRunning(one));
	return (await Promise.all(runs)).every(Boolean);
}

async function release({published, network}: Holding): Promise<void> {
	published?.close();
	await network?.close();
}

async function startAnew(
	{sandboxes, gpus}: StartSetup,
	starting: Starting,
	holding: Holding,
): Promise<Begun> {
	const {instance, work, signal} = starting;
	const {limits, folder} = sandboxes;
	// Ends the processes of an interrupted start.
	await endFamily(instance.record, 0);
	const hasDisk = limits?.hasDisks === true && (work.disk ?? 0) > 0;
	const diskBytes = hasDisk ? (work.disk ?? 0) * GB : undefined;
	const groups = limits === undefined ? [] : await makeGroups(limits, folder, work);
	const others = instance.record.groups.filter(group => !groups.includes(group));
	if (limits !== undefined) await removeGroups(others);
	// Disks and networks are made in parallel, because their programs mostly wait.
	const network = await both(
		makeFolders(instance.site, diskBytes),
		openOwn(sandboxes, instance, work),
	);
	await keep(instance, {root: undefined, network, groups});
	await linkMounts(sandboxes, instance);
	holding.gpus = await givenGpus(gpus, work);
	const inside = await makeInstanceInside(sandboxes, instance, {gpus: holding.gpus});
	await checkGpusInside(gpus, inside, work);
	signal.throwIfAborted();
	await openPorts(sandboxes, instance, {work, freePort: starting.freePort, holding});
	const command = commandOf(work, holding.network === undefined);
	if (command === undefined) {
		throw new CannotStart(
			`Images are not pulled on this machine, so nobody knows what ${work.image ?? ''} runs by itself: name a program with args.`,
		);
	}
	await openSshServer(sandboxes, starting, holding);
	signal.throwIfAborted();
	const entered = await makeInstanceInside(sandboxes, instance, holding);
	const {root, exited} = await startWorkload(entered, command, instance.site);
	await keep(instance, {root});
	await enter(sandboxes, instance, holding);
	return {exited};
}

const GB = 1e9;

/** Waits for both, even if one fails, and returns the second: no rejection is left unhandled. */
async function both<Second>(first: Promise<unknown>, second: Promise<Second>): Promise<Second> {
	await Promise.allSettled([first, second]);
	await first;
	return second;
}

async function openOwn(
	{network, address, limits, folder}: Sandboxes,
	{site, record}: HostInstance,
	work: Work,
) {
	if (network === undefined) return undefined;
	return openNetwork(network, {
		folder: await realpath(site.own),
		labels: processLabelOf(record),
		address,
		groups: limits === undefined ? [] : await makeNetworkGroups(limits, folder, work),
	});
}

/** Continues with an instance that an earlier agent has started. */
async function resume(
	{sandboxes, gpus}: StartSetup,
	starting: Starting,
	holding: Holding,
): Promise<Begun> {
	const {instance, work} = starting;
	const {network, ports} = instance.record;
	try {
		holding.gpus = await givenGpus(gpus, work);
	} catch (error) {
		if (error instanceof CannotStart) throw error;
		// A busy tool lists no GPUs, although the instance has had them since its start.
		await note(instance.site, `C.${instance.id}: ${messageOf(error)}`);
	}
	if (sandboxes.network !== undefined && network !== undefined) {
		holding.network = await holdNetwork(sandboxes.network, network);
		const wanted: WantedPort[] = [];
		for (const [inside, outside] of ports) {
			const port = await starting.freePort(outside);
			const protocol = inside.endsWith('/udp') ? 'udp' : 'tcp';
			wanted.push({inside: Number.parseInt(inside), protocol, outside: port});
		}
		await publish(sandboxes, instance, {holding, wanted});
	}
	await openSshServer(sandboxes, starting, holding);
	await enter(sandboxes, instance, holding);
	return {exited: undefined};
}

async function enter(
	sandboxes: Sandboxes,
	instance: HostInstance,
	holding: Holding,
): Promise<void> {
	const {root} = instance.record;
	const isApart = isSandbox(sandboxes.makeInside) && root !== undefined;
	const joins = isApart ? await findFirstInside(root) : undefined;
	const given = {...holding, ...(joins !== undefined && {joins})};
	holding.inside = await makeInstanceInside(sandboxes, instance, given);
}

async function openPorts(
	sandboxes: Sandboxes,
	instance: HostInstance,
	{work, freePort, holding}: {readonly holding: Holding} & Pick<Starting, 'work' | 'freePort'>,
): Promise<void> {
	const {ports, network} = instance.record;
	if (sandboxes.network === undefined || network === undefined) {
		return keep(instance, {ports: await askedPorts(work, freePort, ports)});
	}
	holding.network = await holdNetwork(sandboxes.network, network);
	const wanted = await wantedPorts(work, freePort, ports);
	await publish(sandboxes, instance, {holding, wanted});
}

async function publish(
	{listen: address}: Sandboxes,
	instance: HostInstance,
	{holding, wanted}: {readonly holding: Holding; readonly wanted: readonly WantedPort[]},
): Promise<void> {
	const calls = networkCalls(await realpath(instance.site.own));
	holding.published = await publishPorts({address, ...calls}, wanted);
	await keep(instance, {ports: holding.published.ports});
}

/** Opens the SSH server before the program runs, because its environment contains the port. */
async function openSshServer(
	sandboxes: Sandboxes,
	{instance, work, openSshServer: open}: Starting,
	holding: Holding,
): Promise<void> {
	if (work.launch?.mode === 'args') return;
	const inside = await makeInstanceInside(sandboxes, instance, holding);
	const start: Inside['start'] = async (command, beginning) =>
		(holding.inside ?? inside).start(command, beginning);
	await open({...inside, start});
}

async function bytesOf({site}: HostInstance): Promise<number | undefined> {
	return (await usedBytes(instanceDiskOf(site).folder)) ?? sizeOf([site.own]);
}
