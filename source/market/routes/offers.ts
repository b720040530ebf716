import type {Contract} from '../../contract/index.ts';
import {offerRecorder} from '../rules/offer-record.ts';
import {offerQuery, priceTerms} from '../rules/search.ts';
import {findOffers} from '../store/offers.ts';
import type {Handler} from './handler.ts';

export const search: Handler<Contract['offers']['search']> = async (
	{body},
	{database, clock, searchLimit},
) => {
	const now = clock.now();
	const {columns, record} = offerRecorder(body.columns, {...priceTerms(body), now});
	const rows = await findOffers(database, columns, offerQuery(body, now, searchLimit));
	return {offers: rows.map(record)};
};
