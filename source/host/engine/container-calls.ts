/** Engine calls about containers, their volumes and networks. Removing a missing object succeeds. */
import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import {createHash} from 'node:crypto';
import {at, fieldsOf, listOf, numberAt, textAt} from '../../contract/grammar/json.ts';
import {plainBytes} from './exec.ts';
import {PIPES_PATH} from './exec-pipes.ts';
import {EngineError, type Engine, type EngineRequest} from './engine.ts';
import type {InstanceUsage} from '../../contract/nouns/host-work.ts';
import type {Traffic} from '../instance/record.ts';

export type FoundContainer = {
	readonly id: string;
	readonly isRunning: boolean;
	readonly isPaused: boolean;
	/** Pid of its first process on this machine; undefined if none is visible. */
	readonly pid: number | undefined;
	readonly wasStarted: boolean;
	readonly exitCode: number | undefined;
	readonly ranOutOfMemory: boolean;
	readonly address: string | undefined;
	/** Folders of this machine, and their paths inside. */
	readonly mounts: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Folder of this machine for the pipes of commands; undefined for an older container. */
	readonly pipes: string | undefined;
	readonly labels: Readonly<Record<string, unknown>>;
	/** Bytes written to its own disk, if they were requested. */
	readonly writtenBytes: number | undefined;
};

/** A container by its name or id; undefined if missing. */
export async function findContainer(
	engine: Engine,
	name: string,
	options: {readonly withSize?: boolean} = {},
): Promise<FoundContainer | undefined> {
	const query = options.withSize === true ? {size: 'true'} : {};
	const path = `/containers/${name}/json`;
	return readFound(await undefinedIf404(engine.ask({method: 'GET', path, query})));
}

export function readFound(about: unknown): FoundContainer | undefined {
	const id = textAt(about, 'Id');
	if (id === undefined) return undefined;
	const networks = Object.values(fieldsOf(at(about, 'NetworkSettings', 'Networks')));
	const mounts = listOf(at(about, 'Mounts')).flatMap(mount => {
		const folder = textAt(mount, 'Source');
		const path = textAt(mount, 'Destination');
		return folder === undefined || path === undefined ? [] : [{folder, path}];
	});
	const addresses = networks.map(network => textAt(network, 'IPAddress') ?? '');
	return {
		id,
		isRunning: at(about, 'State', 'Running') === true,
		isPaused: at(about, 'State', 'Paused') === true,
		pid: numberAt(about, 'State', 'Pid') || undefined,
		wasStarted: wasEverStarted(about),
		exitCode: numberAt(about, 'State', 'ExitCode'),
		ranOutOfMemory: at(about, 'State', 'OOMKilled') === true,
		address: addresses.find(address => address !== ''),
		mounts: mounts.filter(({path}) => path !== PIPES_PATH),
		pipes: mounts.find(({path}) => path === PIPES_PATH)?.folder,
		labels: fieldsOf(at(about, 'Config', 'Labels')),
		writtenBytes: numberAt(about, 'SizeRw'),
	};
}

/** True if a container was started before, and so has files of its renter. */
function wasEverStarted(about: unknown): boolean {
	const startedAt = textAt(about, 'State', 'StartedAt');
	if (startedAt !== undefined) return !startedAt.startsWith('0001-') && startedAt !== '';
	return !['created', 'configured'].includes(textAt(about, 'State', 'Status') ?? '');
}

/** The labels of all containers that have one of them. */
export async function listContainers(
	engine: Engine,
	label: string,
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
	const filters = JSON.stringify({label: [label]});
	const query = {all: 'true', filters};
	const found = await engine.ask({method: 'GET', path: '/containers/json', query});
	return listOf(found).map(one => fieldsOf(at(one, 'Labels')));
}

export async function createContainer(engine: Engine, name: string, body: unknown): Promise<void> {
	await engine.ask({method: 'POST', path: '/containers/create', query: {name}, body});
}

/** Makes a container by Podman's own API. */
export async function createOwn(engine: Engine, body: unknown): Promise<void> {
	await engine.ask({method: 'POST', path: '/v4.0.0/libpod/containers/create', body});
}

/** Has Podman set up a container, with its network, without running a program in it. */
export async function initContainer(engine: Engine, name: string): Promise<void> {
	await engine.ask({method: 'POST', path: `/v4.0.0/libpod/containers/${name}/init`});
}

export async function startContainer(engine: Engine, name: string): Promise<void> {
	await engine.ask({method: 'POST', path: `/containers/${name}/start`});
}

/** @param graceMs Time for the processes to end by themselves. */
export async function stopContainer(engine: Engine, name: string, graceMs = 10_000): Promise<void> {
	const query = {t: String(Math.ceil(graceMs / 1000))};
	await undefinedIf404(engine.ask({method: 'POST', path: `/containers/${name}/stop`, query}));
}

export async function removeContainer(engine: Engine, name: string): Promise<void> {
	const query = {force: 'true', v: 'true'};
	// Kill first: some engines would wait for the container to end. Fails for a stopped one.
	await engine.ask({method: 'POST', path: `/containers/${name}/kill`}).catch(() => undefined);
	await undefinedIf404(engine.ask({method: 'DELETE', path: `/containers/${name}`, query}));
}

/** Interval at which an engine is asked again about a container's end: it may never reply. */
const WAITING_MS = 60_000;

/** Fulfils when a container has stopped, or at the latest after a while. */
export async function waitForContainerEnd(
	engine: Engine,
	name: string,
	signal: AbortSignal,
	longestMs = WAITING_MS,
): Promise<void> {
	const path = `/containers/${name}/wait`;
	const lapse = AbortSignal.timeout(longestMs);
	const either = AbortSignal.any([signal, lapse]);
	await engine
		.ask({method: 'POST', path, signal: either, patienceMs: 0})
		.catch((error: unknown) => {
			if (!lapse.aborted) throw error;
		});
}

const LONGEST_LOG = 16 * 1024 * 1024;

export async function readContainerLog(
	engine: Engine,
	name: string,
	lines: number,
): Promise<string> {
	const query = {stdout: 'true', stderr: 'true', tail: String(lines)};
	const question: EngineRequest = {method: 'GET', path: `/containers/${name}/logs`, query};
	return plainBytes(await engine.bytes(question, LONGEST_LOG)).toString('utf8');
}

/** Makes a volume, unless it exists. */
export async function keepVolume(
	engine: Engine,
	name: string,
	labels: Readonly<Record<string, string>>,
): Promise<void> {
	const found = await undefinedIf404(engine.ask({method: 'GET', path: `/volumes/${name}`}));
	if (textAt(found, 'Name') === name) return;
	const body = {Name: name, Driver: 'local', Labels: labels};
	await engine.ask({method: 'POST', path: '/volumes/create', body});
}

/**
 * Folder of this machine with a volume's files.
 *
 * @throws Error if the engine stores it elsewhere, or the agent may not read it.
 */
export async function findVolumeFolder(engine: Engine, name: string): Promise<string> {
	const found = await engine.ask({method: 'GET', path: `/volumes/${name}`});
	const folder = textAt(found, 'Mountpoint');
	if (folder === undefined) throw new Error('the engine does not say where its volumes are');
	await access(folder, constants.R_OK | constants.X_OK);
	return folder;
}

export async function removeVolume(engine: Engine, name: string): Promise<void> {
	await undefinedIf404(engine.ask({method: 'DELETE', path: `/volumes/${name}`}));
}

/** The names of all volumes that have a label. */
export async function listVolumes(engine: Engine, label: string): Promise<readonly string[]> {
	const query = {filters: JSON.stringify({label: [label]})};
	const found = await engine.ask({method: 'GET', path: '/volumes', query});
	return listOf(at(found, 'Volumes')).flatMap(one => textAt(one, 'Name') ?? []);
}

const NOT_FOUND = 404;

export async function undefinedIf404(answer: Promise<unknown>): Promise<unknown> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof EngineError && error.status === NOT_FOUND) return undefined;
		throw error;
	}
}

type Labels = Readonly<Record<string, string>>;

/** Makes a container's own network, unless it exists. */
export async function ensureNetwork(engine: Engine, name: string, labels: Labels): Promise<void> {
	const found = await undefinedIf404(engine.ask({method: 'GET', path: `/networks/${name}`}));
	if (textAt(found, 'Name') === name) return;
	if (!engine.isPodman) {
		const body = {Name: name, Driver: 'bridge', Labels: labels};
		await engine.ask({method: 'POST', path: '/networks/create', body});
		return;
	}
	const body = {
		name,
		driver: 'bridge',
		labels,
		network_interface: `rt${createHash('sha256').update(name).digest('hex').slice(0, 12)}`,
		// The name server of such a network would run on the machine.
		dns_enabled: false,
	};
	const make = async (options: Labels) => {
		const path = '/v4.0.0/libpod/networks/create';
		await engine.ask({method: 'POST', path, body: {...body, options}});
	};
	// Older versions do not know this option: there, the firewall alone isolates the container.
	await make({isolate: 'true'}).catch(async (error: unknown) => {
		if (!(error instanceof EngineError) || !error.message.includes('isolate')) throw error;
		await make({});
	});
}

export async function removeNetwork(engine: Engine, name: string): Promise<void> {
	await undefinedIf404(engine.ask({method: 'DELETE', path: `/networks/${name}`}));
}

export async function listNetworks(
	engine: Engine,
	label: string,
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
	const query = {filters: JSON.stringify({label: [label]})};
	const found = await engine.ask({method: 'GET', path: '/networks', query});
	return listOf(found).map(one => fieldsOf(at(one, 'Labels')));
}

const GIGABYTE = 1e9;

/**
 * Usage by `GET /containers/{id}/stats`, the CPU as a share of the whole machine's. Unknown figures
 * are left out.
 */
export function readStatsUsage(stats: unknown): InstanceUsage {
	const cpu = cpuOf(stats);
	const used = memoryOf(stats);
	const limit = numberAt(stats, 'memory_stats', 'limit');
	return {
		...(cpu !== undefined && {cpu_util: cpu}),
		...(used !== undefined && {mem_usage: used / GIGABYTE}),
		// Without a limit, an engine reports an impossibly large number.
		...(limit !== undefined && limit > 0 && limit < 1e15 && {mem_limit: limit / GIGABYTE}),
	};
}

/** Traffic of its network since its start; undefined without one, as of an ended container. */
export function readStatsTraffic(stats: unknown): Traffic | undefined {
	const networks = Object.values(fieldsOf(at(stats, 'networks')));
	if (networks.length === 0) return undefined;
	const sum = (name: string) =>
		networks.reduce<number>((all, one) => all + Math.max(0, numberAt(one, name) ?? 0), 0);
	return {up: Math.floor(sum('tx_bytes')), down: Math.floor(sum('rx_bytes'))};
}

function cpuOf(stats: unknown): number | undefined {
	const grown = (...path: readonly string[]) => {
		const later = numberAt(stats, 'cpu_stats', ...path);
		const earlier = numberAt(stats, 'precpu_stats', ...path);
		return later === undefined || earlier === undefined ? undefined : later - earlier;
	};
	const own = grown('cpu_usage', 'total_usage');
	const all = grown('system_cpu_usage');
	if (own === undefined || all === undefined || all <= 0) return undefined;
	return Math.min(100, Math.max(0, (own / all) * 100));
}

/** Memory in use, without the page cache. */
function memoryOf(stats: unknown): number | undefined {
	const used = numberAt(stats, 'memory_stats', 'usage');
	if (used === undefined) return undefined;
	const details = at(stats, 'memory_stats', 'stats');
	const spare = numberAt(details, 'total_inactive_file') ?? numberAt(details, 'inactive_file') ?? 0;
	return Math.max(0, used - spare);
}
