/** The line over the rent form: the offer, what it costs as the form stands, and when that was read. */
import {spread} from '../../chrome.ts';
import {pricePerDay, pricePerHour, timeOfDay, gpusOf} from '../../../renter/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {RentFacts} from '../../../renter/orders/rent-facts.ts';
import {previewOf, type Preview} from '../../../renter/orders/preview.ts';

/** Differences below this are arithmetic. */
const LEAST_DIFFERENCE = 5e-5;

/** The price that was seen and the one of now, where they differ. */
export function movedFrom(seen: number | undefined, now: number | undefined): number | undefined {
	if (seen === undefined || now === undefined) return undefined;
	return Math.abs(seen - now) < LEAST_DIFFERENCE ? undefined : seen;
}

export function titleLine(facts: RentFacts, preview: Preview, width: number): string {
	const {offer, readAt, seen} = facts;
	const now = preview.cost.allIn;
	const before = movedFrom(previewOf({...facts, ...seen}, preview.values).cost.allIn, now);
	const moved = before === undefined ? '' : `${pricePerHour(before)} > `;
	const where = placeOf(offer.geolocation);
	const tried = facts.tried.length === 0 ? '' : `  next ${facts.tried.length}`;
	const read =
		readAt === undefined ? 'price of the list' : `price of ${timeOfDay(new Date(readAt))}`;
	const name = printable(`Rent > ${offer.id}  ${gpusOf(offer)} ${where}${tried}`);
	return spread(
		width,
		`${name}  ALL-IN ${moved}${pricePerHour(now)}  ${pricePerDay(preview.cost.perDay)}`,
		read,
	);
}

/** The country, which is the end of the place: "Sweden, SE" is SE. */
function placeOf(geolocation: string | null | undefined): string {
	return (geolocation ?? '').split(',').at(-1)?.trim() ?? '';
}
