/** The list as it will be, while its words are still being typed: no service is asked for that. */
import {useLayoutEffect, useMemo, useState} from 'react';
import type {Job} from '../../../../contract/nouns/offer-cost.ts';
import type {Filter} from '../../../../contract/grammar/filter.ts';
import type {OfferField, OfferSearch} from '../../../../contract/nouns/offer-search.ts';
import {isTestable, sourceOf, meets} from '../../../../renter/offers/local-filter.ts';
import type {ParsedLine} from '../../../../renter/offers/words/parse.ts';
import {requestOf} from '../../../../renter/offers/words/request.ts';
import type {Offer} from '../../../../contract/nouns/offers.ts';
import type {Column} from '../../../list/columns.ts';
import {createList, type List} from '../../../list/list.ts';
import type {Place} from '../../../services/router.ts';
import {queryAt} from './query.ts';
import type {Ordering} from '../search.ts';
import {useStore} from '../../../ui/use-store.ts';

type Options = {
	readonly table: List<Offer>;
	/** Search that the rows of the table answer. */
	readonly search: OfferSearch;
	readonly columns: ReadonlyArray<Column<Offer>>;
	readonly job: Job;
	/** Completeness: the service listed all offers, or a part. */
	readonly ordering: Ordering;
};

/**
 * A table with the rows that the words being typed leave of the list; undefined where nothing is
 * typed, or where rows are wanted that are not in the list.
 */
export function usePreview(
	place: Place,
	{table, search, columns, job, ordering}: Options,
): List<Offer> | undefined {
	const {edit} = queryAt(place);
	const now = useStore(edit);
	const [preview] = useState(() => createList(columns, table.idOf));
	// Where Enter was pressed on words that cannot be understood, the last good result stays.
	const parsed = now?.isRefused === true ? undefined : now?.parsed;
	const added = useMemo(
		() =>
			parsed === undefined || ordering !== 'whole' ? undefined : addedConditions(search, parsed),
		[search, parsed, ordering],
	);
	useLayoutEffect(() => {
		if (added === undefined) return;
		preview.define(columns);
		preview.load(table.state.get().shown.filter(offer => meets(added, offer, job)));
		// Whoever types wants to see what is best for the words, not where a row before them went.
		preview.moveTo(0);
	}, [preview, table, columns, job, added]);
	return added === undefined ? undefined : preview;
}

/**
 * Conditions that a line adds to a search; undefined where there are none, or where they cannot be
 * tested on its rows.
 */
export function addedConditions(
	search: OfferSearch,
	{words}: Pick<ParsedLine, 'words'>,
): Filter<OfferField> | undefined {
	const {filter, pricing} = requestOf(words.flatMap(({clauses}) => clauses));
	const before = new Set(search.filter.map(condition => JSON.stringify(condition)));
	const added = filter.filter(condition => !before.delete(JSON.stringify(condition)));
	const isNarrower = added.length > 0 && before.size === 0 && pricing === search.pricing;
	const isSent = ({field}: {readonly field: OfferField}) =>
		isTestable(field) && (search.columns?.includes(sourceOf(field)) ?? true);
	return isNarrower && added.every(isSent) ? added : undefined;
}
