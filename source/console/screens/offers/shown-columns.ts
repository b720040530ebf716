/** Columns of the offers list that are in view. */
import type {OfferSearch} from '../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {fitColumns} from '../../list/columns.ts';
import {GUTTER} from '../../list/lines.ts';
import type {ListOrder} from '../../list/order.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import {chosenColumns, unsentColumns} from '../../list/chosen-columns.ts';
import type {OfferColumn} from './columns.ts';
import {isAbout} from './order.ts';

/** The columns for which the service sent nothing although it was asked. */
export function unsentIn(
	offers: readonly Offer[],
	columns: readonly OfferColumn[],
	{columns: asked}: OfferSearch,
): ReadonlySet<string> {
	const isAskedFor = ({fields}: OfferColumn) =>
		asked === undefined || fields.every(field => asked.includes(field));
	return unsentColumns(columns.filter(isAskedFor), offers);
}

type Shown = {
	readonly choice: ColumnChoice;
	readonly asked: OfferSearch;
	readonly order: ListOrder;
	readonly unsent: ReadonlySet<string>;
	readonly width: number;
};

/** The chosen columns that fit into a width, and those that filter and order are about. */
export function shownColumns(
	columns: readonly OfferColumn[],
	{choice, asked, order, unsent, width}: Shown,
) {
	const filtered = columns.filter(column => isAbout(column, asked.filter));
	const needed = new Set([...filtered.map(({id}) => id), ...order.map(({columnId}) => columnId)]);
	const sent = chosenColumns(columns, choice, needed).filter(({id}) => !unsent.has(id));
	return fitColumns(sent, width - GUTTER);
}
