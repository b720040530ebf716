import {useMemo} from 'react';
import type {Client} from '../../../client/client.ts';
import type {Fleet} from '../../fleet/fleet.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import type {Message} from '../../message.ts';
import {useServices} from '../../services.tsx';
import {describeOutcomes} from './deeds.ts';
import type {Deed, Outcome} from './deeds.ts';
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
		const outcomes: Outcome[] = [];
		// One after the other, so that a service that wants fewer calls refuses as few as possible.
		for (const row of rows) {
			outcomes.push(await attempt(client, deed, row));
			const last = outcomes.at(-1);
			if (deed === 'destroy' && last?.error === undefined) fleet.noteDestroyed(row.instance.id);
		}
		const isError = outcomes.some(({error}) => error !== undefined);
		say({text: describeOutcomes(deed, outcomes), isError});
		const accepted = outcomes.filter(({error}) => error === undefined).map(({id}) => id);
		await fleet.refresh().catch(() => undefined);
		if (deed !== 'destroy' || accepted.length === 0) return;
		const gone = await findGone(fleet, accepted);
		const {burn} = fleet.state.get();
		const left = gone.size === 0 ? '' : ` What is left costs $${perHour(burn.now)}/h.`;
		say({
			text: describeOutcomes(deed, outcomes, gone) + left,
			isError: isError || gone.size < accepted.length,
		});
	};
}

async function attempt(
	client: () => Promise<Client>,
	deed: Deed,
	{instance: {id}, rate}: FleetRow,
): Promise<Outcome> {
	try {
		await (await client()).instances[deed](id);
		return {id, perHour: rate.atMost};
	} catch (error) {
		const failure = error instanceof Error ? error : new Error(String(error));
		return {id, error: failure, perHour: rate.atMost};
	}
}

/** Waits until all of them are gone, or one of them is still listed after too long. */
async function findGone(fleet: Fleet, ids: readonly number[]): Promise<ReadonlySet<number>> {
	const look = () => {
		const present = new Map(fleet.state.get().rows.map(row => [row.instance.id, row.condition]));
		const conditions = ids.map(id => present.get(id) ?? 'gone');
		return {
			gone: new Set(ids.filter((_, at) => conditions[at] === 'gone')),
			isOver: conditions.every(condition => condition === 'gone' || condition === 'undead'),
		};
	};
	return new Promise(resolve => {
		const stop = fleet.state.subscribe(check);
		check();
		function check(): void {
			const {gone, isOver} = look();
			if (!isOver) return;
			// It may be over before there is something to stop.
			queueMicrotask(() => stop());
			resolve(gone);
		}
	});
}
