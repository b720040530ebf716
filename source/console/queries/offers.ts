/** Queries about offers, with the results of earlier runs. */
import {hashKey, type QueryClient} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import type {GpuHistory} from '../../contract/nouns/gpu-market.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import type {Job} from '../../contract/nouns/offer-cost.ts';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {noneUnreadable} from '../../contract/grammar/unreadable.ts';
import type {HostHistory} from '../../renter/offers/host-history.ts';
import type {Memory} from '../../renter/offers/memory.ts';
import {dependsOnTraffic, searchOffers, type Found} from '../../renter/offers/local-filter.ts';

type Signal = {readonly signal: AbortSignal};

export const HISTORY_DAYS = 7;

/** Services tell nothing newer. */
const FRESH_MS = 300_000;
const DAY = 86_400;
const POINTS = 24;

export function gpuMarketQuery(client: ClientSource) {
	return {
		queryKey: ['gpu-market', 'now'],
		queryFn: async ({signal}: Signal) => (await client()).gpuMarket.current({}, {signal}),
		staleTime: FRESH_MS,
	};
}

/** Prices of free GPUs of a name over the last days, 0 where unknown; nothing is asked without a name. */
export function gpuHistoryQuery(client: ClientSource, name: string | undefined, now: () => Date) {
	return {
		queryKey: ['gpu-market', 'history', name],
		async queryFn({signal}: Signal) {
			const end = Math.floor(now().getTime() / 1000);
			const step = (HISTORY_DAYS * DAY) / POINTS;
			const span = {start: end - HISTORY_DAYS * DAY, end, step};
			const {gpuMarket} = await client();
			const found = await gpuMarket.history([name ?? ''], span, {signal});
			return placed(found.get(name ?? '')?.pricing, {...span, step});
		},
		enabled: name !== undefined,
		staleTime: FRESH_MS,
	};
}

/** Prices at the points of a span, of which a service leaves out those that it does not know. */
function placed(
	pricing: GpuHistory['pricing'],
	{start, step}: {readonly start: number; readonly step: number},
): readonly number[] {
	const points = Array.from({length: POINTS + 1}, () => 0);
	for (const [index, at] of (pricing?.timestamps ?? []).entries()) {
		const point = Math.floor(at / step) - Math.floor(start / step);
		if (point in points) points[point] = pricing?.avail_median?.[index] ?? 0;
	}
	return points;
}

type ClientSource = () => Promise<Client>;

const offersKey = (search: OfferSearch) => ['offers', search];

/** Offers that match a search, for a job: what its traffic costs can be a part of the search. */
export function offersQuery(client: ClientSource, search: OfferSearch, job: Job) {
	const key = offersKey(search);
	return {
		queryKey: dependsOnTraffic(search, job) ? [...key, job] : key,
		queryFn: async ({signal}: {readonly signal: AbortSignal}) =>
			searchOffers(await client(), search, {job, signal}),
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
		const found: Found = {offers: seen.offers, unreadable: noneUnreadable, split: undefined};
		live.setQueryData(key, found, {updatedAt: seen.at});
		// A kept result is a part of the list, however new, so the service is asked again.
		void live.invalidateQueries({queryKey: key});
	}
	live.getQueryCache().subscribe(({query}) => {
		if (query.queryHash !== hash) return;
		const {data: found, dataUpdatedAt: at} = live.getQueryState<Found>(key) ?? {};
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
		const found = live.getQueryData<Found>(query?.queryKey ?? []);
		if (found === undefined) return;
		// A failed write is harmless: the price is seen again.
		hosts.sawOffers(found.offers, now()).catch(() => undefined);
	});
	return hosts;
}

/** The offers of all searches that were answered, in the order of the searches. */
export function seenOffers(live: QueryClient): readonly Offer[] {
	const answers = live.getQueriesData<Found>({queryKey: ['offers']});
	return answers.flatMap(([, found]) => found?.offers ?? []);
}
