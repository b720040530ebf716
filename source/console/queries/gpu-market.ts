/** Queries about the GPUs of the whole market. */
import type {Client} from '../../client/client.ts';

type ClientSource = () => Promise<Client>;
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

/** Last days of a GPU by its name; nothing is asked where there is none. */
export function gpuHistoryQuery(client: ClientSource, name: string | undefined, now: () => Date) {
	return {
		queryKey: ['gpu-market', 'history', name],
		async queryFn({signal}: Signal) {
			const end = Math.floor(now().getTime() / 1000);
			const step = (HISTORY_DAYS * DAY) / POINTS;
			const span = {start: end - HISTORY_DAYS * DAY, end, step};
			const {gpuMarket} = await client();
			const found = await gpuMarket.history([name ?? ''], span, {signal});
			// Undefined would say that nothing was asked.
			return found.get(name ?? '') ?? {};
		},
		enabled: name !== undefined,
		staleTime: FRESH_MS,
	};
}
