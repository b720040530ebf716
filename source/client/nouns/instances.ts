import {contract} from '../../contract/index.ts';
import {
	anyInstances,
	type InstanceQuery,
	type InstanceCombination,
} from '../../contract/nouns/instances.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {joinUnreadable, noneUnreadable} from '../../contract/grammar/unreadable.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import type {InstanceList, InstancePage} from './instance-list.ts';
import {ApiError, MarketError} from '../exchange/errors.ts';
import type {LeaseOrder, LeaseRecord} from '../../contract/nouns/leases.ts';
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Created} from '../../contract/nouns/creation.ts';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';

const {createMany, launch} = contract.instances;

export function creationCalls(call: CallEndpoint) {
	return {
		/** Rents several offers independently, with their outcomes in `results`. */
		createMany: async (askIds: readonly number[], order: InstanceOrder, options?: CallOptions) =>
			call(createMany, {body: {askIds, order}}, options),
		/** Rents the first offer of a search that is still free. */
		launch: async (
			wanted: Partial<OfferSearch>,
			order: InstanceOrder,
			options?: CallOptions,
		): Promise<Created> =>
			call(launch, {body: {search: {...anyOffers, ...wanted}, order}}, options),
	};
}

const {setLease} = contract.instances;

/** Leases that the service enforces: `extensions.leases` tells whether it does. */
export function leaseCalls(call: CallEndpoint) {
	return {
		/** Sets an instance's lease at the service, and returns it as stored there. */
		async setLease(id: number, lease: LeaseOrder, options?: CallOptions): Promise<LeaseRecord> {
			const reply = await call(setLease, {params: {id}, body: lease}, options);
			return reply.lease;
		},
	};
}

const {list, page, filters, show} = contract.instances;

export type ListOptions = CallOptions & {
	/** Called with each page as soon as it is read. */
	readonly onPage?: ((page: InstancePage) => void) | undefined;
};

/**
 * Calls about instances. Each key has its own set, which remembers the instances that the key has
 * seen.
 */
export function instanceCalls(call: CallEndpoint) {
	/** Start dates of the instances, if their records had one. */
	const startDates = new Map<number, number | undefined>();

	function see(instances: readonly Instance[]): void {
		for (const {id, start_date: at} of instances) startDates.set(id, at ?? startDates.get(id));
	}

	async function readPage(
		wanted: Partial<InstanceQuery> = {},
		options?: CallOptions,
	): Promise<InstancePage> {
		const reply = await call(page, {query: {...anyInstances, ...wanted}}, options);
		see(reply.instances);
		return {
			instances: reply.instances,
			total: reply.total_instances,
			next: reply.next_token ?? undefined,
			unreadable: reply.unreadable,
		};
	}

	async function* readPages(
		wanted: Partial<InstanceQuery> = {},
		options?: CallOptions,
	): AsyncGenerator<InstancePage, void> {
		const ids = new Set<number>();
		let after = wanted.after;
		for (let pages = 0; pages < MOST_PAGES; pages++) {
			const found = await readPage({...wanted, after}, options);
			yield found;
			// Stop at a page without anything new, whatever its token: the list would never end.
			const isNew = found.unreadable.count > 0 || found.instances.some(({id}) => !ids.has(id));
			if (found.next === undefined || found.next === after || !isNew) return;
			for (const {id} of found.instances) ids.add(id);
			after = found.next;
		}
	}

	async function listV0(options?: ListOptions): Promise<InstanceList> {
		const {instances, instances_found: found, unreadable} = await call(list, {}, options);
		see(instances);
		const total = found === undefined ? undefined : Math.max(found, unreadable.of);
		return {instances, total, unreadable, way: 'v0', isWhole: false, problem: undefined};
	}

	return {
		/**
		 * All instances of the account: every page of v1, or v0 if v1 is missing. Later pages that
		 * cannot be read leave the list incomplete; if the first page fails, so does the call.
		 */
		list: listInTurn(async options => listV1(readPages({}, options), options), listV0),
		/** The first instances that a query finds, or those after a token. */
		page: readPage,
		pages: readPages,
		/** Values that the instances can be filtered by, if they differ. */
		async filters(options?: CallOptions): Promise<InstanceCombination[]> {
			return (await call(filters, {}, options)).filters;
		},
		/** One instance; undefined if the service has no record of it for this key. */
		async show(id: number, options?: CallOptions): Promise<Instance | undefined> {
			try {
				const {instances: record} = await call(show, {params: {id}}, options);
				if (record !== null) see([record]);
				return record ?? undefined;
			} catch (error) {
				if (isUnknown(error)) return undefined;
				throw error;
			}
		},
		/** True if this key has seen the instance: another account's key never sees it. */
		isKnown: (id: number): boolean => startDates.has(id),
		/** Start date in the instance's last record: a service may reuse its id for another one. */
		startOf: (id: number): number | undefined => startDates.get(id),
	};
}

/** Most pages: no account has as many, so a longer list is invented. */
const MOST_PAGES = 400;

async function listV1(
	pages: AsyncIterable<InstancePage>,
	{onPage, signal}: ListOptions = {},
): Promise<InstanceList> {
	// Instances that begin or end during the read shift others to another page.
	const found = new Map<number, Instance>();
	let unreadable = noneUnreadable;
	let pagesRead = 0;
	let next: string | undefined;
	let total: number | undefined;
	let problem: Error | undefined;
	try {
		for await (const read of pages) {
			for (const instance of read.instances) found.set(instance.id, instance);
			unreadable = joinUnreadable(unreadable, read.unreadable);
			pagesRead += 1;
			({next} = read);
			total = read.total ?? total;
			onPage?.(read);
		}
	} catch (error) {
		signal?.throwIfAborted();
		if (pagesRead === 0 || !(error instanceof MarketError)) throw error;
		problem = error;
	}
	const instances = [...found.values()];
	total ??= leastTotal(next, instances.length + unreadable.count);
	const isWhole = problem === undefined && total === instances.length + unreadable.count;
	return {instances, total, unreadable, way: 'v1', isWhole, problem};
}

/** Minimum total: a next page means one more than was read. */
function leastTotal(next: string | undefined, read: number): number | undefined {
	return next === undefined ? undefined : read + 1;
}

type Listing = (options?: ListOptions) => Promise<InstanceList>;

/** Lists by one call, and if the service lacks it, by the other from then on. */
function listInTurn(first: Listing, second: Listing): Listing {
	let [used, other] = [first, second];
	return async options => {
		try {
			return await used(options);
		} catch (error) {
			if (!isMissing(error)) throw error;
			const listed = await other(options).catch((otherError: unknown) => {
				// A service without both calls lacks the usual one, so the error names that.
				throw isMissing(otherError) ? error : otherError;
			});
			[used, other] = [other, used];
			return listed;
		}
	};
}

/** True if the service has no such record: a refused key reveals nothing about records. */
function isUnknown(error: unknown): boolean {
	return error instanceof ApiError && error.code === 'no_such_instance' && !error.isKeyRefused;
}

/** True if the service has no such endpoint: some also answer "not found" to an unknown key. */
function isMissing(error: unknown): boolean {
	if (!(error instanceof ApiError) || error.isKeyRefused) return false;
	return [404, 405, 410].includes(error.status);
}
