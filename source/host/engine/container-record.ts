/** What a host keeps of a container, so that it goes on with it after a start of its own. */
import {readFile, rename, writeFile} from 'node:fs/promises';
import {fieldsOf, numberAt, parseJson, textAt} from './answer.ts';

export type Traffic = {readonly up: number; readonly down: number};

export type ContainerRecord = {
	readonly boot: number;
	readonly container: number;
	/** Whether it was started and not stopped since. */
	readonly isStarted: boolean;
	/** The machine's start in which it was started: no container outlives that. */
	readonly machineStart: string;
	/** The private key that its door is known by, empty until it has one, and the door's port. */
	readonly hostKey: string;
	readonly doorPort: number;
	/** Its own API key, which a host is told only once. */
	readonly apiKey: string | undefined;
	/** Ports of the inside with those of the machine, the door's among them. */
	readonly ports: Readonly<Record<string, number>>;
	/** What went through its network in earlier starts, which engines forget. */
	readonly traffic: Traffic;
};

/** It is whole or not there at all: whoever is killed while writing leaves the one before. */
export async function writeContainerRecord(file: string, record: ContainerRecord): Promise<void> {
	await writeFile(`${file}.new`, JSON.stringify(record), {mode: 0o600});
	await rename(`${file}.new`, file);
}

/** What was kept; undefined where there is nothing that can be read. */
export async function readContainerRecord(file: string): Promise<ContainerRecord | undefined> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return parseContainerRecord(parseJson(text));
}

export function parseContainerRecord(value: unknown): ContainerRecord | undefined {
	const {isStarted, ports} = fieldsOf(value);
	const boot = numberAt(value, 'boot');
	const container = numberAt(value, 'container');
	const hostKey = textAt(value, 'hostKey');
	const doorPort = numberAt(value, 'doorPort');
	if (boot === undefined || container === undefined || typeof isStarted !== 'boolean') {
		return undefined;
	}
	if (hostKey === undefined || doorPort === undefined) return undefined;
	return {
		boot,
		container,
		isStarted,
		machineStart: textAt(value, 'machineStart') ?? '',
		hostKey,
		doorPort,
		apiKey: textAt(value, 'apiKey'),
		ports: Object.fromEntries(
			Object.entries(fieldsOf(ports)).filter(
				(entry): entry is [string, number] => typeof entry[1] === 'number',
			),
		),
		traffic: {
			up: numberAt(value, 'traffic', 'up') ?? 0,
			down: numberAt(value, 'traffic', 'down') ?? 0,
		},
	};
}
