import type {Client} from '../../client/client.ts';
import type {Runtime} from '../base/runtime.ts';
import type {WorkQuery} from '../../client/nouns/machines.ts';

export type Heartbeat = {
	/** Present machines, and the market's relays, as of the last heartbeat. */
	readonly last: () => Presence;
	/**
	 * Sends the heartbeat with the machines that work, and returns the seconds until the next one.
	 */
	readonly show: (signal: AbortSignal) => Promise<number>;
	/** Disconnects all machines. */
	readonly leave: (signal: AbortSignal) => Promise<void>;
};

type Presence = {
	readonly machines: readonly number[];
	/** True if the market itself has a relay. */
	readonly hasRelay: boolean;
	/** Separate relays, and tickets for connections. */
	readonly relays: ReadonlyArray<{readonly url: string; readonly ticket: string}>;
};

type PresenceCalls = Pick<Client['hosts'], 'list' | 'heartbeat' | 'disconnect'>;

/** Shortest interval, even if the market asks for less. */
const LEAST_SECONDS = 1;

export function createHeartbeat(
	calls: PresenceCalls,
	runtime: Pick<Runtime, 'unwell'>,
	{machines: own, except = []}: AgentMachines = {},
): Heartbeat {
	const isOwn = (id: number) => own?.includes(id) !== false && !except.includes(id);
	let machines: readonly number[] = [];
	let isListed = false;
	let last: Presence = {machines: [], hasRelay: false, relays: []};
	let away: ReadonlySet<number> = new Set();

	return {
		last: () => last,
		async show(signal) {
			if (!isListed) machines = (await calls.list({signal})).map(({id}) => id).filter(isOwn);
			const unwell = runtime.unwell();
			const gone = machines.filter(id => unwell.get(id) === 'away');
			const leaving = gone.filter(id => !away.has(id));
			if (leaving.length > 0) await calls.disconnect(leaving, {signal});
			away = new Set(gone);
			const living = machines.filter(id => !unwell.has(id));
			const answer = await calls.heartbeat(living, {signal});
			const {every, unknown, relay: hasRelay = false, relays = []} = answer;
			last = {machines: living, hasRelay, relays};
			// Unknown machines were withdrawn or published again: the next heartbeat lists the
			// machines again.
			isListed = unknown.length === 0;
			return Math.max(LEAST_SECONDS, every);
		},
		async leave(signal) {
			const present = machines.filter(id => !away.has(id));
			if (present.length > 0) await calls.disconnect(present, {signal});
		},
	};
}

/** Machines of an agent: a list, or all except a list. */
export type AgentMachines = Pick<WorkQuery, 'machines' | 'except'>;
