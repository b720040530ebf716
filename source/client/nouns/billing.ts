import type {BillingRecord} from '../../contract/nouns/billing.ts';
import {DEFAULT_RECORDS, type TimeRange} from '../../contract/nouns/billing-query.ts';
import {contract} from '../../contract/index.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {refusedAnyway} from '../exchange/refusal.ts';

const calls = contract.billing;

/** Query of records in a time range, in seconds since 1970. */
export type WantedRecords = TimeRange & {
	/** @default all */
	readonly types?: readonly string[];
	/** @default false */
	readonly latestFirst?: boolean;
	/**
	 * Records on a page: a service returns at most 100.
	 * @default 20
	 */
	readonly limit?: number;
	/** The `next` of the previous page. */
	readonly after?: string | undefined;
};

export type RecordPage = {
	readonly records: readonly BillingRecord[];
	/** Records on all pages, if the service sends the count. */
	readonly total: number | undefined;
	/** Cursor of the next page; undefined on the last. */
	readonly next: string | undefined;
	readonly unreadable: Unreadable;
};

export function billingCalls(call: CallEndpoint) {
	async function page(
		endpoint: typeof calls.charges | typeof calls.invoices,
		{from, until, types, latestFirst = false, limit = DEFAULT_RECORDS, after}: WantedRecords,
		options?: CallOptions,
	): Promise<RecordPage> {
		const query = {range: {from, until}, types, latestFirst, limit, after};
		const reply = await call(endpoint, {query}, options);
		if (reply.results === undefined) throw refusedAnyway(endpoint, reply);
		return {
			records: reply.results,
			total: reply.total,
			next: reply.next_token ?? undefined,
			unreadable: reply.unreadable,
		};
	}

	return {
		/** Invoices: a page of payments and of daily costs. */
		invoices: async (wanted: WantedRecords, options?: CallOptions) =>
			page(calls.invoices, wanted, options),
		/** Charges: a page of daily costs of each instance and volume. */
		charges: async (wanted: WantedRecords, options?: CallOptions) =>
			page(calls.charges, wanted, options),
	};
}
