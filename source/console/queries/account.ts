/** Queries about the account: its charges, keys, machines and volumes. */
import type {QueryClient} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import type {BillingRecord} from '../../contract/nouns/billing.ts';
import {
	joinUnreadable,
	noneUnreadable,
	type Unreadable,
} from '../../contract/grammar/unreadable.ts';
import {fieldsOf} from '../../contract/grammar/json.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import {findLocalKeys} from '../../renter/connect/keys.ts';
import {checkConnection, triedIn} from '../../renter/profiles/check.ts';
import type {TerminalEnvironment} from '../ui/theme.ts';
import type {ApiKeys, SshKeys} from '../../client/nouns/keys.ts';
import type {ReadList} from '../list/unreadable.ts';
import type {FleetState} from '../../renter/fleet/fleet-state.ts';
import {createStore, type Readable, type Store} from '../../renter/state/store.ts';
import type {VolumeSearch} from '../../contract/nouns/volume-search.ts';
import {DAY} from '../../contract/rules/durations.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

export const accountKey = ['account', 'whole'] as const;

export function accountQuery(client: ClientSource) {
	return {
		queryKey: accountKey,
		queryFn: async ({signal}: Signal) => (await client()).account.current({signal}),
	};
}

/** Account of the API key: it tells the user's own templates from others. */
export function meQuery(client: ClientSource) {
	return {
		queryKey: ['account', 'id'],
		queryFn: async ({signal}: Signal) => (await (await client()).account.current({signal})).id,
		staleTime: Infinity,
	};
}

/** Most records a page, and most pages asked for. */
const PAGE = 100;
const MOST_PAGES = 20;

export type Charge = {
	readonly source: string;
	readonly description: string;
	/** Label of its source, as people gave it; empty if it has none. */
	readonly label: string;
	/** Name of its GPUs; undefined if the service does not say. */
	readonly gpu: string | undefined;
	/** The day in UTC, counted from 1970; undefined if the service does not say. */
	readonly day: number | undefined;
	readonly dollars: number;
};

export type Charges = {
	readonly list: readonly Charge[];
	/** The account has more charges than were requested. */
	readonly isCut: boolean;
	/** Charges that could not be read: they are in no sum. */
	readonly unreadable: Unreadable;
	/** First day of the month, the last one with charges, and the last of the month, counted from 1970. */
	readonly first: number;
	readonly today: number;
	readonly last: number;
};

/** Charges of a month in UTC. @param monthsAgo 0 for the present one */
export function chargesQuery(client: ClientSource, now: () => Date, monthsAgo = 0) {
	return {
		queryKey: ['charges', monthsAgo],
		async queryFn({signal}: Signal): Promise<Charges> {
			const {from, until, ...days} = monthOf(now(), monthsAgo);
			const {billing} = await client();
			const list: Charge[] = [];
			let after: string | undefined;
			let unreadable = noneUnreadable;
			for (let page = 0; page < MOST_PAGES; page++) {
				const wanted = {from, until, latestFirst: true, limit: PAGE, after};
				const {records, next, unreadable: more} = await billing.charges(wanted, {signal});
				list.push(...records.map(chargeOf));
				unreadable = joinUnreadable(unreadable, more);
				if (next === undefined) return {list, isCut: false, unreadable, ...days};
				after = next;
			}
			return {list, isCut: true, unreadable, ...days};
		},
		staleTime: 60_000,
	};
}

/** Seconds since 1970 from which and until which a month is charged, and its days. */
function monthOf(now: Date, monthsAgo: number) {
	const begin = (month: number) => Date.UTC(now.getUTCFullYear(), month) / 1000;
	const month = now.getUTCMonth() - monthsAgo;
	const [from, end] = [begin(month), begin(month + 1)];
	const until = Math.min(end, Math.floor(now.getTime() / 1000));
	return {
		from,
		until,
		first: dayOf(from),
		today: dayOf(Math.min(until, end - 1)),
		last: dayOf(end - 1),
	};
}

const dayOf = (seconds: number) => Math.floor(seconds / DAY);

function chargeOf({source, description, start, end, amount, metadata}: BillingRecord): Charge {
	const at = start ?? end ?? undefined;
	const {label: whole, gpu_name: gpu} = fieldsOf(metadata);
	const label = typeof whole === 'string' ? whole : '';
	return {
		source: source ?? '',
		description: withoutLease(description ?? source ?? '', label),
		label: shownLabel(label),
		gpu: typeof gpu === 'string' ? gpu : undefined,
		day: at === undefined ? undefined : dayOf(at),
		dollars: amount,
	};
}

/** A description without the lease in the label that it names. */
function withoutLease(description: string, label: string): string {
	const shown = shownLabel(label);
	if (shown === label) return description;
	return description.replace(shown === '' ? ` (${label})` : label, () => shown);
}

/** Prefix of all queries about keys: a change makes all of them stale. */
export const keysKey = ['keys'] as const;

const apiKeysKey = [...keysKey, 'api'] as const;
const sshKeysKey = [...keysKey, 'ssh'] as const;

export function unreadKeys(live: QueryClient): readonly ReadList[] {
	const {unreadable: api = noneUnreadable} = live.getQueryData<ApiKeys>(apiKeysKey) ?? {};
	const {unreadable: ssh = noneUnreadable} = live.getQueryData<SshKeys>(sshKeysKey) ?? {};
	return [
		{unreadable: api, noun: 'API keys'},
		{unreadable: ssh, noun: 'SSH keys'},
	];
}

export function cachedKeys(
	live: QueryClient,
): ReadonlyArray<{readonly id: string; readonly name: string; readonly about: string}> {
	const {keys: api = []} = live.getQueryData<ApiKeys>(apiKeysKey) ?? {};
	const {keys: ssh = []} = live.getQueryData<SshKeys>(sshKeysKey) ?? {};
	return [
		...api.map(({id, name}) => ({
			id: `api ${id}`,
			name: name ?? `API key ${id}`,
			about: 'API key',
		})),
		...ssh.map(({id, name}) => ({
			id: `ssh ${id}`,
			name: typeof name === 'string' ? name : `SSH key ${id}`,
			about: 'SSH key',
		})),
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

/** Id of the calling key; null if the service does not say. */
export function keyInUseQuery(client: ClientSource) {
	return {
		queryKey: [...keysKey, 'in use'],
		queryFn: async ({signal}: Signal) =>
			(await (await client()).account.current({signal})).key_id ?? null,
	};
}

export function localKeysQuery(environment: TerminalEnvironment) {
	return {queryKey: [...keysKey, 'local'], queryFn: async () => findLocalKeys(environment)};
}

export function checkQuery(client: ClientSource, now: () => Date) {
	return {
		queryKey: [...keysKey, 'check'],
		async queryFn() {
			const connected = await client();
			const check = await checkConnection(connected, () => now().getTime());
			return {...check, tried: triedIn(await connected.journal.read().catch(() => []))};
		},
	};
}

/** Most instances whose keys are read one by one. */
const MOST_INSTANCES = 20;

export type Entrances = {
	/** Ids by the text of the key's data. */
	readonly byKey: ReadonlyMap<string, readonly number[]>;
	/** All instances were asked, and answered. */
	readonly isWhole: boolean;
};

/** Instances that each key may enter. */
export function enterableInstancesQuery(client: ClientSource, instances: readonly number[]) {
	const asked = instances.slice(0, MOST_INSTANCES);
	return {
		queryKey: [...keysKey, 'doors', asked, instances.length],
		async queryFn({signal}: Signal): Promise<Entrances> {
			const {instances: calls} = await client();
			const byKey = new Map<string, readonly number[]>();
			let isWhole = asked.length === instances.length;
			for (const id of asked) {
				const attached = await calls.sshKeys(id, {signal}).catch(() => undefined);
				if (attached?.unreadable.count !== 0) isWhole = false;
				for (const {public_key: text = ''} of attached?.keys ?? []) {
					const blob = (text ?? '').split(/\s+/)[1] ?? '';
					byKey.set(blob, [...(byKey.get(blob) ?? []), id]);
				}
			}
			return {byKey, isWhole};
		},
		staleTime: 60_000,
	};
}

const machinesKey = ['machines'] as const;

export function machinesQuery(client: ClientSource, hasMachines: Store<boolean | undefined>) {
	return {
		queryKey: machinesKey,
		async queryFn({signal}: Signal) {
			const found = await (await client()).machines.list({signal});
			hasMachines.set(found.machines.length > 0);
			return found;
		},
	};
}

/** Asks once whether the account has machines, after the calls that a renter waits for. */
export function machinePresence(
	client: ClientSource,
	fleet: Readable<FleetState>,
): {readonly hasMachines: Store<boolean | undefined>; readonly stop: () => void} {
	const hasMachines = createStore<boolean | undefined>(undefined);
	const leaving = new AbortController();
	let isAsked = false;
	const unsubscribe = fleet.subscribe(() => {
		if (isAsked || fleet.get().checkedAt === undefined) return;
		isAsked = true;
		const asked = machinesQuery(client, hasMachines);
		// A refusal, or a service without machines, means no tab for them.
		asked.queryFn({signal: leaving.signal}).catch(() => undefined);
	});
	return {
		hasMachines,
		stop() {
			unsubscribe();
			leaving.abort();
		},
	};
}

/** Prefix of all queries about volumes: a change makes all of them stale. */
export const volumesKey = ['volumes'] as const;

export function volumesQuery(client: ClientSource) {
	return {
		queryKey: [...volumesKey, 'own'],
		queryFn: async ({signal}: Signal) => (await client()).volumes.list({signal}),
	};
}

/** Machines with space for a new volume. */
export function volumeSpaceQuery(client: ClientSource, search: Partial<VolumeSearch>) {
	return {
		queryKey: [...volumesKey, 'room', search],
		queryFn: async ({signal}: Signal) => (await client()).volumes.search(search, {signal}),
	};
}
