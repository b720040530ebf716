/** Offers of the same GPUs as another, to see what else there is for the money. */
import {costOf, type Job} from '../../../contract/offer-cost.ts';
import type {Offer} from '../../../contract/offers.ts';
import {shortPrice} from '../../../renter/format.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../theme.ts';

/** More than fit beside each other in a comparison. */
const MOST_EQUALS = 12;

/** The other offers of as many of the same GPU, the cheapest first. */
export function equalOffers(offer: Offer, rows: readonly Offer[], job: Job): readonly Offer[] {
	const {id, gpu_name: gpu, num_gpus: gpus} = offer;
	if (gpu === undefined || gpus === undefined) return [];
	return rows
		.filter(other => other.id !== id && other.gpu_name === gpu && other.num_gpus === gpus)
		.map(other => ({other, price: costOf(other, job).allIn ?? Number.POSITIVE_INFINITY}))
		.toSorted((a, b) => a.price - b.price || a.other.id - b.other.id)
		.slice(0, MOST_EQUALS)
		.map(({other}) => other);
}

/** Equal offers with their prices on a line, as many as fit. */
export function equalsLine(
	theme: Theme,
	width: number,
	equals: readonly Offer[],
	job: Job,
): string {
	const title = 'EQUAL OFFERS';
	const tail = equals.length === 0 ? '  none in the list' : '  (= compares)';
	let line = '';
	for (const other of equals) {
		const next = `   ${other.id} ${shortPrice(costOf(other, job).allIn)}`;
		if (widthOf(title + line + next + tail) > width) break;
		line += next;
	}
	return theme.style('heading', title) + fit(line + tail, width - title.length);
}
