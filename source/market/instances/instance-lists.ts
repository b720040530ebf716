/** Lists of an account's instances, from cached texts of unchanged instances. */
import type {InstanceQuery} from '../../contract/nouns/instances.ts';
import {instanceSqlColumns} from './columns-rules.ts';
import {instanceConditions, isOfInstancesAlone} from './query-store.ts';
import {instanceText, writeInstance, type InstanceText} from './record-rules.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import type {Database} from '../database/database.ts';
import {
	countLabels,
	instancesAre,
	mountedVolumes,
	rentedIds,
	rentedRows,
	type LabelCount,
	type RentedId,
} from './lists-store.ts';
import {leasesOf} from '../leases/store.ts';
import {createLruCache} from '../base/lru-cache.ts';

export type InstanceLists = {
	/** The reply that lists some instances of an account, as JSON. */
	readonly write: (accountId: number, rented: readonly RentedId[], now: number) => Promise<string>;
	/** All instances of an account, the older first. */
	readonly ids: (accountId: number) => Promise<readonly RentedId[]>;
	/** Number that differs after a possible change of these instances' records. */
	readonly version: (rented: readonly RentedId[]) => Promise<number>;
	/** Some instances of an account, each as JSON, without missing ones. */
	readonly some: (
		accountId: number,
		rented: readonly RentedId[],
		now: number,
	) => Promise<readonly string[]>;
	/** Counts of an account's matching instances by label. */
	readonly labels: (
		accountId: number,
		filter: InstanceQuery['filter'],
	) => Promise<readonly LabelCount[]>;
};

/** An instance as JSON, with the change numbers that it was written at. */
type Entry = InstanceText & {readonly ofInstance: number; readonly ofOffer: number};

type Versioned<Value> = {readonly version: number; readonly value: Value};

/** The most cached characters: the texts of some thousands of instances. */
const MOST_CHARACTERS = 24_000_000;
const MOST_COUNTS = 1000;
const MOST_IDS = 500_000;
const ROWS_AT_ONCE = 1000;

export function createInstanceLists(database: Database, changes: ChangeNumbers): InstanceLists {
	const texts = createTexts(database, changes);
	const counts = createLruCache<string, Versioned<readonly LabelCount[]>>(MOST_COUNTS);
	const ids = createLruCache<number, Versioned<readonly RentedId[]>>(
		MOST_IDS,
		({value}) => value.length + 1,
	);

	async function idsOf(accountId: number): Promise<readonly RentedId[]> {
		const version = changes.ofAccount(accountId);
		const known = ids.get(accountId);
		if (known?.version === version) return known.value;
		const value = await rentedIds(database, accountId);
		ids.set(accountId, {version, value});
		return value;
	}

	async function some(accountId: number, rented: readonly RentedId[], now: number) {
		const found = await texts.of(accountId, rented);
		return found.map(text => writeInstance(text, now));
	}

	return {
		async some(accountId, rented, now) {
			await changes.catchUp();
			return some(accountId, rented, now);
		},
		async write(accountId, rented, now) {
			await changes.catchUp();
			const written = await some(accountId, rented, now);
			const count = `"instances_found":${written.length}`;
			return `{"success":true,${count},"instances":[${written.join(',')}]}`;
		},
		async ids(accountId) {
			await changes.catchUp();
			return idsOf(accountId);
		},
		async version(rented) {
			await changes.catchUp();
			return rented.reduce(
				(sum, {id, askId}) => sum + changes.ofInstance(id) + changes.ofOffer(askId),
				changes.ofOthers(),
			);
		},
		async labels(accountId, filter) {
			await changes.catchUp();
			const rented = {accountId, where: instanceConditions({filter})};
			// Counts that depend on offers are not cached: offers change all the time.
			if (!isOfInstancesAlone(filter)) return countLabels(database, rented);
			const key = `${accountId} ${JSON.stringify(filter)}`;
			const version = changes.ofAccount(accountId);
			const known = counts.get(key);
			if (known?.version === version) return known.value;
			const value = await countLabels(database, rented);
			counts.set(key, {version, value});
			return value;
		},
	};
}

/** Cached texts of instances, until a shown field changes. */
function createTexts(database: Database, changes: ChangeNumbers) {
	const texts = createLruCache<number, Entry>(
		MOST_CHARACTERS,
		({head, tail}) => head.length + tail.length,
	);
	let others = changes.ofOthers();

	/** Change numbers, taken before the read, so that a change meanwhile is read again. */
	const numbersOf = ({id, askId}: RentedId) => ({
		ofInstance: changes.ofInstance(id),
		ofOffer: changes.ofOffer(askId),
	});

	function currentOf(rented: RentedId): Entry | undefined {
		const text = texts.get(rented.id);
		const {ofInstance, ofOffer} = numbersOf(rented);
		return text?.ofInstance === ofInstance && text.ofOffer === ofOffer ? text : undefined;
	}

	async function read(accountId: number, some: readonly RentedId[]) {
		const numbers = new Map(some.map(rented => [rented.id, numbersOf(rented)]));
		const named = some.map(({id}) => id);
		const where = [instancesAre(named)];
		const rows = await rentedRows(database, {accountId, where}, instanceSqlColumns);
		const volumes = await mountedVolumes(database, accountId, named);
		const leases = await leasesOf(database, accountId, named);
		return rows.flatMap(row => {
			const seen = numbers.get(row.id);
			return seen === undefined
				? []
				: [[row.id, {...instanceText(row, {volumes, leases}), ...seen}] as const];
		});
	}

	return {
		/** Texts in the order of the ids, without missing instances. */
		async of(accountId: number, rented: readonly RentedId[]): Promise<readonly InstanceText[]> {
			const present = changes.ofOthers();
			// Changes of other processes are not reported one by one.
			if (present !== others) texts.clear();
			others = present;
			const known = new Map<number, Entry>();
			const missing = rented.filter(one => {
				const text = currentOf(one);
				if (text !== undefined) known.set(one.id, text);
				return text === undefined;
			});
			for (let start = 0; start < missing.length; start += ROWS_AT_ONCE) {
				for (const [id, text] of await read(
					accountId,
					missing.slice(start, start + ROWS_AT_ONCE),
				)) {
					known.set(id, text);
					texts.set(id, text);
				}
			}
			return rented.flatMap(({id}) => known.get(id) ?? []);
		},
	};
}
