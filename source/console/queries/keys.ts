/** Queries about keys. */
import type {QueryClient} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import {findLocalKeys} from '../../renter/connect/keys.ts';
import {checkConnection} from '../../renter/profiles/check.ts';
import type {Environment} from '../ui/theme.ts';
import type {ApiKeys} from '../../client/nouns/api-keys.ts';
import type {SshKeys} from '../../client/nouns/ssh-keys.ts';
import {noneUnreadable} from '../../contract/grammar/unreadable.ts';
import type {ReadList} from '../list/unreadable.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

/** Prefix of all queries about keys: a change makes all of them stale. */
export const keysKey = ['keys'] as const;

const apiKeysKey = [...keysKey, 'api'] as const;
const sshKeysKey = [...keysKey, 'ssh'] as const;

/** Unreadable records of the last lists. */
export function unreadKeys(live: QueryClient): readonly ReadList[] {
	const {unreadable: api = noneUnreadable} = live.getQueryData<ApiKeys>(apiKeysKey) ?? {};
	const {unreadable: ssh = noneUnreadable} = live.getQueryData<SshKeys>(sshKeysKey) ?? {};
	return [
		{unreadable: api, noun: 'API keys'},
		{unreadable: ssh, noun: 'SSH keys'},
	];
}

export function apiKeysQuery(client: ClientSource) {
	return {
		queryKey: apiKeysKey,
		queryFn: async ({signal}: Signal) => (await client()).apiKeys.list({signal}),
	};
}

export function sshKeysQuery(client: ClientSource) {
	return {
		queryKey: sshKeysKey,
		queryFn: async ({signal}: Signal) => (await client()).sshKeys.list({signal}),
	};
}

/** The number of the key that asks; null where the service does not say it. */
export function keyInUseQuery(client: ClientSource) {
	return {
		queryKey: [...keysKey, 'in use'],
		queryFn: async ({signal}: Signal) =>
			(await (await client()).account.current({signal})).key_id ?? null,
	};
}

export function localKeysQuery(environment: Environment) {
	return {queryKey: [...keysKey, 'local'], queryFn: async () => findLocalKeys(environment)};
}

export function checkQuery(client: ClientSource, now: () => Date) {
	return {
		queryKey: [...keysKey, 'check'],
		queryFn: async () => checkConnection(await client(), () => now().getTime()),
	};
}

/** More instances than this are not asked one by one. */
const MOST_INSTANCES = 20;

/** Instances that each key may enter: ids by the text of the key's data. */
export function doorsQuery(client: ClientSource, instances: readonly number[]) {
	const asked = instances.slice(0, MOST_INSTANCES);
	return {
		queryKey: [...keysKey, 'doors', asked],
		async queryFn({signal}: Signal): Promise<ReadonlyMap<string, readonly number[]>> {
			const {instances: calls} = await client();
			const doors = new Map<string, readonly number[]>();
			for (const id of asked) {
				// One that is gone meanwhile, or not described, has no doors that are known.
				const attached = await calls.sshKeys(id, {signal}).catch(() => undefined);
				for (const {public_key: text = ''} of attached?.keys ?? []) {
					const blob = (text ?? '').split(/\s+/)[1] ?? '';
					doors.set(blob, [...(doors.get(blob) ?? []), id]);
				}
			}
			return doors;
		},
		staleTime: 60_000,
	};
}
