/** Remote state: which questions are asked of the service, and how long an answer is good for. */
import {environmentManager, hashKey, QueryClient} from '@tanstack/react-query';
import type {Client} from '../client/client.ts';
import type {OfferSearch} from '../contract/offer-search.ts';
import type {Offer} from '../contract/offers.ts';
import type {Memory} from './memory.ts';

export function createLive(): QueryClient {
	// Without a window it takes itself for a server, and then neither refreshes nor expires.
	environmentManager.setIsServer(() => false);
	return new QueryClient({
		defaultOptions: {
			queries: {
				retry: false,
				staleTime: 30_000,
				// Comparing thousands of rows field by field costs more than drawing them.
				structuralSharing: false,
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
				// What cannot be reached is said, not waited for.
				networkMode: 'always',
			},
		},
	});
}

type ClientSource = () => Promise<Client>;

const offersKey = (search: OfferSearch) => ['offers', search];

export function offersQuery(client: ClientSource, search: OfferSearch) {
	return {
		queryKey: offersKey(search),
		queryFn: async ({signal}: {readonly signal: AbortSignal}) =>
			(await client()).offers.search(search, {signal}),
	};
}

/** Shows what a search found last time until it has been asked again, and keeps what it finds. */
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
		live.setQueryData(key, seen.offers, {updatedAt: seen.at});
		// However short ago it was: it is a part of the list, and to be asked for again.
		void live.invalidateQueries({queryKey: key});
	}
	live.getQueryCache().subscribe(({query}) => {
		if (query.queryHash !== hash) return;
		const {data: offers, dataUpdatedAt: at} = live.getQueryState<Offer[]>(key) ?? {};
		if (offers === undefined || at === undefined || at === keptAt) return;
		keptAt = at;
		// What cannot be kept is not missed: the service will be asked again.
		memory.remember(service, search, {offers, at}).catch(() => undefined);
	});
}

/** Whether something was found by an earlier run of the program, and not by this one. */
export function isFromLastTime(at: number): boolean {
	return at !== 0 && at < performance.timeOrigin;
}
