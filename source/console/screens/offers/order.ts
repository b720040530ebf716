/** Ordering a list of offers: here where all of them are, else by the service. */
import type {Order} from '../../../contract/filter-match.ts';
import type {OfferField, OfferSearch} from '../../../contract/offer-search.ts';
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

/** Whether the service sends the rows in an order: its own, or one that it can be asked for. */
export function isByService(order: ListOrder, columns: readonly OfferColumn[]): boolean {
	return order.length === 0 || serviceOrder(order, columns) !== undefined;
}

/** The least round number at which services are known to cut their answers off. */
const LEAST_CAP = 64;
const ROUND = 100;

/**
 * Whether an answer may have been cut off: it is as long as was asked for, or just as long as a
 * service's own limit could be. Taking a whole answer for a part costs one more request; sorting a
 * part as if it were the whole would tell lies.
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

/** What of a search decides which rows it finds, and not in which order or with which fields. */
export function questionOf({
	filter,
	limit,
	pricing,
	diskGb,
	leastReliability,
}: OfferSearch): string {
	return JSON.stringify([filter, limit, pricing, diskGb, leastReliability]);
}

/** How the rows came into their order: all of them, or a part, and then by whom. */
export type Ordering = 'whole' | 'part' | 'byService' | 'partHere';

/** Whether a column shows what one of these fields is about. */
export function isAbout({fields, shows = fields}: OfferColumn, wanted: Wanted): boolean {
	return wanted.some(({field}) => shows.includes(field));
}

type Wanted = ReadonlyArray<{readonly field: OfferField}>;
