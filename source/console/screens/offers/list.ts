import {createList} from '../../list/list.ts';
import {defaultSettings} from '../../../renter/settings/default-settings.ts';
import {kept, type Place} from '../../router.ts';
import {createStore} from '../../../renter/store.ts';
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
