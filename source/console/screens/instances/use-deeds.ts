import {useMemo} from 'react';
import type {Client} from '../../../client/client.ts';
import type {Fleet} from '../../fleet/fleet.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import type {Message} from '../../message.ts';
import {useServices} from '../../services.tsx';
import type {Deed} from './deeds.ts';
import {describeBeginning, describeOutcomes, endingAfter, endingOf, hasFailed} from './outcomes.ts';
import type {Ending, Outcome} from './outcomes.ts';
import {perHour} from './prices.ts';

type Say = (message: Message) => void;

/** Does what was agreed to, and says of each instance what came of it. */
export function useDeeds(say: Say) {
	const {client, fleet} = useServices();
	return useMemo(() => ({run: createRun(client, fleet, say)}), [client, fleet, say]);
}

type Run = (deed: Deed, rows: readonly FleetRow[]) => Promise<void>;

function createRun(client: () => Promise<Client>, fleet: Fleet, say: Say): Run {
	return async (deed, rows) => {
		say({text: describeBeginning(deed, rows.length), isError: false});
		// All at once: the client sends them as far apart as the service wants, and looks for all
		// of them in the same lists.
		const outcomes = await Promise.all(
			rows.map(async ({instance: {id}, rate}): Promise<Outcome> => {
				const ending = deed === 'destroy' ? destroy(client, fleet, id) : act(client, deed, id);
				return {id, ending: await ending, perHour: rate.atMost};
			}),
		);
		// What is gone is known to the fleet already.
		if (deed !== 'destroy') await fleet.refresh().catch(() => undefined);
		const isAnyGone = outcomes.some(({ending}) => ending.kind === 'gone');
		const left = isAnyGone ? ` What is left costs $${perHour(fleet.state.get().burn.now)}/h.` : '';
		say({text: describeOutcomes(deed, outcomes) + left, isError: outcomes.some(hasFailed)});
	};
}

/** Destroys one, and shows how that goes: accepted is not gone. */
async function destroy(client: () => Promise<Client>, fleet: Fleet, id: number): Promise<Ending> {
	const takeBack = fleet.noteDestroyed(id);
	const ending = await tried(async () => endingOf(await (await client()).instances.remove(id)));
	if (ending.kind === 'gone') fleet.noteGone(id);
	else if (ending.kind !== 'pending') takeBack();
	return ending;
}

async function act(
	client: () => Promise<Client>,
	deed: Exclude<Deed, 'destroy'>,
	id: number,
): Promise<Ending> {
	return tried(async () => {
		const {instances} = await client();
		if (deed === 'stop') return endingOf(await instances.halt(id));
		if (deed === 'start') {
			const {isQueued} = await instances.start(id);
			return {kind: isQueued ? 'queued' : 'done'};
		}
		await instances[deed](id);
		return {kind: 'done'};
	});
}

async function tried(attempt: () => Promise<Ending>): Promise<Ending> {
	try {
		return await attempt();
	} catch (error) {
		return endingAfter(error);
	}
}
