/** A rental on its way: its form, its facts, and its phase. */
import type {InstanceOrder} from '../../../contract/nouns/creation-request.ts';
import type {PendingRent} from '../../../client/rentals/pending-rent.ts';
import type {FormState} from '../../ui/form-state.ts';
import {keptByStackEntry, type StackEntry, type Router} from '../../services/router.ts';
import {createStore, type Store} from '../../../renter/state/store.ts';
import type {OrderCheck} from '../../../renter/orders/check.ts';
import type {OverBudget} from '../../../renter/instance/cost.ts';
import type {Priced, RentFacts} from '../../../renter/orders/rent-facts.ts';
import type {NextOffer} from '../../../renter/orders/next-offers.ts';
import {type Preview, previewOf} from '../../../renter/orders/preview.ts';
import type {LeasedRent} from '../../../renter/orders/leased-order.ts';
import type {RentMessage} from './rent-message.ts';
import type {Message} from '../../ui/message.ts';
import type {Services} from '../../services/services.tsx';
import {titleWithFacts} from '../../ui/chrome.ts';
import {
	LEAST_PRICE_DIFFERENCE,
	pricePerDay,
	pricePerHour,
	timeOfDay,
	formatGpus,
} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';

/** The price that was seen and the one of now, where they differ. */
export function movedFrom(shown: number | undefined, now: number | undefined): number | undefined {
	if (shown === undefined || now === undefined) return undefined;
	return Math.abs(shown - now) < LEAST_PRICE_DIFFERENCE ? undefined : shown;
}

export function titleLine(facts: RentFacts, preview: Preview, width: number): string {
	const {offer, readAt, shown} = facts;
	const now = preview.cost.allIn;
	const before = movedFrom(previewOf({...facts, ...shown}, preview.values).cost.allIn, now);
	const moved = before === undefined ? '' : `${pricePerHour(before)} > `;
	const where = locationText(offer.geolocation);
	const tried = facts.tried.length === 0 ? '' : `  next ${facts.tried.length}`;
	const read =
		readAt === undefined ? 'price of the list' : `price of ${timeOfDay(new Date(readAt))}`;
	const name = printable(`Rent > ${offer.id}  ${formatGpus(offer)} ${where}${tried}`);
	const price = `ALL-IN ${moved}${pricePerHour(now)}`;
	return titleWithFacts(width, {
		name,
		facts: [price, pricePerDay(preview.cost.perDay)],
		right: read,
	});
}

/** The country, which is the end of the location: "Sweden, SE" is SE. */
function locationText(geolocation: string | null | undefined): string {
	return (geolocation ?? '').split(',').at(-1)?.trim() ?? '';
}

/** Order that the review confirms: later changes of the form are not part of it. */
export type Reviewed = {
	readonly priced: Priced;
	readonly order: InstanceOrder;
	readonly preview: Preview;
	readonly checks: readonly OrderCheck[];
	readonly overBudget: OverBudget | undefined;
	/** Undefined for an order without a lease. */
	readonly lease: LeasedRent | undefined;
	/** Price in the form before the review read it again; dollars an hour. */
	readonly shownPrice: number | undefined;
};

export type RentPhase =
	| {readonly kind: 'form'}
	/** The price and other changing facts are read again. */
	| {readonly kind: 'reading'}
	| {readonly kind: 'review'; readonly reviewed: Reviewed}
	/** The order was sent. No second one can be sent before its outcome is known. */
	| {
			readonly kind: 'sending';
			readonly reviewed: Reviewed;
			readonly isInDoubt: boolean;
			readonly isWarned: boolean;
	  }
	| {
			readonly kind: 'gone';
			readonly message: RentMessage;
			/** Undefined while the offers are searched. */
			readonly next: readonly NextOffer[] | undefined;
			/** The disk that their totals contain. */
			readonly pricedGb: number;
	  }
	| {readonly kind: 'refused'; readonly message: RentMessage}
	| {
			readonly kind: 'unknown';
			readonly message: RentMessage;
			readonly pending: PendingRent;
			readonly reviewed: Reviewed;
	  }
	/** The instance was created while the user was on another screen. */
	| {readonly kind: 'created'; readonly id: number};

export type Rent = {
	readonly form: Store<FormState>;
	readonly facts: Store<RentFacts>;
	readonly phase: Store<RentPhase>;
};

export type RentOpening =
	| {readonly kind: 'asking'}
	| {readonly kind: 'failed'; readonly title: string; readonly lines: readonly string[]}
	| {readonly kind: 'open'; readonly rent: Rent};

export const openingAt = keptByStackEntry(() => createStore<RentOpening>({kind: 'asking'}));

/** An opening begins once, however often its screen is drawn. */
export const beginningAt = keptByStackEntry(() => createStore(false));

export type Renting = {
	readonly rent: Rent;
	readonly services: Services;
	readonly say: (message: Message) => void;
	readonly router: Router;
	readonly stackEntry: StackEntry;
};
