/** The relays of a market: its own, and those beside it. */
import {createWorkSignal, type WorkSignal} from '../base/work-signal.ts';
import type {Database} from '../database/database.ts';
import type {RelayRow} from '../database/relay-tables.ts';
import {MOST_RELAYS} from '../../contract/nouns/hosts.ts';
import {printTicket, relaysFor} from './rules.ts';
import {listRelays, relaysInUse} from './relays-store.ts';
import {takeRelayPorts, type NumberedRelay, type RelayRange} from './store.ts';

/** The market's own relay, which listens at once at the ports that an instance has got. */
export type OwnPlace = RelayRange & {readonly open: (first: number) => Promise<void>};

/** Ports that an instance got. */
type GivenPorts = {readonly relayId: number | null; readonly first: number};

type NewInstance = {readonly id: number; readonly machineId: number; readonly now: number};

type Heard = {
	readonly accountId: number;
	readonly machines: readonly number[];
	readonly now: number;
};

export type Relays = {
	/** True if the market has a relay of its own. */
	readonly hasOwn: boolean;
	/** Gives a new instance its ports; without any left, it has none. Call it in a transaction. */
	readonly give: (database: Database, instance: NewInstance) => Promise<GivenPorts | undefined>;
	/** Has them listened at, once they are committed. */
	readonly open: (given: GivenPorts | undefined) => Promise<void>;
	/** The relays beside the market that an agent offers connections to, each with a ticket. */
	readonly ticketsFor: (
		database: Database,
		heard: Heard,
	) => Promise<ReadonlyArray<{readonly url: string; readonly ticket: string}>>;
	/** Waits for news of a relay. */
	readonly wait: WorkSignal['wait'];
	/** Ends all waiting. */
	readonly stop: () => void;
};

/** Time for which the list of relays is taken as it was read, for heartbeats. */
const KNOWN_SECONDS = 2;

/** @param own The market's own relay; undefined for none */
export function createRelays(own?: OwnPlace): Relays {
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
			// With a relay of the market's own, the others are for what it had no ports for.
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

/** A relay of the table as a range of ports. */
export function numbered({id, host, first_port, last_port}: RelayRow): NumberedRelay {
	return {id, host, first: first_port, last: last_port};
}
