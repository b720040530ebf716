/** Remote state: how long an answer of the service is good for. */
import {environmentManager, QueryClient} from '@tanstack/react-query';

/** The one owner of what was asked of the service; `queries/` says what is asked. */
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
