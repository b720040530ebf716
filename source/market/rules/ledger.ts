/** Entries of the ledger. Every micro-dollar of an entry leaves one account and comes to another. */
import {MARKET, type Posting, type Used} from '../store/account-tables.ts';

/**
 * Postings of all that a renter was charged for on a day: providers earn it less the market's share.
 * Of what is used on a machine of one's own the market has no share.
 */
export function usagePostings(
	renter: number,
	used: readonly Used[],
	share: number,
): readonly Posting[] {
	const earned = used.map(({provider, machineId, item, micros}): Posting => {
		const isOwn = provider === renter;
		return {account: provider, book: 'earnings', micros, machineId, item: isOwn ? 'own' : item};
	});
	const byProvider = Map.groupBy(
		used.filter(({provider}) => provider !== renter),
		({provider}) => provider,
	);
	const shares = [...byProvider].flatMap(([provider, theirs]) => {
		const micros = shareOf(sumOf(theirs), share);
		return [
			{account: provider, book: 'earnings', item: 'share', micros: -micros},
			{account: MARKET, book: 'share', item: 'share', micros},
		] as const;
	});
	const prepaid = used.reduce((sum, {prepaid: part = 0}) => sum + part, 0);
	return [
		{account: renter, book: 'credit', micros: prepaid - sumOf(used)},
		{account: renter, book: 'deposit', micros: -prepaid},
		...earned,
		...shares,
	];
}

/** The market's share of what a provider earns. */
export function shareOf(micros: number, share: number): number {
	return Math.round(micros * share);
}

export function sumOf(items: ReadonlyArray<{readonly micros: number}>): number {
	return items.reduce((sum, {micros}) => sum + micros, 0);
}
