/** Remote state: which questions are asked of the service, and how long an answer is good for. */
import {environmentManager, QueryClient} from '@tanstack/react-query';
import type {Client} from '../client/client.ts';
import type {OfferSearch} from '../contract/offer-search.ts';

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

export function offersQuery(client: ClientSource, search: OfferSearch) {
	return {
		queryKey: ['offers', search],
		queryFn: async ({signal}: {readonly signal: AbortSignal}) =>
			(await client()).offers.search(search, {signal}),
	};
}
