/** The relays of a market: its own, and separate ones. */
import {createWorkSignal, type WorkSignal} from '../base/work-signal.ts';
import type {Database} from '../database/database.ts';
import type {RelayRow} from '../database/relay-tables.ts';
import {MOST_RELAYS} from '../../contract/nouns/hosts.ts';
import {printTicket, relaysFor} from './rules.ts';
import {listRelays, relaysInUse} from './relays-store.ts';
import {takeRelayPorts, type NumberedRelay, type RelayRange} from './store.ts';

/** The market's own relay, which listens at an instance's ports as soon as they are assigned. */
export type OwnRelayRange = RelayRange & {readonly open: (first: number) => Promise<void>};

type GivenPorts = {readonly relayId: number | null; readonly first: number};

type NewInstance = {readonly id: number; readonly machineId: number; readonly now: number};

type Heard = {
	readonly accountId: number;
	readonly machines: readonly number[];
	readonly now: number;
};

export type Relays = {
	readonly hasOwn: boolean;
	/** Assigns ports to a new instance, none if all are taken. Call it in a transaction. */
	readonly give: (database: Database, instance: NewInstance) => Promise<GivenPorts | undefined>;
	/** Opens the assigned ports, once they are committed. */
	readonly open: (given: GivenPorts | undefined) => Promise<void>;
	/** The separate relays that an agent connects to, each with a ticket. */
	readonly ticketsFor: (
		database: Database,
		heard: Heard,
	) => Promise<ReadonlyArray<{readonly url: string; readonly ticket: string}>>;
	readonly wait: WorkSignal['wait'];
	readonly stop: () => void;
};

/** Time for which heartbeats use the list of relays as it was read. */
const KNOWN_SECONDS = 2;

/** @param own The market's own relay; undefined for none */
export function createRelays(own?: OwnRelayRange): Relays {
	const signal = createWorkSignal();
	let known: {readonly relays: readonly RelayRow[]; readonly at: number} | undefined;

	async function recent(database: Database, now: number): Promise<readonly RelayRow[]> {
		if (known !== undefined && Math.abs(now - known.at) < KNOWN_SECONDS) return known.relays;
		known = {relays: await listRelays(database), at: now};
		return known.relays;
	}

	return {
		hasOwn: own !== undefined,
		async give(database, {id, machineId, now}) {
			const others = relaysFor(machineId, await listRelays(database), now).map(numbered);
			const all = own === undefined ? others : [{...own, id: null}, ...others];
			for (const relay of all) {
				const first = await takeRelayPorts(database, relay, id);
				if (first !== undefined) return {relayId: relay.id, first};
			}
			return undefined;
		},
		async open(given) {
			if (given === undefined) return;
			if (given.relayId === null) await own?.open(given.first);
			else signal.send(given.relayId);
		},
		async ticketsFor(database, {accountId, machines, now}) {
			const relays = await recent(database, now);
			if (relays.length === 0 || machines.length === 0) return [];
			const used = new Set(await relaysInUse(database, machines));
			// If the market has a relay of its own, the others only serve instances for which it
			// has no ports left.
			if (own === undefined) {
				for (const id of machines) {
					const [first] = relaysFor(id, relays, now);
					if (first !== undefined) used.add(first.id);
				}
			}
			const wanted = relays.filter(({id}) => used.has(id)).slice(0, MOST_RELAYS);
			return wanted.map(relay => ({
				url: relay.url,
				ticket: printTicket(relay, {accountId, machines}, now),
			}));
		},
		wait: signal.wait,
		stop: signal.stop,
	};
}

/** A row of the relay table as a range of ports. */
export function numbered({id, host, first_port, last_port}: RelayRow): NumberedRelay {
	return {id, host, first: first_port, last: last_port};
}
