/** Queries about the account. */
import type {Client} from '../../client/client.ts';
import type {BillingRecord} from '../../contract/nouns/billing.ts';
import {
	joinUnreadable,
	noneUnreadable,
	type Unreadable,
} from '../../contract/grammar/unreadable.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

export const accountKey = ['account', 'whole'] as const;

export function accountQuery(client: ClientSource) {
	return {
		queryKey: accountKey,
		queryFn: async ({signal}: Signal) => (await client()).account.current({signal}),
	};
}

/** Account of the API key: it tells the user's own templates from others. */
export function meQuery(client: ClientSource) {
	return {
		queryKey: ['account', 'id'],
		queryFn: async ({signal}: Signal) => (await (await client()).account.current({signal})).id,
		staleTime: Infinity,
	};
}

/** Days of charges that the account shows. */
export const DAYS = 14;
export const SECONDS_PER_DAY = 86_400;
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
		async queryFn({signal}: Signal): Promise<Charges> {
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
