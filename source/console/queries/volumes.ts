/** Queries about volumes. */
import type {Client} from '../../client/client.ts';
import type {VolumeSearch} from '../../contract/nouns/volume-search.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

/** The beginning of every question about volumes: a change makes all of them old. */
export const volumesKey = ['volumes'] as const;

export function volumesQuery(client: ClientSource) {
	return {
		queryKey: [...volumesKey, 'own'],
		queryFn: async ({signal}: Signal) => (await client()).volumes.list({signal}),
	};
}

/** Machines with room for a new volume. */
export function roomQuery(client: ClientSource, search: Partial<VolumeSearch>) {
	return {
		queryKey: [...volumesKey, 'room', search],
		queryFn: async ({signal}: Signal) => (await client()).volumes.search(search, {signal}),
	};
}
