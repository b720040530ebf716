import type {OfferSearch} from '../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {createList} from '../../list/list.ts';
import {defaultSettings} from '../../../renter/settings/default-settings.ts';
import {kept, type Place} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import {offerColumns} from './columns.ts';
import {jobOf} from '../../../renter/offers/job.ts';

/** A question that was answered: what was asked for, in which order, and whether by this run. */
type Answered = {readonly question: string; readonly order: string; readonly isOld: boolean};

/** The list's state stays with its place, so that coming back finds it as it was. */
export const listAt = kept(() => ({
	table: createList(offerColumns(jobOf(defaultSettings)), offer => offer.id, {usualId: 'allIn'}),
	/** Automatic refresh is off. */
	isPaused: createStore(false),
	/** Search that the rows answer; undefined where there are none. */
	answered: createStore<Answered | undefined>(undefined),
	/** The question whose answers were cut off by their limit, so that only the service can order them. */
	cutOff: createStore<string | undefined>(undefined),
}));

export type OfferList = ReturnType<typeof listAt>;

export const tableAt = (place: Place) => listAt(place).table;

/** The list that a place was come from. */
export function listBehind(stack: readonly Place[]): ReturnType<typeof tableAt> | undefined {
	const place = stack.findLast(({destination}) => destination.name === 'offers');
	return place === undefined ? undefined : tableAt(place);
}

type Answer = {
	readonly data: readonly Offer[];
	readonly question: string;
	readonly order: OfferSearch['order'];
	/** Found by an earlier run of the program. */
	readonly isOld: boolean;
};

/** Shows an answer: what is new in it where the question is the same. Says how many marks were lost. */
export function showAnswer(
	list: OfferList,
	{data, question, order, isOld}: Answer,
	isHeld: boolean,
): number {
	const {table, answered} = list;
	const before = answered.get();
	const answer = {question, order: JSON.stringify(order), isOld};
	if (before?.question === question && before.order === answer.order && before.isOld === isOld) {
		table.refresh(data, isHeld);
		return 0;
	}
	const lost = table.load(data);
	// An answer to another question is looked at from its best end.
	if (before !== undefined && before.isOld === isOld) table.move('first');
	answered.set(answer);
	return lost;
}
