import type {Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Router} from '../../services/router.ts';
import {equalOffers} from './equal-offers.ts';
import type {listBehind} from './list.ts';
import type {OfferTarget} from './offer-bindings.ts';

/** Equal offers that are compared with one where none are marked. */
const EQUALS_TO_COMPARE = 2;

type List = ReturnType<typeof listBehind>;

type Given = {
	readonly id: number;
	readonly offer: Offer | undefined;
	/** The list that it was come from. */
	readonly list: List;
	readonly router: Router;
	readonly job: Job;
	readonly refresh: () => Promise<void>;
};

/** True if the list's cursor is on the shown offer. */
export function isAtCursor(list: List, id: number): boolean {
	return list?.current()?.id === id;
}

const movement = (by: 1 | -1) => (by === 1 ? 'down' : 'up');
const elsewhere = 'the cursor of the list is on another offer';

/** Handlers of an offer's keys: its neighbours in the list, its mark there, and a comparison. */
export function offerTarget({
	id,
	offer,
	list,
	router,
	job,
	refresh,
}: Given): Omit<OfferTarget, 'watch' | 'copy' | 'scroll'> {
	const markUnavailable = () => (isAtCursor(list, id) ? undefined : elsewhere);
	return {
		stepUnavailable(by) {
			if (!isAtCursor(list, id)) return elsewhere;
			if (list?.canMove(movement(by)) === true) return undefined;
			return `this is the ${by === 1 ? 'last' : 'first'} offer of the list`;
		},
		step(by) {
			list?.move(movement(by));
			const next = list?.current();
			if (next !== undefined) router.replace({name: 'offer', id: next.id});
		},
		rent: () => router.go({name: 'rent', offerId: id}),
		rentUnavailable: () =>
			offer === undefined ? 'it is not known whether there is this offer' : undefined,
		mark: () => list?.mark(),
		markUnavailable,
		compare: () => router.go({name: 'compare', ids: [id, ...othersOf(id, offer, list, job)]}),
		compareUnavailable: () =>
			othersOf(id, offer, list, job).length === 0
				? 'no other offer is marked, and the list has no equal one'
				: undefined,
		refresh,
	};
}

/** Offers to compare with: the marked ones, else the cheapest equal ones. */
function othersOf(id: number, offer: Offer | undefined, list: List, job: Job): readonly number[] {
	const marked = (list?.marked() ?? []).filter(other => other.id !== id);
	const equals = offer === undefined ? [] : equalOffers(offer, list?.state.get().rows ?? [], job);
	return (marked.length > 0 ? marked : equals.slice(0, EQUALS_TO_COMPARE)).map(other => other.id);
}
