/**
 * Facts that most commands ask the service for: kept for a minute over processes, so that a script that rents
 * many asks once. Each is kept only where an old one errs on the careful side.
 */
import type {Client} from '../../client/client.ts';
import {fieldsOf, listOf} from '../../contract/grammar/json.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import {replaceFileNow} from '../../client/files/files.ts';
import {isRegistered} from '../../renter/connect/keys.ts';
import {readKeptJson, serviceFile, serviceId} from '../../renter/files/kept-file.ts';
import {readOwnMachines} from '../../renter/offers/search.ts';
import type {Context} from './command.ts';

const KEPT_MS = 60_000;

export type RecentAsking = Pick<Context, 'folders' | 'service' | 'now' | 'signal'>;

/** Names of the service's GPUs; none if it lists none. */
export async function recentGpuNames(
	asking: RecentAsking,
	client: Client,
): Promise<readonly string[]> {
	const gpuNames = recall(asking, 'gpuNames');
	if (gpuNames !== undefined) return listOf(gpuNames).filter(name => typeof name === 'string');
	try {
		const {names} = await client.offers.gpuNames({signal: asking.signal});
		keep(asking, 'gpuNames', names);
		return names;
	} catch {
		asking.signal.throwIfAborted();
		return [];
	}
}

/** Machines of the account; that it has none is kept: one that came since is priced as others' are. */
export async function recentOwnMachines(
	asking: RecentAsking,
	client: Client,
): Promise<readonly Machine[]> {
	if (recall(asking, 'hasNoMachines') === true) return [];
	const machines = await readOwnMachines(client, asking.signal);
	if (machines.length === 0) keep(asking, 'hasNoMachines', true);
	return machines;
}

/** False if the account surely has no SSH key; that it has one is kept. */
export async function mayHaveKey(asking: RecentAsking, client: Client): Promise<boolean> {
	if (recall(asking, 'hasKey') === true) return true;
	try {
		const {keys, unreadable} = await client.sshKeys.list({signal: asking.signal});
		const hasKey = keys.some(isRegistered);
		if (hasKey) keep(asking, 'hasKey', true);
		return hasKey || unreadable.count > 0;
	} catch {
		asking.signal.throwIfAborted();
		// The service checks the keys of one that may not list them.
		return true;
	}
}

/** Forgets that the account has an SSH key, after one was removed. */
export function forgetKeys(asking: RecentAsking): void {
	keep(asking, 'hasKey', false);
}

function fileOf({folders, service}: RecentAsking): string {
	return serviceFile(folders.state, 'recent', service());
}

type Kept = {readonly at: number; readonly value: unknown};

function readAll(asking: RecentAsking): Readonly<Record<string, Kept>> {
	const {service, facts} = fieldsOf(readKeptJson(fileOf(asking)));
	if (service !== serviceId(asking.service())) return {};
	return Object.fromEntries(
		Object.entries(fieldsOf(facts)).flatMap(([name, kept]) => {
			const {at, value} = fieldsOf(kept);
			const age = typeof at === 'number' ? asking.now() - at : -1;
			return typeof at === 'number' && age >= 0 && age < KEPT_MS
				? [[name, {at, value}] as const]
				: [];
		}),
	);
}

function recall(asking: RecentAsking, name: string): unknown {
	return readAll(asking)[name]?.value;
}

function keep(asking: RecentAsking, name: string, value: unknown): void {
	const facts = {...readAll(asking), [name]: {at: asking.now(), value}};
	try {
		replaceFileNow(fileOf(asking), JSON.stringify({service: serviceId(asking.service()), facts}));
	} catch {
		// Without the file, each command asks the service.
	}
}
