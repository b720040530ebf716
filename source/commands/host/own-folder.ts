/**
 * Rentals in an agent's folder: a start as another machine would remove them, and one with another
 * runtime make them anew.
 */
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import {replaceFile} from '../../client/files/files.ts';
import {numberAt, parseJson, textAt} from '../../contract/grammar/json.ts';
import {engineFile} from '../../host/engine/own-engine.ts';
import {idsIn, listInstanceIds} from '../../host/instance/site.ts';
import {UsageError} from '../../renter/text/usage-error.ts';

export type RuntimeKind = 'auto' | 'sandbox' | 'process' | 'container';

/** A machine as an agent published it. */
type Published = {readonly url: string; readonly id: number; readonly name: string};

type Wanted = {
	readonly folder: string;
	readonly url: string;
	/** Name that the provider gave. */
	readonly name?: string | undefined;
	/** The folder belongs to the market, which may be a new one: nobody else rents of it. */
	readonly endsWithMarket?: boolean;
};

type Calls = Pick<Client['hosts'], 'list' | 'takeWork'>;

/** Folder, within the agent's, of instances that are containers. */
export const containersFolder = (folder: string) => join(folder, 'containers');

const fileIn = (folder: string) => join(folder, 'machine.json');

/**
 * Name by which to publish this machine: the given one, else that of the folder's machine, which a
 * new host name does not change, else the host name.
 *
 * @throws UsageError if what the folder keeps is rented of another machine, or the folder is new and
 *   another has what is rented of this one
 */
export async function nameOwnMachine(calls: Calls, wanted: Wanted): Promise<string> {
	const {folder, url} = wanted;
	const before = await readPublished(folder);
	const isSameMarket = before !== undefined && hostOf(before.url) === hostOf(url);
	const name = wanted.name ?? (isSameMarket ? before.name : hostname());
	if (wanted.endsWithMarket !== true) await refuseLoss(calls, {folder, url, name, before});
	return name;
}

type Start = Wanted & {readonly name: string; readonly before: Published | undefined};

/** Refuses a start that would remove what the folder keeps, or make anew what another one keeps. */
async function refuseLoss(calls: Calls, {folder, url, name, before}: Start): Promise<void> {
	const rentals = await readRentals(folder);
	if (Object.values(rentals).flat().length === 0) {
		if (before === undefined) await refuseNew(calls, folder, name);
		return;
	}
	if (before !== undefined && hostOf(before.url) !== hostOf(url)) {
		throw refusal(
			`${nameRentals(folder, before)} on ${before.url}, and not on ${url}`,
			`Say --market ${before.url}, or another --folder. If it is the same market at another address, write that into ${fileIn(folder)}.`,
		);
	}
	const machines = await calls.list();
	const own = machines.find(one => one.name === name);
	if (own !== undefined && (before === undefined || isMachine(own, before))) return;
	if (before !== undefined && (await haveEnded(calls, before, rentals))) return;
	throw refuseOther(folder, {before, name, machines});
}

/**
 * Refuses a new folder, such as one whose disk is not mounted, where the market has instances of the
 * machine that have run: theirs is another.
 */
async function refuseNew(calls: Calls, folder: string, name: string): Promise<void> {
	// The engine may have what an agent without a record of its machine kept.
	if (existsSync(containersFolder(folder))) return;
	const own = (await calls.list()).find(one => one.name === name);
	if (own === undefined) return;
	const {work} = await calls.takeWork({machines: [own.id], after: 0});
	// An instance has its API key from the market until it runs.
	const hasRun = work.find(one => !isGone(one) && (one.api_key ?? undefined) === undefined);
	if (hasRun === undefined) return;
	throw new UsageError(
		`${folder} is new, and has nothing of instance ${hasRun.instance_id}, which is rented of machine ${own.id}, ${name}: it would be made anew, empty. Nothing is offered, and what runs goes on. Mount the disk with the folder of before, or say its --folder. If that is lost, use another --name.`,
	);
}

/** Most machines of an account that a refusal names. */
const MOST_NAMED = 8;

type OtherMachine = {
	readonly before: Published | undefined;
	readonly name: string;
	readonly machines: ReadonlyArray<Pick<Published, 'id' | 'name'>>;
};

function refuseOther(folder: string, {before, name, machines}: OtherMachine): UsageError {
	const rentals = nameRentals(folder, before);
	if (before !== undefined && machines.some(one => isMachine(one, before))) {
		return refusal(
			`${rentals}, and not of ${name}`,
			`Say --name '${before.name}', or offer ${name} from another --folder.`,
		);
	}
	const names = machines.slice(0, MOST_NAMED).map(one => `'${one.name}'`);
	const missing = before === undefined ? `machine '${name}'` : 'such machine now';
	return refusal(
		`${rentals}, and the account of this key has no ${missing}`,
		`It has: ${names.join(', ') || 'none'}. Say the --name of one, or use a key of the right account. If the machine was deleted, or the market set up anew, use another --folder.`,
	);
}

/** Notes the machine in its folder, for the next start. */
export async function notePublished(folder: string, machine: Published): Promise<void> {
	const before = await readPublished(folder);
	if (before?.url === machine.url && isMachine(machine, before)) return;
	const {url, id, name} = machine;
	await replaceFile(fileIn(folder), `${JSON.stringify({url, id, name})}\n`);
}

async function readPublished(folder: string): Promise<Published | undefined> {
	const value = parseJson(await readFile(fileIn(folder), 'utf8').catch(() => ''));
	const [url, id, name] = [textAt(value, 'url'), numberAt(value, 'id'), textAt(value, 'name')];
	if (url === undefined || id === undefined || name === undefined) return undefined;
	return URL.canParse(url) ? {url, id, name} : undefined;
}

/** Ids of what the folder keeps; volumes of containers are in the engine. */
type Rentals = Readonly<Record<'containers' | 'sandboxes' | 'volumes', readonly number[]>>;

async function readRentals(folder: string): Promise<Rentals> {
	const volumes = await readdir(join(folder, 'volumes')).catch(() => []);
	return {
		containers: await listInstanceIds(containersFolder(folder)),
		sandboxes: await listInstanceIds(folder),
		volumes: idsIn(volumes),
	};
}

/** True if the market says of all rentals that they have ended, as those of a deleted machine. */
async function haveEnded(calls: Calls, {id}: Published, rentals: Rentals): Promise<boolean> {
	// Work after a revision includes the orders to remove what has ended.
	const {work, volumes} = await calls.takeWork({machines: [id], after: 1});
	const instanceIds = new Set(work.filter(isGone).map(one => one.instance_id));
	const volumeIds = new Set(volumes.filter(isGone).map(one => one.volume_id));
	const {containers, sandboxes} = rentals;
	return (
		[...containers, ...sandboxes].every(one => instanceIds.has(one)) &&
		rentals.volumes.every(one => volumeIds.has(one))
	);
}

/**
 * Need for a container engine. Another runtime than before would make all that is rented anew, empty.
 *
 * @throws UsageError for another runtime than before
 */
export async function findEngineNeed(
	folder: string,
	runtime: RuntimeKind | 'room',
): Promise<'needed' | 'possible' | 'none'> {
	const {containers, sandboxes, volumes} = await readRentals(folder);
	const hasContainers = containers.length > 0;
	const hasSandboxes = sandboxes.length + volumes.length > 0;
	if (runtime === 'auto') {
		if (hasContainers) return 'needed';
		if (hasSandboxes) return 'none';
		// The engine of an earlier agent may have volumes.
		return existsSync(containersFolder(folder)) ? 'needed' : 'possible';
	}
	const isContainer = runtime === 'container';
	const [kept, others] = isContainer
		? [hasContainers, hasSandboxes]
		: [hasSandboxes, hasContainers];
	if (others && !kept) throw wrongRuntime(folder, runtime);
	return isContainer ? 'needed' : 'none';
}

function wrongRuntime(folder: string, runtime: string): UsageError {
	const kind = runtime === 'container' ? 'sandboxes' : 'containers';
	return new UsageError(
		`${folder} keeps what is rented as ${kind}, and --runtime ${runtime} would make it anew, empty. Nothing is offered, and what runs goes on. Leave --runtime out, or use another --folder, until nothing is rented: rentty host drain.`,
	);
}

/** Error of a start without the container engine that it needs. */
export function missingEngine(folder: string, runtime: RuntimeKind | 'room'): Error {
	const why = 'No container engine answers here: neither Docker nor Podman has a socket';
	if (runtime === 'container') return new Error(`${why}.`);
	return new Error(
		`${why}, and ${folder} keeps what is rented as containers. Nothing is offered, and what runs goes on. Start the engine. If nothing is rented, another --runtime can be had.`,
	);
}

/** Error of a start without the engine of what the folder keeps, while others answer. */
export function otherEngine(folder: string, strangers: readonly string[]): Error {
	const own = containersFolder(folder);
	return new UsageError(
		`${folder} keeps what is rented as containers of another engine than ${strangers.join(' and ')}, which would make it anew, empty. Nothing is offered, and what runs goes on. Start the engine that ${engineFile(own)} names, or set DOCKER_HOST to its socket, and keep the folder where it was. If nothing is rented any more, remove ${own}.`,
	);
}

function isGone({wanted}: {readonly wanted: string}): boolean {
	return wanted === 'gone';
}

function isMachine(one: Pick<Published, 'id' | 'name'>, other: Published): boolean {
	return one.id === other.id && one.name === other.name;
}

/** Address of a market without its scheme: one that gets TLS is the same market. */
function hostOf(url: string): string {
	return new URL(url).host;
}

function nameRentals(folder: string, machine: Published | undefined): string {
	const whose =
		machine === undefined ? 'an earlier machine' : `machine ${machine.id}, ${machine.name}`;
	return `${folder} keeps what is rented of ${whose}`;
}

function refusal(why: string, advice: string): UsageError {
	return new UsageError(
		`${why}: it would be removed. Nothing is offered, and what runs goes on. ${advice}`,
	);
}
