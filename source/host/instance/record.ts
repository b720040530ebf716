/** Records in files, by which an agent finds the instances of the one before, and which agent has a folder. */
import {randomUUID} from 'node:crypto';
import {readFile, rename, writeFile, link, mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {at, fieldsOf, listOf, numberAt, textAt, parseJson} from '../../contract/grammar/json.ts';
import {type ProcessName, isRunning, processName} from '../machine/processes.ts';
import type {Ports} from './ports.ts';

/** Bytes that went through the network of an instance. */
export type Traffic = {readonly up: number; readonly down: number};

export type InstanceRecord = {
	/** The start and the container that it is of; 0 where nothing was started yet. */
	readonly boot: number;
	readonly container: number;
	/** It was started and not stopped since. */
	readonly isStarted: boolean;
	/** The machine's start in which it was started: no process outlives that. */
	readonly machineStart: string;
	/** The private host key of its SSH server, empty until it has one, and the server's port. */
	readonly hostKey: string;
	readonly port: number;
	/** Ports of the inside with those of the machine. */
	readonly ports: Ports;
	/** Its own API key, which a host is told only once. */
	readonly apiKey: string | undefined;
	/** Traffic of its network in earlier starts, which engines forget. */
	readonly traffic: Traffic;
	/** The label of all processes of a sandbox: a variable that they are started with. */
	readonly mark: string;
	/** The process above the program of a sandbox; undefined while it is being started. */
	readonly root: ProcessName | undefined;
	/** The programs that a network of its own goes with: the one that holds it, and the way out. */
	readonly network: {readonly holder: ProcessName; readonly way: ProcessName} | undefined;
	/** The control groups that a sandbox is limited by. */
	readonly groups: readonly string[];
};

/** The record of an instance that is there for the first time. */
export function newRecord(apiKey?: string | null): InstanceRecord {
	return {
		boot: 0,
		container: 0,
		isStarted: false,
		machineStart: '',
		hostKey: '',
		port: 0,
		ports: [],
		apiKey: apiKey ?? undefined,
		traffic: {up: 0, down: 0},
		mark: newLabel(),
		root: undefined,
		network: undefined,
		groups: [],
	};
}

function newLabel(): string {
	return `RENTTY_ROOM=${randomUUID()}`;
}

/** Replaces the file as a whole: an agent that is killed while it writes leaves the record before. */
export async function writeRecord(file: string, record: InstanceRecord): Promise<void> {
	await writeFile(`${file}.new`, JSON.stringify(record), {mode: 0o600});
	await rename(`${file}.new`, file);
}

/** The record in a file; undefined where there is none that can be read. */
export async function readRecord(file: string): Promise<InstanceRecord | undefined> {
	return parseRecord(parseJson(await readFile(file, 'utf8').catch(() => '')));
}

/** Also reads what agents of earlier versions wrote: instances go on while their agent is upgraded. */
export function parseRecord(value: unknown): InstanceRecord | undefined {
	const hostKey = textAt(value, 'hostKey');
	if (hostKey === undefined) return undefined;
	return {
		boot: numberAt(value, 'boot') ?? 0,
		container: numberAt(value, 'container') ?? 0,
		isStarted: at(value, 'isStarted') === true,
		machineStart: textAt(value, 'machineStart') ?? '',
		hostKey,
		port: numberAt(value, 'port') ?? numberAt(value, 'doorPort') ?? 0,
		ports: parsePorts(at(value, 'ports')),
		apiKey: textAt(value, 'apiKey'),
		traffic: {
			up: numberAt(value, 'traffic', 'up') ?? 0,
			down: numberAt(value, 'traffic', 'down') ?? 0,
		},
		// An empty one would be found in every process of the machine.
		mark: textAt(value, 'mark') || newLabel(),
		root: parseName(at(value, 'root')),
		network: parseNetwork(at(value, 'network')),
		groups: listOf(at(value, 'groups')).filter(one => typeof one === 'string'),
	};
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

/** Another agent has the folder. */
export class FolderInUse extends Error {
	override readonly name = 'FolderInUse';
}

const NAME = 'agent.lock';

/**
 * Takes a folder, which is made where it is not there, and answers how it is let go of.
 *
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	const file = join(folder, NAME);
	const text = JSON.stringify(await processName(process.pid));
	if (!(await isMade(file, text))) {
		if (await isInUse(folder)) throw new FolderInUse(`another rentty works in ${folder}`);
		// Whoever had it was killed.
		await rm(file, {force: true});
		const isOwn = (await isMade(file, text)) && (await stays(file, text));
		if (!isOwn) throw new FolderInUse(`another rentty works in ${folder}`);
	}
	return async () => rm(file, {force: true});
}

/** True if an agent holds the folder. */
export async function isInUse(folder: string): Promise<boolean> {
	try {
		const owner = parseName(JSON.parse(await readFile(join(folder, NAME), 'utf8')));
		if (owner === undefined) return false;
		return owner.startTime === 0 ? isAlive(owner.pid) : await isRunning(owner);
	} catch {
		return false;
	}
}

/**
 * True if a process runs. Where the system does not tell its start time, its id is all there is.
 */
function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const SETTLING_MS = 100;

/** Another one may have found it left behind in the same moment, and removed it once more. */
async function stays(file: string, text: string): Promise<boolean> {
	await sleep(SETTLING_MS);
	return (await readFile(file, 'utf8').catch(() => '')) === text;
}

/** Makes a file with its text in it at once, unless it is there. */
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
