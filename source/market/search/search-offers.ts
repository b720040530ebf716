import type {OfferSearch} from '../../contract/offer-search.ts';
import type {Offer} from '../../contract/offers.ts';
import {offerRecorder} from '../rules/offer-record.ts';
import {offerWriter} from '../rules/offer-text.ts';
import {followsIndex, offerQuery, priceTerms} from '../rules/offer-query.ts';
import type {Database} from '../store/database.ts';
import {findOffers, findOfferTexts} from '../store/offers.ts';

/** The whole reply to a search, as JSON. */
export async function writeSearch(
	database: Database,
	search: OfferSearch,
	now: number,
	limit: number,
): Promise<string> {
	if (search.columns !== undefined) {
		return JSON.stringify({offers: await searchOffers(database, search, now, limit)});
	}
	const {columns, write} = offerWriter({...priceTerms(search), now});
	const query = offerQuery(search, now, limit);
	const rows = await findOfferTexts(database, columns, query, followsIndex(search));
	return `{"offers":[${rows.map(row => write(row, row)).join(',')}]}`;
}

/** The offers that a search finds at a moment; `limit` is the most that any search does. */
export async function searchOffers(
	database: Database,
	search: OfferSearch,
	now: number,
	limit: number,
): Promise<Offer[]> {
	const {columns, record} = offerRecorder(search.columns, {...priceTerms(search), now});
	const rows = await findOffers(database, columns, offerQuery(search, now, limit));
	return rows.map(record);
}
