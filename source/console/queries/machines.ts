/** Queries about the machines of a provider. */
import type {Client} from '../../client/client.ts';
import type {FleetState} from '../../renter/fleet/fleet-state.ts';
import {createStore, type Readable, type Store} from '../../renter/state/store.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

const machinesKey = ['machines'] as const;

export function machinesQuery(client: ClientSource, hasMachines: Store<boolean | undefined>) {
	return {
		queryKey: machinesKey,
		async queryFn({signal}: Signal) {
			const found = await (await client()).machines.list({signal});
			hasMachines.set(found.machines.length > 0);
			return found;
		},
	};
}

/** Asks once whether the account has machines, after all that renters wait for. */
export function machinePresence(
	client: ClientSource,
	fleet: Readable<FleetState>,
): {readonly hasMachines: Store<boolean | undefined>; readonly stop: () => void} {
	const hasMachines = createStore<boolean | undefined>(undefined);
	const leaving = new AbortController();
	let isAsked = false;
	const unsubscribe = fleet.subscribe(() => {
		if (isAsked || fleet.get().checkedAt === undefined) return;
		isAsked = true;
		const asked = machinesQuery(client, hasMachines);
		// Whoever may not ask, or asks a service without machines, has no tab for them.
		asked.queryFn({signal: leaving.signal}).catch(() => undefined);
	});
	return {
		hasMachines,
		stop() {
			unsubscribe();
			leaving.abort();
		},
	};
}
