/** Rents of agents without an answer, as lists show what became of them. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Client} from '../../client/client.ts';
import type {AgentRent, KnownRents} from './rents.ts';

type Renting = {
	readonly client: Client;
	readonly rents: KnownRents;
	readonly service: string;
};

/** Seconds after which a rent without a pending rent was never sent. */
export const NEVER_SENT_SECONDS = 120;

/** Notes what a list shows of rents without an answer, and which of them cannot arrive any more. */
export async function noteOutcomes(
	{client, rents, service}: Renting,
	instances: readonly Instance[],
): Promise<readonly AgentRent[]> {
	const known = await rents.read(service);
	const unheard = known.filter(({id, goneAt}) => id === undefined && goneAt === undefined);
	if (unheard.length === 0) return known;
	await client.pendingRents.review(instances);
	const {doubtful} = await client.pendingRents.repeatable();
	const mayArrive = new Set(doubtful.map(({token}) => token));
	const all = new Map((await client.pendingRents.all()).map(one => [one.token, one]));
	const goneAt = client.clock.now() / 1000;
	for (const {token, at} of unheard) {
		const state = all.get(token)?.state;
		const isUnsent = state === undefined && goneAt - at >= NEVER_SENT_SECONDS;
		const isOver = isUnsent || (state?.kind === 'not created' && !mayArrive.has(token));
		// oxlint-disable-next-line no-await-in-loop -- lines of one file
		if (state?.kind === 'created') await rents.note({token, id: state.id});
		// oxlint-disable-next-line no-await-in-loop -- as above
		else if (isOver) await rents.note({token, goneAt});
	}
	return rents.read(service);
}
