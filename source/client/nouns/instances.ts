import {contract} from '../../contract/index.ts';
import {anyInstances} from '../../contract/instance-query.ts';
import type {InstanceQuery} from '../../contract/instance-query.ts';
import type {Instance} from '../../contract/instance-record.ts';
import type {InstanceCombination} from '../../contract/instances.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';
import {ApiError} from '../errors.ts';

const {list, page, filters, show} = contract.instances;

/** Some of the instances that a query finds. */
export type InstancePage = {
	readonly instances: readonly Instance[];
	/** How many there are on all pages; undefined where the service does not say. */
	readonly total: number | undefined;
	/** The token that the next page is after; undefined where this is the last. */
	readonly next: string | undefined;
};

export function instanceCalls(call: CallEndpoint) {
	async function readPage(
		wanted: Partial<InstanceQuery> = {},
		options?: CallOptions,
	): Promise<InstancePage> {
		const reply = await call(page, {query: {...anyInstances, ...wanted}}, options);
		return {
			instances: reply.instances,
			total: reply.total_instances,
			next: reply.next_token ?? undefined,
		};
	}

	async function* readPages(
		wanted: Partial<InstanceQuery> = {},
		options?: CallOptions,
	): AsyncGenerator<InstancePage, void> {
		let after = wanted.after;
		do {
			const found = await readPage({...wanted, after}, options);
			yield found;
			// A service that gives the same token again would never come to an end.
			after = found.next === after ? undefined : found.next;
		} while (after !== undefined);
	}

	const whole = async (options?: CallOptions) => (await call(list, {}, options)).instances;

	async function allPages(options?: CallOptions): Promise<Instance[]> {
		const found = new Map<number, Instance>();
		for await (const {instances} of readPages({}, options)) {
			// What begins or ends while pages are read moves others from one page to the next.
			for (const instance of instances) found.set(instance.id, instance);
		}
		return [...found.values()];
	}

	return {
		/** All instances of the account, in whichever way the service lists them. */
		list: eitherOf(whole, allPages),
		/** The first instances that a query finds, or those after a token. */
		page: readPage,
		/** All pages of a query, one after the other. */
		pages: readPages,
		/** What the instances can be filtered by, as far as it differs among them. */
		async filters(options?: CallOptions): Promise<InstanceCombination[]> {
			return (await call(filters, {}, options)).filters;
		},
		/** One instance; undefined where the account has no such. */
		async show(id: number, options?: CallOptions): Promise<Instance | undefined> {
			return (await call(show, {params: {id}}, options)).instances ?? undefined;
		},
	};
}

type Listing = (options?: CallOptions) => Promise<Instance[]>;

/** Lists in the one way, and where the service does not have it, in the other from then on. */
function eitherOf(first: Listing, second: Listing): Listing {
	let [used, other] = [first, second];
	return async options => {
		try {
			return await used(options);
		} catch (error) {
			if (!isMissing(error)) throw error;
			const instances = await other(options).catch((otherError: unknown) => {
				// Where it has neither, the usual one is what is missing.
				throw isMissing(otherError) ? error : otherError;
			});
			[used, other] = [other, used];
			return instances;
		}
	};
}

/** Whether the service has no such call: some say of an unknown key as well that it is not found. */
function isMissing(error: unknown): boolean {
	if (!(error instanceof ApiError) || error.code === 'auth_error') return false;
	return [404, 405, 410].includes(error.status);
}
