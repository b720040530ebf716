/** Queries about the account. */
import type {Client} from '../../client/client.ts';

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
