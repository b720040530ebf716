/** The inside of an instance: a sandbox, or a folder of the machine without isolation. */
import {realpath} from 'node:fs/promises';
import type {HostInstance} from '../instance/instance.ts';
import {note} from '../instance/site.ts';
import {withSsh} from '../instance/ports.ts';
import type {InstanceRecord} from '../instance/record.ts';
import type {InstanceLimits} from './control-groups.ts';
import {isSandbox, type MakeInside} from './choose-inside.ts';
import {foldersShownInside} from './folders.ts';
import {instanceEnv} from './instance-env.ts';
import {planMountPoints, SANDBOX_HOME} from './bubblewrap.ts';
import {networkCalls} from './network-calls.ts';
import {writeNetworkSettings, type HeldNetwork, type NetworkTools} from './own-network.ts';
import {resourceLimits} from './resource-limits.ts';
import type {LocalInside, InsideNetwork, InsidePlan} from '../inside/inside.ts';
import {linkInside, linkVolumes, mountsOf} from './volumes.ts';
import type {GivenGpus} from './gpus.ts';

/** Settings that all sandboxes of this machine share. */
export type Sandboxes = {
	readonly folder: string;
	/** Address shown to renters, and the one that ports are bound to. */
	readonly address: string;
	readonly listen: string;
	readonly makeInside: MakeInside;
	/** URL of the market, which an instance's own API key is for. */
	readonly serviceUrl: string | undefined;
	/** Limits of instances to their rented share; undefined for none. */
	readonly limits: InstanceLimits | undefined;
	/** Tools for instances' networks; undefined if they share the machine's. */
	readonly network: NetworkTools | undefined;
};

type HeldResources = {
	readonly gpus?: GivenGpus;
	/** The instance's own network; undefined for no network, if instances have their own. */
	readonly network?: HeldNetwork | undefined;
	/** First process inside, to enter a running sandbox. */
	readonly joins?: number;
};

const noGpus: GivenGpus = {devices: [], visible: []};

export async function makeInstanceInside(
	sandboxes: Sandboxes,
	instance: HostInstance,
	{gpus = noGpus, network, joins}: HeldResources = {},
): Promise<LocalInside> {
	const {site, record, work} = instance;
	const {address, makeInside, serviceUrl, limits, network: tools} = sandboxes;
	if (work === undefined) throw new Error('it was not started yet');
	const volumes = await mountsOf(sandboxes, work);
	const isApart = isSandbox(makeInside);
	const {folder, writable, dataFolder} = await foldersShownInside(site, isApart);
	const surroundings = {
		ports: withSsh(record.ports, record.port),
		dataFolder,
		serviceUrl,
		...(!isApart && {visibleGpus: gpus.visible}),
	};
	if (!isApart) await linkVolumes(folder, volumes);
	const own = network === undefined ? 'none' : await insideNetwork(site.own, network);
	const plan: InsidePlan = {
		folder,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv({...work, api_key: record.apiKey}, address, surroundings),
		labels: processLabelOf(record),
		writable,
		mounts: volumes,
		devices: gpus.devices,
		groups: record.groups,
		...(tools !== undefined && {network: own}),
		...(limits !== undefined && {
			sharedMemoryBytes: resourceLimits(limits.machine, work).sharedMemoryBytes,
		}),
		...(joins !== undefined && {joins}),
	};
	return makeInside(plan);
}

export function processLabelOf({
	mark,
}: Pick<InstanceRecord, 'mark'>): Readonly<Record<string, string>> {
	const [name = '', value = ''] = mark.split('=');
	return {[name]: value};
}

async function insideNetwork(own: string, {entrance}: HeldNetwork): Promise<InsideNetwork> {
	const folder = await realpath(own);
	return {entrance, settings: await writeNetworkSettings(folder), ...networkCalls(folder)};
}

/** Makes the links to volumes before a sandbox runs, and logs those that cannot be made. */
export async function linkMounts(sandboxes: Sandboxes, {site, work}: HostInstance): Promise<void> {
	if (work === undefined || !isSandbox(sandboxes.makeInside)) return;
	const {folder, writable} = await foldersShownInside(site, true);
	const written = [{folder, path: SANDBOX_HOME}, ...writable];
	for (const link of planMountPoints(written, await mountsOf(sandboxes, work)).links) {
		if (await linkInside(link)) continue;
		await note(site, `the volume for ${link.path} is at ${link.target}: its place is taken`);
	}
}
