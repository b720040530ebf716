import {contract} from '../contract/index.ts';
import {anyInstances} from '../contract/instance-query.ts';
import type {InstanceQuery} from '../contract/instance-query.ts';
import type {Instance} from '../contract/instance-record.ts';
import type {InstanceCombination} from '../contract/instances.ts';
import type {CallEndpoint, CallOptions} from './call.ts';

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

	return {
		/** All instances of the account. */
		async list(options?: CallOptions): Promise<Instance[]> {
			return (await call(list, {}, options)).instances;
		},
		/** The first instances that a query finds, or those after a token. */
		page: readPage,
		/** All pages of a query, one after the other. */
		async *pages(
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
		},
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
