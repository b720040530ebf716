/** Entries of the ledger. Every micro-dollar of an entry leaves one account and comes to another. */
import {MARKET, type Posting, type UnpaidUse, type Used} from '../database/account-tables.ts';

type Covering = {
	/** Money that the renter has for it beside what was paid ahead. */
	readonly credit: number;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
};

/**
 * Postings of all that a renter was charged for on a day. Providers earn what is covered: what was
 * paid ahead, and the credit for what was used first. The rest is unpaid use, and nobody's earnings.
 */
export function usagePostings(
	renter: number,
	used: readonly Used[],
	{credit, share}: Covering,
): readonly Posting[] {
	let left = Math.max(0, credit);
	const split = used.map(({prepaid = 0, micros, ...of}) => {
		const covered = Math.min(left, micros - prepaid);
		left -= covered;
		return {of, prepaid, covered, unpaid: micros - prepaid - covered};
	});
	const prepaid = split.reduce((sum, part) => sum + part.prepaid, 0);
	const paid = split.map(({of, covered, ...part}) => ({...of, micros: part.prepaid + covered}));
	return [
		{account: renter, book: 'credit', micros: prepaid - sumOf(used)},
		{account: renter, book: 'deposit', micros: -prepaid},
		...split.map(({of: {machineId, item}, unpaid: micros}): Posting => {
			return {account: renter, book: 'unpaid', micros, machineId, item};
		}),
		...earnedPostings(renter, paid, share),
	];
}

/** Postings of money that a renter has by now for what it owes, the oldest first. */
export function repaidPostings(
	renter: number,
	owed: readonly UnpaidUse[],
	{credit, share}: Covering,
): readonly Posting[] {
	let left = credit;
	const paid = owed.map(use => {
		const micros = Math.min(left, use.micros);
		left -= micros;
		return {...use, micros};
	});
	return [
		...paid.map(({machineId, item, micros}): Posting => {
			return {account: renter, book: 'unpaid', micros: -micros, machineId, item};
		}),
		...earnedPostings(renter, paid, share),
	];
}

/** What comes to the market alone, and is no provider's: debts that are no use, and their payment. */
export function marketPostings(renter: number, micros: number): readonly Posting[] {
	return [
		{account: renter, book: 'unpaid', micros},
		{account: MARKET, book: 'share', micros: -micros},
	];
}

/**
 * What comes to providers of what a renter has paid for, less the market's share: of what is used on a
 * machine of one's own there is none.
 */
function earnedPostings(
	renter: number,
	paid: readonly UnpaidUse[],
	share: number,
): readonly Posting[] {
	const earned = paid.map(({provider, machineId, item, micros}): Posting => {
		const isOwn = provider === renter;
		const of = {machineId, item: isOwn ? ('own' as const) : item};
		if (provider === null) return {account: MARKET, book: 'share', micros};
		return {account: provider, book: 'earnings', micros, ...of};
	});
	const byProvider = Map.groupBy(
		paid.filter(({provider}) => provider !== renter),
		({provider}) => provider,
	);
	const shares = [...byProvider].flatMap(([provider, theirs]) => {
		if (provider === null) return [];
		const micros = shareOf(sumOf(theirs), share);
		return [
			{account: provider, book: 'earnings', item: 'share', micros: -micros},
			{account: MARKET, book: 'share', item: 'share', micros},
		] as const;
	});
	return [...earned, ...shares];
}

/** The market's share of what a provider earns. */
export function shareOf(micros: number, share: number): number {
	return Math.round(micros * share);
}

export function sumOf(items: ReadonlyArray<{readonly micros: number}>): number {
	return items.reduce((sum, {micros}) => sum + micros, 0);
}
