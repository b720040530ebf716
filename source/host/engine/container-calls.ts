/** Engine calls about containers and volumes. Removing one that is gone already succeeds. */
import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import {at, fieldsOf, listOf, numberAt, textAt} from '../json.ts';
import {plainBytes} from './demultiplexer.ts';
import {EngineError, type Engine, type Question} from './engine.ts';

/** A container as an engine sees it. */
export type Found = {
	readonly id: string;
	readonly isRunning: boolean;
	readonly isPaused: boolean;
	/** Its first process, as this machine calls it; undefined where none is seen. */
	readonly pid: number | undefined;
	/** The container was started at least once. */
	readonly wasStarted: boolean;
	readonly exitCode: number | undefined;
	readonly ranOutOfMemory: boolean;
	readonly address: string | undefined;
	/** Folders of this machine, and where they are seen inside. */
	readonly seen: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	readonly labels: Readonly<Record<string, unknown>>;
	/** Bytes that it has written to its own disk, where they were requested. */
	readonly writtenBytes: number | undefined;
};

/** A container by its name or its id; undefined where there is none. */
export async function findContainer(
	engine: Engine,
	name: string,
	options: {readonly withSize?: boolean} = {},
): Promise<Found | undefined> {
	const query = options.withSize === true ? {size: 'true'} : {};
	const path = `/containers/${name}/json`;
	return readFound(await orNothing(engine.ask({method: 'GET', path, query})));
}

export function readFound(about: unknown): Found | undefined {
	const id = textAt(about, 'Id');
	if (id === undefined) return undefined;
	const networks = Object.values(fieldsOf(at(about, 'NetworkSettings', 'Networks')));
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
		seen: listOf(at(about, 'Mounts')).flatMap(mount => {
			const folder = textAt(mount, 'Source');
			const path = textAt(mount, 'Destination');
			return folder === undefined || path === undefined ? [] : [{folder, path}];
		}),
		labels: fieldsOf(at(about, 'Config', 'Labels')),
		writtenBytes: numberAt(about, 'SizeRw'),
	};
}

/** One that is about to start once more has been started before, and has files that are missed. */
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

/** Makes a container as Podman is told of it in its own words. */
export async function createOwn(engine: Engine, body: unknown): Promise<void> {
	await engine.ask({method: 'POST', path: '/v4.0.0/libpod/containers/create', body});
}

/** Has Podman make all that a container needs to run, without running anything in it. */
export async function initContainer(engine: Engine, name: string): Promise<void> {
	await engine.ask({method: 'POST', path: `/v4.0.0/libpod/containers/${name}/init`});
}

export async function startContainer(engine: Engine, name: string): Promise<void> {
	await engine.ask({method: 'POST', path: `/containers/${name}/start`});
}

/** @param graceMs How long what runs has to end by itself. */
export async function stopContainer(engine: Engine, name: string, graceMs = 10_000): Promise<void> {
	const query = {t: String(Math.ceil(graceMs / 1000))};
	await orNothing(engine.ask({method: 'POST', path: `/containers/${name}/stop`, query}));
}

export async function removeContainer(engine: Engine, name: string): Promise<void> {
	const query = {force: 'true', v: 'true'};
	// Some engines would let it end by itself first. One that does not run need not be killed.
	await engine.ask({method: 'POST', path: `/containers/${name}/kill`}).catch(() => undefined);
	await orNothing(engine.ask({method: 'DELETE', path: `/containers/${name}`, query}));
}

/**
 * Time until an engine is asked once more about a container's end: it may have forgotten to reply.
 */
const WAITING_MS = 60_000;

/** Fulfils when a container does not run, or after a while in any case. */
export async function waitForEnd(
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

/** The last lines of what a container has written. */
export async function readContainerLog(
	engine: Engine,
	name: string,
	lines: number,
): Promise<string> {
	const query = {stdout: 'true', stderr: 'true', tail: String(lines)};
	const question: Question = {method: 'GET', path: `/containers/${name}/logs`, query};
	return plainBytes(await engine.bytes(question, LONGEST_LOG)).toString('utf8');
}

/** Makes a volume; one that is there stays as it is. */
export async function keepVolume(
	engine: Engine,
	name: string,
	labels: Readonly<Record<string, string>>,
): Promise<void> {
	const found = await orNothing(engine.ask({method: 'GET', path: `/volumes/${name}`}));
	if (textAt(found, 'Name') === name) return;
	const body = {Name: name, Driver: 'local', Labels: labels};
	await engine.ask({method: 'POST', path: '/volumes/create', body});
}

/**
 * Folder of this machine with what is on a volume.
 *
 * @throws Error where the engine keeps it elsewhere, or the agent may not look.
 */
export async function findVolumeFolder(engine: Engine, name: string): Promise<string> {
	const found = await engine.ask({method: 'GET', path: `/volumes/${name}`});
	const folder = textAt(found, 'Mountpoint');
	if (folder === undefined) throw new Error('the engine does not say where its volumes are');
	await access(folder, constants.R_OK | constants.X_OK);
	return folder;
}

export async function removeVolume(engine: Engine, name: string): Promise<void> {
	await orNothing(engine.ask({method: 'DELETE', path: `/volumes/${name}`}));
}

const NOT_FOUND = 404;

/** Engine's reply; undefined for a 404. */
export async function orNothing(answer: Promise<unknown>): Promise<unknown> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof EngineError && error.status === NOT_FOUND) return undefined;
		throw error;
	}
}
