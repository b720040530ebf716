/** Queries about offers, with the results of earlier runs. */
import {hashKey, type QueryClient} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import type {GpuHistory} from '../../contract/nouns/gpu-market.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import type {Job} from '../../contract/nouns/offer-cost.ts';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {noneUnreadable} from '../../contract/grammar/unreadable.ts';
import {ownRents} from '../../renter/offers/own-rents.ts';
import type {HostHistory} from '../../renter/offers/host-history.ts';
import type {Memory} from '../../renter/offers/memory.ts';
import type {WordSearch} from '../../renter/offers/words/fields.ts';
import {
	dependsOnTraffic,
	searchOffers,
	type OfferSearchResult,
} from '../../renter/offers/local-filter.ts';

type Signal = {readonly signal: AbortSignal};

/** Time for which services have no newer figures. */
const FRESH_MS = 300_000;

export function gpuMarketQuery(client: ClientSource) {
	return {
		queryKey: ['gpu-market', 'now'],
		queryFn: async ({signal}: Signal) => (await client()).gpuMarket.current({}, {signal}),
		staleTime: FRESH_MS,
	};
}

/** Prices of one free GPU for an hour at a moment, in milliseconds since 1970; undefined if unknown. */
export type GpuPrice = {
	readonly at: number;
	readonly p10: number | undefined;
	readonly median: number | undefined;
	readonly p90: number | undefined;
};

type PriceSpan = {readonly fromMs: number; readonly stepMs: number};

/** Prices of free GPUs of a name since a moment; nothing is asked without a name. */
export function gpuHistoryQuery(
	client: ClientSource,
	name: string | undefined,
	{fromMs, stepMs}: PriceSpan,
) {
	return {
		queryKey: ['gpu-market', 'history', name, fromMs, stepMs],
		async queryFn({signal}: Signal): Promise<readonly GpuPrice[]> {
			const {gpuMarket} = await client();
			const span = {start: Math.floor(fromMs / 1000), step: Math.floor(stepMs / 1000)};
			const found = await gpuMarket.history([name ?? ''], span, {signal});
			return pricesOf(found.get(name ?? '')?.pricing);
		},
		enabled: name !== undefined,
		staleTime: FRESH_MS,
	};
}

/** Prices in the order of their times. */
function pricesOf(pricing: GpuHistory['pricing']): readonly GpuPrice[] {
	const {timestamps = [], avail_p10: low, avail_median: middle, avail_p90: high} = pricing ?? {};
	return timestamps
		.map((at, index) => ({
			at: at * 1000,
			p10: low?.[index] ?? undefined,
			median: middle?.[index] ?? undefined,
			p90: high?.[index] ?? undefined,
		}))
		.toSorted((a, b) => a.at - b.at);
}

type ClientSource = () => Promise<Client>;

const offersKey = (search: WordSearch) => ['offers', search];

/** Offers that match a search, for a job, whose traffic may count in the price. */
export function offersQuery(client: ClientSource, search: WordSearch, job: Job) {
	const key = offersKey(search);
	return {
		queryKey: dependsOnTraffic(search, job) ? [...key, job] : key,
		queryFn: async ({signal}: {readonly signal: AbortSignal}) =>
			searchOffers(await client(), search, {job, signal}),
	};
}

/** Rents from here, by the number of the offer. */
export function ownRentsQuery(client: ClientSource, now: () => Date) {
	return {
		queryKey: ['own rents'],
		queryFn: async () => ownRents(await (await client()).journal.read(), now().getTime()),
	};
}

/** The names of the GPUs that are offered: they change rarely. */
export function gpuNamesQuery(client: ClientSource) {
	return {
		queryKey: ['gpu names'],
		queryFn: async ({signal}: {readonly signal: AbortSignal}) =>
			(await client()).offers.gpuNames({signal}),
		staleTime: 300_000,
	};
}

/** Shows the kept result of a search until the service has answered, and keeps the answer. */
export function keepOffers(
	live: QueryClient,
	memory: Memory,
	service: string,
	search: OfferSearch,
): void {
	const key = offersKey(search);
	const hash = hashKey(key);
	const seen = memory.recall(service, search);
	let keptAt = seen?.at;
	if (seen !== undefined) {
		const found: OfferSearchResult = {
			offers: seen.offers,
			unreadable: noneUnreadable,
			split: undefined,
		};
		live.setQueryData(key, found, {updatedAt: seen.at});
		// A kept result is a part of the list, however new, so the service is asked again.
		void live.invalidateQueries({queryKey: key});
	}
	live.getQueryCache().subscribe(({query}) => {
		if (query.queryHash !== hash) return;
		const {data: found, dataUpdatedAt: at} = live.getQueryState<OfferSearchResult>(key) ?? {};
		if (found === undefined || at === undefined || at === keptAt) return;
		keptAt = at;
		// A failed write is harmless: the service will be asked again.
		memory.remember(service, search, {offers: found.offers, at}).catch(() => undefined);
	});
}

/** Notes the prices of what searches find in the history of hosts, and returns that. */
export function followPrices(live: QueryClient, hosts: HostHistory, now: () => Date): HostHistory {
	live.getQueryCache().subscribe(event => {
		if (event.type !== 'updated' || event.action.type !== 'success') return;
		const query = live.getQueryCache().get(event.query.queryHash);
		const [kind, search] = query?.queryKey ?? [];
		// Kept results were not seen now, and a price to bid is not the price of an offer.
		if (kind !== 'offers' || event.action.manual === true) return;
		if (!isRecord(search) || search['pricing'] !== 'on-demand') return;
		const found = live.getQueryData<OfferSearchResult>(query?.queryKey ?? []);
		if (found === undefined) return;
		// A failed write is harmless: the price is seen again.
		hosts.sawOffers(found.offers, now()).catch(() => undefined);
	});
	return hosts;
}

/** The offers of all searches that were answered, in the order of the searches. */
export function cachedOffers(live: QueryClient): readonly Offer[] {
	const answers = live.getQueriesData<OfferSearchResult>({queryKey: ['offers']});
	return answers.flatMap(([, found]) => found?.offers ?? []);
}
