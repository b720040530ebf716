/** Record of an instance in a file, so that it is found again whatever happens to the agent. */
import {randomUUID} from 'node:crypto';
import {readFile, rename, writeFile} from 'node:fs/promises';
import {at, fieldsOf, listOf, numberAt, parseJson, textAt} from '../json.ts';
import type {ProcessName} from '../machine/processes.ts';
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
	/** The private key that its door is known by, empty until it has one, and the door's port. */
	readonly hostKey: string;
	readonly port: number;
	/** Ports of the inside with those of the machine. */
	readonly ports: Ports;
	/** Its own API key, which a host is told only once. */
	readonly apiKey: string | undefined;
	/** Traffic of its network in earlier starts, which engines forget. */
	readonly traffic: Traffic;
	/** The variable that all processes of a sandbox are known by. */
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
		mark: newMark(),
		root: undefined,
		network: undefined,
		groups: [],
	};
}

function newMark(): string {
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
		mark: textAt(value, 'mark') || newMark(),
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

export function parseName(value: unknown): ProcessName | undefined {
	const [pid, startTime] = [numberAt(value, 'pid'), numberAt(value, 'startTime')];
	return pid === undefined || startTime === undefined ? undefined : {pid, startTime};
}
