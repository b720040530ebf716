/** Status of the offers list: what is saved, the terms of prices, how many there are. */
import type {Filter} from '../../../contract/grammar/filter.ts';
import type {OfferField, OfferSearch} from '../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Unreadable} from '../../../contract/grammar/unreadable.ts';
import {count, timeOfDay} from '../../../renter/text/format.ts';
import {isFromLastTime} from '../../../renter/offers/memory.ts';
import type {Settings} from '../../../renter/settings/default-settings.ts';
import {unreadableWords} from '../../../renter/text/unreadable.ts';
import {spread} from '../../ui/chrome.ts';
import type {Ordering} from './order.ts';
import {savedNames} from './saved/saved-lines.ts';
import {describeTerms} from './search.ts';

/** From this width on there is room for the names of what is saved. */
const ROOMY = 140;

type Status = {
	readonly asked: {readonly words: string; readonly search: OfferSearch};
	readonly query: Result & {readonly here: Filter<OfferField>};
	readonly settings: Settings;
};

/** Saved searches where there is room, terms, and the number of offers. */
export function statusLine({asked, query, settings}: Status, width: number): string {
	const names = width < ROOMY ? '' : savedNames(settings, asked.words);
	const terms = describeTerms(asked.search, query.here);
	return spread(width, names === '' ? terms : `${names}   ${terms}`, describeResult(query));
}

type Result = {
	readonly data: readonly Offer[] | undefined;
	readonly unreadable: Unreadable;
	readonly dataUpdatedAt: number;
	readonly error: Error | null;
	readonly isFetching: boolean;
	readonly ordering: Ordering;
	readonly isPaused: boolean;
};

/** Number of offers, and its certainty. */
function describeResult(result: Result): string {
	const {data, dataUpdatedAt, error, isFetching, ordering, isPaused} = result;
	const amount = data === undefined ? [] : [describeAmount(data.length, ordering)];
	// Under rows, the rule says it.
	const unread = data?.length === 0 ? (unreadableWords(result.unreadable) ?? []) : [];
	const age = isFromLastTime(dataUpdatedAt) ? [`from ${timeOfDay(new Date(dataUpdatedAt))}`] : [];
	const isStale = error !== null && data !== undefined;
	const state = isFetching ? ['searching'] : isStale ? ['stale'] : [];
	const counts = [amount, unread].flat().join(', ');
	return [counts, age, isPaused ? 'paused' : [], state].flat().filter(Boolean).join(' ');
}

/** A part of the offers is called one, so that nobody takes its best for the best there is. */
function describeAmount(amount: number, ordering: Ordering): string {
	switch (ordering) {
		case 'whole':
			return amount === 1 ? '1 offer' : `${count(amount)} offers`;
		case 'part':
			return `${count(amount)} of many`;
		case 'byService':
			return `${count(amount)} of many, server sort`;
		case 'partHere':
			return `${count(amount)} of many, sorted here`;
	}
}
