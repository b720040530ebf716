import {isRecord} from '../../../source/contract/grammar/json.ts';
import {
	printSettings,
	type InstanceSettings,
} from '../../../source/market/lifecycle/instance-rules.ts';
import {newInstance} from '../../../source/market/lifecycle/rules.ts';
import {makeOffers} from '../market/made-offers.ts';
import {createApp} from '../../../source/market/service/server.ts';
import {openDatabase} from '../market/postgres.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {
	insertInstance,
	type NewInstance,
} from '../../../source/market/lifecycle/instances-store.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {insertOffers} from '../../../source/market/offers/store.ts';
import type {NewOffer} from '../../../source/market/database/schema.ts';
import {testSettings} from '../market/instances.ts';
import {createHandClock, TEST_END, TEST_NOW, testServices} from '../market/market.ts';

export type Listed = Partial<Omit<NewInstance, 'settings'>> & {
	readonly settings?: Partial<InstanceSettings>;
};

/** Offers like any others but for these changes, numbered from 1. */
export function offersLike(changes: ReadonlyArray<Partial<NewOffer>>): readonly NewOffer[] {
	const made = makeOffers({seed: 3, count: changes.length, epoch: TEST_NOW});
	return made.map((offer, index) => ({...offer, id: index + 1, ...changes[index]}));
}

/** A market without a socket that has offers, an account, and another account, to read instances. */
export async function openInstanceLists(offers: ReadonlyArray<Partial<NewOffer>> = [{}]) {
	const database = await openDatabase(':memory:');
	const clock = createHandClock(TEST_NOW);
	const log: string[] = [];
	const app = createApp(testServices(database, clock), line => log.push(line));
	await insertOffers(database, offersLike(offers));
	const account = async () =>
		database
			.insertInto('accounts')
			.values({created_at: TEST_NOW})
			.returning('id')
			.executeTakeFirstOrThrow();
	const [{id: mine}, {id: other}] = [await account(), await account()];
	const {value} = await createKey(database, {
		accountId: mine,
		name: 'x',
		permissions: {instance_read: true},
		now: TEST_NOW,
	});

	/** Reads a path with the account's key. */
	async function read(path: string, key = value) {
		const response = await app.request(path, {headers: {authorization: `Bearer ${key}`}});
		const body: unknown = JSON.parse(await response.text());
		if (!isRecord(body)) throw new TypeError('expected an object');
		return {status: response.status, body};
	}

	return {
		database,
		clock,
		log,
		mine,
		other,
		read,
		/** Puts an instance into the database: of the first offer, of the account, just made. */
		add: async (given: Listed = {}): Promise<InstanceRow> =>
			insertInstance(database, {...rowOf(given), account_id: given.account_id ?? mine}),
		/** A page, by the parts of its query; those that are not text are written as JSON. */
		page: async (parts: Readonly<Record<string, unknown>> = {}) =>
			read(`/api/v1/instances/?${queryOf(parts)}`),
		/** One instance, which is there. */
		async show(id: number): Promise<Readonly<Record<string, unknown>>> {
			const {instances} = (await read(`/api/v0/instances/${id}/`)).body;
			if (!isRecord(instances)) throw new TypeError(`instance ${id} is not shown`);
			return instances;
		},
		[Symbol.asyncDispose]: async () => database.destroy(),
	};
}

function rowOf({settings, ...given}: Listed): Omit<NewInstance, 'account_id'> {
	return {
		ask_id: 1,
		machine_id: 7,
		host_account_id: 1,
		label: null,
		created_at: TEST_NOW,
		end_date: TEST_END,
		destroyed_at: null,
		settings: printSettings({...testSettings, ...settings}),
		image: 'ubuntu:24.04',
		template_id: null,
		template_hash: null,
		template_name: null,
		is_bid: 0,
		gpu_mask: 1,
		disk_gb: 10,
		gpu_micros: 1_000_000,
		storage_micros: 149_333,
		up_micros: 0,
		down_micros: 0,
		...newInstance('running', 'heard'),
		waiting_since: null,
		running_since: null,
		billed_until: TEST_NOW,
		revision: 1,
		handover: null,
		access: null,
		usage: null,
		...given,
	};
}

function queryOf(parts: Readonly<Record<string, unknown>>): string {
	const texts = Object.entries(parts).map(([name, part]) => [
		name,
		typeof part === 'string' ? part : JSON.stringify(part),
	]);
	return new URLSearchParams(texts).toString();
}

export type InstanceLists = Awaited<ReturnType<typeof openInstanceLists>>;

/** The instances in a reply. */
export function recordsIn({
	instances,
}: Readonly<Record<string, unknown>>): ReadonlyArray<Readonly<Record<string, unknown>>> {
	if (!Array.isArray(instances)) throw new TypeError('expected a list of instances');
	return instances.map(record => {
		if (!isRecord(record)) throw new TypeError('expected an instance');
		return record;
	});
}
