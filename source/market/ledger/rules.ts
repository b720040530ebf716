/** Entries of the ledger, whose postings sum to zero, and earnings in the form for providers. */
import {MARKET, type Posting, type UnpaidUse, type Used} from '../database/account-tables.ts';
import type {ChargeItem} from '../database/instance-tables.ts';
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

type Covering = {
	/** The renter's credit, beside the deposit. */
	readonly credit: number;
	/** The market's share of what providers earn, from 0 to 1. */
	readonly share: number;
};

/**
 * Postings of a renter's charges on a day. Providers earn the covered part: usage that was paid ahead,
 * and the earliest usage that the credit pays. The rest is unpaid use.
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

/** Postings of unpaid use that a renter's credit now covers, the oldest first. */
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

/** Postings of a debt without use, as after a refund, which is owed to the market alone. */
export function marketPostings(renter: number, micros: number): readonly Posting[] {
	return [
		{account: renter, book: 'unpaid', micros},
		{account: MARKET, book: 'share', micros: -micros},
	];
}

/**
 * Postings of providers' earnings, less the market's share, which is not due for a provider's use of
 * its own machine.
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
		const micros = Math.round(sumOf(theirs) * share);
		return [
			{account: provider, book: 'earnings', item: 'share', micros: -micros},
			{account: MARKET, book: 'share', item: 'share', micros},
		] as const;
	});
	return [...earned, ...shares];
}

function sumOf(items: ReadonlyArray<{readonly micros: number}>): number {
	return items.reduce((sum, {micros}) => sum + micros, 0);
}

type Query = Partial<Readonly<Record<'sday' | 'eday' | 'last_days', number | null | undefined>>>;

const MOST_DAYS = 366;
const USUAL_DAYS = 30;

/**
 * Days of a query, both ends included.
 *
 * @throws Refusal for impossible days.
 */
export function daysOf({sday, eday, last_days: last}: Query, today: number) {
	const count = Math.floor(last ?? USUAL_DAYS);
	const isSpan = last === undefined || last === null;
	const end = isSpan && eday !== undefined && eday !== null ? Math.floor(eday) : today;
	const start = isSpan && sday !== undefined && sday !== null ? Math.floor(sday) : end - count + 1;
	if (count >= 1 && start <= end && end - start < MOST_DAYS) return {first: start, last: end};
	throw new Refusal('badArguments', `The days must be at least one, and at most ${MOST_DAYS}.`);
}

type Earned = {
	readonly day: number;
	readonly machineId: number;
	readonly item: ChargeItem;
	readonly micros: number;
};

type Account = {
	readonly owed: {readonly grossMicros: number; readonly shareMicros: number};
	readonly account: {
		readonly username: string | null;
		readonly email: string | null;
		readonly fullname: string | null;
		readonly creditMicros: number;
		/** Facts that the owner has set. */
		readonly details: Readonly<Record<string, unknown>>;
	};
};

export function earningsRecord(earned: readonly Earned[], {owed, account}: Account) {
	const {gpu_earn, sto_earn, bwu_earn, bwd_earn} = sums(earned);
	const byMachine = Map.groupBy(earned, ({machineId}) => machineId);
	const byDay = Map.groupBy(earned, ({day}) => day);
	const {grossMicros, shareMicros} = owed;
	return {
		summary: {
			total_gpu: gpu_earn,
			total_stor: sto_earn,
			total_bwu: bwu_earn,
			total_bwd: bwd_earn,
		},
		current: {
			balance: dollars(grossMicros),
			service_fee: dollars(shareMicros),
			total: dollars(grossMicros - shareMicros),
			credit: dollars(account.creditMicros),
		},
		per_machine: [...byMachine].map(([id, rows]) => ({machine_id: id, ...sums(rows)})),
		per_day: [...byDay]
			.toSorted(([one], [other]) => one - other)
			.map(([day, rows]) => ({day, ...sums(rows)})),
		username: account.username ?? '',
		email: account.email ?? '',
		fullname: account.fullname ?? '',
		...addressIn(account.details),
	};
}

/** The billing address, with the fields that were set. */
function addressIn(details: Account['account']['details']) {
	const field = (name: string) => {
		const text = details[`billaddress_${name}`];
		return typeof text === 'string' ? text : '';
	};
	return {
		address1: field('line1'),
		address2: field('line2'),
		city: field('city'),
		zip: field('zip'),
		country: field('country'),
		taxinfo: field('taxinfo'),
	};
}

function sums(rows: readonly Earned[]) {
	const earned = (...wanted: readonly ChargeItem[]) =>
		dollars(rows.reduce((sum, {item, micros}) => (wanted.includes(item) ? sum + micros : sum), 0));
	return {
		gpu_earn: earned('gpu', 'end'),
		sto_earn: earned('disk'),
		bwu_earn: earned('bwu'),
		bwd_earn: earned('bwd'),
	};
}

function dollars(micros: number): number {
	return micros / MICROS_PER_DOLLAR;
}
