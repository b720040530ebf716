/** The inside of an instance: a sandbox, or a folder of the machine without isolation. */
import {realpath} from 'node:fs/promises';
import type {Work} from '../../contract/nouns/host-work.ts';
import type {Instance} from '../instance/instance.ts';
import {note} from '../instance/site.ts';
import {withSsh} from '../instance/ports.ts';
import type {InstanceRecord} from '../instance/record.ts';
import type {InstanceLimits} from './control-groups.ts';
import {isSandbox, type MakeInside} from './choose-inside.ts';
import {seenFolders} from './folders.ts';
import {instanceEnv} from './instance-env.ts';
import {mountPlaces, HOME} from './bubblewrap.ts';
import {networkCalls} from './network-calls.ts';
import {writeNetworkSettings, type HeldNetwork, type NetworkTools} from './own-network.ts';
import {rentedShare} from './rented-share.ts';
import type {LocalInside, InsideNetwork, InsidePlan} from '../inside/inside.ts';
import {linkInside, linkVolumes, mountsOf} from './volumes.ts';
import type {GivenGpus} from './gpus.ts';

/** Settings that all sandboxes of this machine share. */
export type Sandboxes = {
	/** Everything lies in here. */
	readonly folder: string;
	/** Address of this machine for entering instances. */
	readonly address: string;
	readonly makeInside: MakeInside;
	/** Service in which an instance's own key is valid. */
	readonly serviceUrl: string | undefined;
	/** Limits of instances to what they have rented; undefined for none. */
	readonly limits: InstanceLimits | undefined;
	/** Tools for instances' networks; undefined where they share that of the machine. */
	readonly network: NetworkTools | undefined;
};

/** Resources of the machine that a running instance holds. */
export type Given = {
	readonly gpus?: GivenGpus;
	/** Its own network; none without it, where instances have networks of their own. */
	readonly network?: HeldNetwork | undefined;
	/** The first process inside, where a sandbox is entered that runs. */
	readonly joins?: number;
};

const noGpus: GivenGpus = {devices: [], visible: []};

/** Its inside, with all that is known of it at this moment. */
export async function insideOf(
	sandboxes: Sandboxes,
	instance: Instance,
	{gpus = noGpus, network, joins}: Given = {},
): Promise<LocalInside> {
	const {site, record, work} = instance;
	const {address, makeInside, serviceUrl} = sandboxes;
	if (work === undefined) throw new Error('it was not started yet');
	const volumes = await mountsOf(sandboxes, work);
	const isApart = isSandbox(makeInside);
	const {folder, writable, dataFolder} = await seenFolders(site, isApart);
	const surroundings = {
		ports: withSsh(record.ports, record.port),
		dataFolder,
		serviceUrl,
		...(!isApart && {visibleGpus: gpus.visible}),
	};
	if (!isApart) await linkVolumes(folder, volumes);
	const plan: InsidePlan = {
		folder,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv({...work, api_key: record.apiKey}, address, surroundings),
		labels: labelsOf(record),
		writable,
		mounts: volumes,
		devices: gpus.devices,
		...(await limitsOf(sandboxes, instance, {work, network})),
		...(joins !== undefined && {joins}),
	};
	return makeInside(plan);
}

/** The variable that all processes of an instance are started with. */
export function labelsOf({mark}: Pick<InstanceRecord, 'mark'>): Readonly<Record<string, string>> {
	const [name = '', value = ''] = mark.split('=');
	return {[name]: value};
}

/** Limits of an instance: to what it has rented, and out of networks that are not its own. */
async function limitsOf(
	{limits, network: tools}: Sandboxes,
	{site, record: {groups}}: Instance,
	{work, network}: {readonly work: Work; readonly network: HeldNetwork | undefined},
): Promise<Partial<InsidePlan>> {
	const own = network === undefined ? 'none' : await insideNetwork(site.own, network);
	return {
		groups,
		...(tools !== undefined && {network: own}),
		...(limits !== undefined && {
			sharedMemoryBytes: rentedShare(limits.machine, work).sharedMemoryBytes,
		}),
	};
}

async function insideNetwork(own: string, {entrance}: HeldNetwork): Promise<InsideNetwork> {
	const folder = await realpath(own);
	return {entrance, settings: await writeNetworkSettings(folder), ...networkCalls(folder)};
}

/** Makes the links to volumes of a sandbox in which nothing runs, and notes where one has no place. */
export async function linkMounts(sandboxes: Sandboxes, {site, work}: Instance): Promise<void> {
	if (work === undefined || !isSandbox(sandboxes.makeInside)) return;
	const {folder, writable} = await seenFolders(site, true);
	const written = [{folder, path: HOME}, ...writable];
	for (const link of mountPlaces(written, await mountsOf(sandboxes, work)).links) {
		if (await linkInside(link)) continue;
		await note(site, `the volume for ${link.path} is at ${link.target}: its place is taken`);
	}
}
