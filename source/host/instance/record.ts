/** Records of instances, by which the next agent finds them, and the lock of their folder. */
import {randomUUID} from 'node:crypto';
import {readFile, rename, writeFile, link, mkdir, open, rm} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {at, fieldsOf, listOf, numberAt, textAt, parseJson} from '../../contract/grammar/json.ts';
import {codeOf} from '../../contract/rules/thrown.ts';
import {type ProcessName, isProcessRunning, processName} from '../machine/processes.ts';
import type {Ports} from './ports.ts';

/** Bytes transferred through the network of an instance. */
export type Traffic = {readonly up: number; readonly down: number};

export const noTraffic: Traffic = {up: 0, down: 0};

export type InstanceRecord = {
	/** Start and container of the instance; 0 before the first start. */
	readonly boot: number;
	readonly container: number;
	/** Serial of the instance in the market; undefined for one of an earlier version. */
	readonly serial: string | undefined;
	/** True from a start to a stop. */
	readonly isStarted: boolean;
	/** Boot id of the machine at the start, which no process outlives. */
	readonly machineStart: string;
	/** Private host key of the SSH server, empty before the first one, and the server's port. */
	readonly hostKey: string;
	readonly port: number;
	readonly ports: Ports;
	/** The instance's API key, which the market sends only once. */
	readonly apiKey: string | undefined;
	/** Traffic of its network in earlier starts, which engines forget. */
	readonly traffic: Traffic;
	/** Traffic in the last start, as last measured: it may end while no agent runs. */
	readonly startTraffic: Traffic;
	/** Label of all processes of a sandbox: an environment variable. */
	readonly mark: string;
	/** Root process of a sandbox, above its program; undefined during a start. */
	readonly root: ProcessName | undefined;
	/** Programs of the instance's own network: its holder, and slirp4netns as its way out. */
	readonly network: {readonly holder: ProcessName; readonly way: ProcessName} | undefined;
	readonly groups: readonly string[];
};

export function newRecord(apiKey?: string | null): InstanceRecord {
	return {
		boot: 0,
		container: 0,
		serial: undefined,
		isStarted: false,
		machineStart: '',
		hostKey: '',
		port: 0,
		ports: [],
		apiKey: apiKey ?? undefined,
		traffic: noTraffic,
		startTraffic: noTraffic,
		mark: newLabel(),
		root: undefined,
		network: undefined,
		groups: [],
	};
}

function newLabel(): string {
	return `RENTTY_ROOM=${randomUUID()}`;
}

/**
 * Replaces the file as a whole, so that an agent killed meanwhile leaves the earlier record, and so
 * does a machine that loses its power.
 */
export async function writeRecord(file: string, record: InstanceRecord): Promise<void> {
	{
		await using draft = await open(`${file}.new`, 'w', 0o600);
		await draft.writeFile(JSON.stringify(record));
		await draft.sync();
	}
	await rename(`${file}.new`, file);
}

/**
 * The record in a file; undefined if missing or damaged.
 *
 * @throws Error if it exists and cannot be read now
 */
export async function readRecord(file: string): Promise<InstanceRecord | undefined> {
	const text = await readFile(file, 'utf8').catch((error: unknown) => {
		if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return '';
		throw error;
	});
	return parseRecord(parseJson(text));
}

/** Reads a record, also one of an earlier version: instances survive an upgrade. */
export function parseRecord(value: unknown): InstanceRecord | undefined {
	const hostKey = textAt(value, 'hostKey');
	if (hostKey === undefined) return undefined;
	return {
		boot: numberAt(value, 'boot') ?? 0,
		container: numberAt(value, 'container') ?? 0,
		serial: textAt(value, 'serial'),
		isStarted: at(value, 'isStarted') === true,
		machineStart: textAt(value, 'machineStart') ?? '',
		hostKey,
		port: numberAt(value, 'port') ?? numberAt(value, 'doorPort') ?? 0,
		ports: parsePorts(at(value, 'ports')),
		apiKey: textAt(value, 'apiKey'),
		traffic: parseTraffic(at(value, 'traffic')),
		startTraffic: parseTraffic(at(value, 'startTraffic')),
		// An empty label would match every process of the machine.
		mark: textAt(value, 'mark') || newLabel(),
		root: parseName(at(value, 'root')),
		network: parseNetwork(at(value, 'network')),
		groups: listOf(at(value, 'groups')).filter(one => typeof one === 'string'),
	};
}

function parseTraffic(value: unknown): Traffic {
	return {up: numberAt(value, 'up') ?? 0, down: numberAt(value, 'down') ?? 0};
}

function parsePorts(value: unknown): Ports {
	const pairs = Array.isArray(value)
		? value.map((pair: unknown) => [at(pair, '0'), at(pair, '1')])
		: Object.entries(fieldsOf(value));
	return pairs.flatMap(([inside, outside]) =>
		typeof inside === 'string' && typeof outside === 'number' ? [[inside, outside] as const] : [],
	);
}

function parseNetwork(value: unknown): InstanceRecord['network'] {
	const [holder, way] = [parseName(at(value, 'holder')), parseName(at(value, 'way'))];
	return holder === undefined || way === undefined ? undefined : {holder, way};
}

function parseName(value: unknown): ProcessName | undefined {
	const [pid, startTime] = [numberAt(value, 'pid'), numberAt(value, 'startTime')];
	return pid === undefined || startTime === undefined ? undefined : {pid, startTime};
}

export class FolderInUse extends Error {
	override readonly name = 'FolderInUse';
}

const NAME = 'agent.lock';

/**
 * Locks a folder, made if missing, and returns a function that unlocks it.
 *
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	const file = join(folder, NAME);
	const text = JSON.stringify(await processName(process.pid));
	if (!(await isMade(file, text))) {
		if (await isInUse(folder)) throw new FolderInUse(`another rentty works in ${folder}`);
		// The lock is left over from an agent that was killed.
		await rm(file, {force: true});
		const isOwn = (await isMade(file, text)) && (await stays(file, text));
		if (!isOwn) throw new FolderInUse(`another rentty works in ${folder}`);
	}
	return async () => rm(file, {force: true});
}

export async function isInUse(folder: string): Promise<boolean> {
	try {
		const owner = parseName(JSON.parse(await readFile(join(folder, NAME), 'utf8')));
		if (owner === undefined) return false;
		return owner.startTime === 0 ? isAlive(owner.pid) : await isProcessRunning(owner);
	} catch {
		return false;
	}
}

/**
 * True if a process runs, by its id alone, for systems without start times.
 */
function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const SETTLING_MS = 100;

/** True if the lock is still ours: another agent may also have removed it as left over. */
async function stays(file: string, text: string): Promise<boolean> {
	await sleep(SETTLING_MS);
	return (await readFile(file, 'utf8').catch(() => '')) === text;
}

/** Creates a file with its text atomically; false if it exists. */
async function isMade(file: string, text: string): Promise<boolean> {
	const written = `${file}.${process.pid}`;
	await writeFile(written, text, {mode: 0o600});
	try {
		await link(written, file);
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	} finally {
		await rm(written, {force: true});
	}
}
