/** What is kept of an instance in a file, so that it is found again whatever happens to the agent. */
import {readFile, rename, writeFile} from 'node:fs/promises';
import type {Network} from '../sandbox/own-network.ts';
import type {ProcessName} from '../machine/processes.ts';

export type InstanceRecord = {
	readonly boot: number;
	readonly container: number;
	/** Whether it was started and not stopped since. */
	readonly isStarted: boolean;
	/** The machine's start in which it was started: no process outlives that. */
	readonly machineStart: string;
	/** What all its processes are known by. */
	readonly mark: string;
	/** The process above its workload; undefined while it is being started. */
	readonly root: ProcessName | undefined;
	/** The private key that its door is known by. */
	readonly hostKey: string;
	readonly port: number;
	/** Its other ports, as it was told of them. */
	readonly ports: ReadonlyArray<readonly [inside: string, outside: number]>;
	/** A network of its own: the programs that it goes with. */
	readonly network: Network | undefined;
	/** The control groups that it is limited by. */
	readonly groups: readonly string[];
	/** Its own API key, which a host is told only once. */
	readonly apiKey: string | undefined;
};

/** It is whole or not there at all: whoever is killed while writing leaves the one before. */
export async function writeRecord(file: string, record: InstanceRecord): Promise<void> {
	await writeFile(`${file}.new`, JSON.stringify(record), {mode: 0o600});
	await rename(`${file}.new`, file);
}

/** What was kept; undefined where there is nothing that can be read. */
export async function readRecord(file: string): Promise<InstanceRecord | undefined> {
	try {
		return parseRecord(JSON.parse(await readFile(file, 'utf8')));
	} catch {
		return undefined;
	}
}

function parseRecord(value: unknown): InstanceRecord | undefined {
	const {boot, container, isStarted, machineStart, mark, ...rest} = fieldsOf(value);
	const {hostKey, port, ports, network, groups, apiKey, root} = rest;
	if (typeof boot !== 'number' || typeof container !== 'number') return undefined;
	if (typeof isStarted !== 'boolean' || typeof machineStart !== 'string') return undefined;
	if (typeof mark !== 'string' || mark === '') return undefined;
	return {
		boot,
		container,
		isStarted,
		machineStart,
		mark,
		root: parseName(root),
		hostKey: typeof hostKey === 'string' ? hostKey : '',
		port: typeof port === 'number' ? port : 0,
		ports: parsePorts(ports),
		network: parseNetwork(network),
		groups: parseTexts(groups),
		apiKey: typeof apiKey === 'string' ? apiKey : undefined,
	};
}

function parsePorts(value: unknown): InstanceRecord['ports'] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((pair: unknown) => {
		const {0: inside, 1: outside} = fieldsOf(pair);
		return typeof inside === 'string' && typeof outside === 'number'
			? [[inside, outside] as const]
			: [];
	});
}

function parseNetwork(value: unknown): Network | undefined {
	const {holder, way} = fieldsOf(value);
	const [one, other] = [parseName(holder), parseName(way)];
	return one === undefined || other === undefined ? undefined : {holder: one, way: other};
}

function parseTexts(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}

export function parseName(value: unknown): ProcessName | undefined {
	const {pid, startTime} = fieldsOf(value);
	return typeof pid === 'number' && typeof startTime === 'number' ? {pid, startTime} : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? {...value} : {};
}
