/** In which order compared offers are tried, where the one that was wanted is gone. */
import type {Compared} from './compared.ts';

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
