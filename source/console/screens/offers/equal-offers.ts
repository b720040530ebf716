/** Offers of the same GPUs as another, to see what else there is for the money. */
import {costOf, type Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {shortPrice} from '../../../renter/text/format.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Compared} from './compared.ts';

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

type Candidate = Omit<Compared, 'turn'>;

/** Gives each offer its turn, the cheapest job first. What is gone has none, nor what is kept out. */
export function withTurns(
	offers: readonly Candidate[],
	reversed: readonly number[],
): readonly Compared[] {
	const order = offers
		.filter(candidate => !candidate.isGone && isTried(candidate, reversed))
		.toSorted((a, b) => jobOf(a) - jobOf(b))
		.map(({offer}) => offer.id);
	return offers.map(candidate => {
		const at = order.indexOf(candidate.offer.id);
		return {...candidate, turn: at < 0 ? undefined : at + 1};
	});
}

/** A host on which a boot of the user's never ended is kept out, unless they want it otherwise. */
function isTried(candidate: Candidate, reversed: readonly number[]): boolean {
	return isTrusted(candidate) !== reversed.includes(candidate.offer.id);
}

function isTrusted({host}: Pick<Candidate, 'host'>): boolean {
	return (host?.stuck.length ?? 0) === 0;
}

function jobOf({cost}: Candidate): number {
	return cost.job ?? Number.POSITIVE_INFINITY;
}

/** The offers to be tried after one of them, in their turn. */
export function triedAfter(offers: readonly Compared[], id: number): readonly number[] {
	return offers
		.filter(({offer, turn}) => turn !== undefined && offer.id !== id)
		.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
		.map(({offer}) => offer.id);
}
