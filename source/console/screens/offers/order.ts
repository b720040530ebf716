/** Ordering a list of offers: here where all of them are, else by the service. */
import type {Order} from '../../../contract/grammar/filter-match.ts';
import type {OfferField, OfferSearch} from '../../../contract/nouns/offer-search.ts';
import {isAscending, type ListOrder} from '../../list/order.ts';
import type {OfferColumn} from './columns.ts';

/** The order as the service is asked for it; undefined where it has none of some column. */
export function serviceOrder(
	order: ListOrder,
	columns: readonly OfferColumn[],
): Order<OfferField> | undefined {
	const fields = order.map(({columnId, isReversed}) => {
		const column = columns.find(({id}) => id === columnId);
		if (column?.ordersBy === undefined) return undefined;
		return [column.ordersBy, isAscending(column, isReversed) ? 'asc' : 'desc'] as const;
	});
	const known = fields.filter(field => field !== undefined);
	return known.length === fields.length && known.length > 0 ? known : undefined;
}

/** True if the service sorts the rows: in its own order, or in one that it accepts. */
export function isByService(order: ListOrder, columns: readonly OfferColumn[]): boolean {
	return order.length === 0 || serviceOrder(order, columns) !== undefined;
}

/** The least round number at which services are known to cut their answers off. */
const LEAST_CAP = 64;
const ROUND = 100;

/**
 * True if a reply may have been cut off: it is as long as requested, or just as long as a
 * service's own limit could be. Taking a complete reply for a part costs one more request; sorting
 * a part as if it were complete would mislead.
 */
export function isCutOff(amount: number, limit: number): boolean {
	if (amount === 0) return false;
	return amount >= limit || amount === LEAST_CAP || amount % ROUND === 0;
}

/** A search that also asks for what the columns show that its filter is about. */
export function withFilterFields(
	search: OfferSearch,
	columns: readonly OfferColumn[],
): OfferSearch {
	const {columns: asked} = search;
	if (asked === undefined) return search;
	const fields = columns
		.filter(column => isAbout(column, search.filter))
		.flatMap(column => column.fields);
	const more = fields.filter(field => !asked.includes(field));
	return more.length === 0 ? search : {...search, columns: [...new Set([...asked, ...more])]};
}

/** Part of a search that decides which rows it finds, without order and fields. */
export function questionOf({
	filter,
	limit,
	pricing,
	diskGb,
	leastReliability,
}: OfferSearch): string {
	return JSON.stringify([filter, limit, pricing, diskGb, leastReliability]);
}

/** Ordering of the rows: all of them, or a part, and then sorted by whom. */
export type Ordering = 'whole' | 'part' | 'byService' | 'partHere';

/** True if a column shows one of these fields. */
export function isAbout({fields, shows = fields}: OfferColumn, wanted: Wanted): boolean {
	return wanted.some(({field}) => shows.includes(field));
}

type Wanted = ReadonlyArray<{readonly field: OfferField}>;
