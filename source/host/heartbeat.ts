/** Sends heartbeats of the host's machines. */
import type {Client} from '../client/client.ts';
import type {Runtime} from './runtime.ts';
import type {WorkQuery} from '../client/nouns/machines.ts';

export type Heartbeat = {
	/** Says which machines live and which go, and answers after how many seconds to say so again. */
	readonly show: (signal: AbortSignal) => Promise<number>;
	/** Disconnects all machines. */
	readonly leave: (signal: AbortSignal) => Promise<void>;
};

type PresenceCalls = Pick<Client['hosts'], 'list' | 'heartbeat' | 'disconnect'>;

/** Shortest interval, whatever the market asks for. */
const LEAST_SECONDS = 1;

export function createHeartbeat(
	calls: PresenceCalls,
	runtime: Pick<Runtime, 'unwell'>,
	{machines: own, except = []}: Share = {},
): Heartbeat {
	const isOwn = (id: number) => own?.includes(id) !== false && !except.includes(id);
	let machines: readonly number[] = [];
	let isListed = false;
	let away: ReadonlySet<number> = new Set();

	return {
		async show(signal) {
			if (!isListed) machines = (await calls.list({signal})).map(({id}) => id).filter(isOwn);
			const unwell = runtime.unwell();
			const gone = machines.filter(id => unwell.get(id) === 'away');
			const leaving = gone.filter(id => !away.has(id));
			if (leaving.length > 0) await calls.disconnect(leaving, {signal});
			away = new Set(gone);
			const living = machines.filter(id => !unwell.has(id));
			const {every, unknown} = await calls.heartbeat(living, {signal});
			// Some were withdrawn, or others published: they are listed anew next time.
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
export type Share = Pick<WorkQuery, 'machines' | 'except'>;
