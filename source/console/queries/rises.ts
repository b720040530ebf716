import type {Client} from '../../client/client.ts';

/** Price increases that wait for an answer. */
export function risesQuery(client: () => Promise<Client>) {
	return {
		queryKey: ['price rises'],
		queryFn: async ({signal}: {readonly signal: AbortSignal}) =>
			(await client()).instances.priceIncreases({signal}),
		// Another place may have answered since.
		staleTime: 0,
	};
}
