/** Recent charges, added up by source and by day. */
import type {Client} from '../../../client/client.ts';
import type {BillingRecord} from '../../../contract/billing.ts';
import {joinUnreadable, noneUnreadable, type Unreadable} from '../../../contract/unreadable.ts';

type ClientSource = () => Promise<Client>;

export const DAYS = 14;
const SECONDS_PER_DAY = 86_400;
/** Of each page the service answers at most so many; more pages than this are not asked for. */
const PAGE = 100;
const MOST_PAGES = 20;

/** Charge of an instance or a volume on a day. */
export type Charge = {
	readonly source: string;
	readonly description: string;
	/** The day in UTC, counted from 1970; undefined where the service does not say when it was. */
	readonly day: number | undefined;
	readonly dollars: number;
};

export type Charges = {
	readonly list: readonly Charge[];
	/** There are more charges than were requested. */
	readonly isCut: boolean;
	/** Charges that could not be read: they are in no sum. */
	readonly unreadable: Unreadable;
	/** The day of the last column, counted from 1970. */
	readonly today: number;
};

export function chargesQuery(client: ClientSource, now: () => Date) {
	return {
		queryKey: ['charges', DAYS],
		async queryFn({signal}: {readonly signal: AbortSignal}): Promise<Charges> {
			const until = Math.floor(now().getTime() / 1000);
			const today = Math.floor(until / SECONDS_PER_DAY);
			const from = (today - DAYS + 1) * SECONDS_PER_DAY;
			const {billing} = await client();
			const list: Charge[] = [];
			let after: string | undefined;
			let unreadable = noneUnreadable;
			for (let page = 0; page < MOST_PAGES; page++) {
				const wanted = {from, until, latestFirst: true, limit: PAGE, after};
				const {records, next, unreadable: more} = await billing.charges(wanted, {signal});
				list.push(...records.map(chargeOf));
				unreadable = joinUnreadable(unreadable, more);
				if (next === undefined) return {list, isCut: false, unreadable, today};
				after = next;
			}
			return {list, isCut: true, unreadable, today};
		},
		staleTime: 60_000,
	};
}

function chargeOf({source, description, start, end, amount}: BillingRecord): Charge {
	const at = start ?? end ?? undefined;
	return {
		source: source ?? '',
		description: description ?? source ?? '',
		day: at === undefined ? undefined : Math.floor(at / SECONDS_PER_DAY),
		dollars: amount,
	};
}

/** A line of the table: an instance, a volume or a day, with what it cost. */
export type Sum = {
	readonly id: number;
	readonly name: string;
	readonly dollars: number;
	/** Count of days, or of sources, in the sum. */
	readonly parts: number;
	readonly share: number;
};

export type Grouping = 'thing' | 'day';

/** Adds charges up, the dearest first, or the latest day first. */
export function sumsOf({list}: Pick<Charges, 'list'>, by: Grouping): readonly Sum[] {
	const groups = Map.groupBy(list, charge => (by === 'thing' ? charge.source : charge.day));
	const total = totalOf(list);
	const sums = [...groups.entries()].map(([key, charges]) => {
		const dollars = totalOf(charges);
		const [first] = charges;
		return {
			day: first?.day ?? 0,
			name: by === 'thing' ? (first?.description ?? '') : dayText(Number(key)),
			dollars,
			parts: new Set(charges.map(charge => (by === 'thing' ? charge.day : charge.source))).size,
			share: total === 0 ? 0 : dollars / total,
		};
	});
	const ordered = sums.toSorted((a, b) => (by === 'thing' ? b.dollars - a.dollars : b.day - a.day));
	return ordered.map(({name, dollars, parts, share}, id) => ({id, name, dollars, parts, share}));
}

/** Dollars of each of the last days, today last. */
export function perDay({list, today}: Pick<Charges, 'list' | 'today'>): readonly number[] {
	return Array.from({length: DAYS}, (_, index) =>
		totalOf(list.filter(({day}) => day === today - DAYS + 1 + index)),
	);
}

function totalOf(charges: readonly Charge[]): number {
	return charges.reduce((sum, {dollars}) => sum + dollars, 0);
}

/** The date of a day: 2026-11-21, as bills have it. */
export function dayText(day: number): string {
	return Number.isFinite(day)
		? new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10)
		: '-';
}
