/** Looks at one instance between two lists: the one that boots under the cursor. */
import type {Poller, Polling} from '../polling.ts';
import type {Timers} from '../timers.ts';
import type {FleetRow} from './fleet-state.ts';

const EVERY_MS = 3000;

type Options = {
	readonly timers: Timers;
	readonly polling: Polling;
	readonly rows: () => readonly FleetRow[];
	/** True while somebody watches. */
	readonly isWanted: () => boolean;
	readonly show: (id: number) => Promise<void>;
};

export type CloserLooks = Pick<Poller, 'plan' | 'close'> & {
	readonly follow: (id: number | undefined) => void;
};

export function createCloserLooks(options: Options): CloserLooks {
	const {timers, polling, rows, isWanted, show} = options;
	let followed: number | undefined;
	/** The moment since which an instance is worth a look; undefined while none is. */
	let since: number | undefined;

	function due(): number | undefined {
		const row = rows().find(({instance: {id}}) => id === followed);
		const isBooting = row !== undefined && booting.has(row.instance.actual_status ?? null);
		return isBooting && isWanted() ? followed : undefined;
	}

	const poller = polling.start({
		dueAt(lastAt) {
			since = due() === undefined ? undefined : (since ?? timers.now());
			return since === undefined ? undefined : Math.max(lastAt, since) + EVERY_MS;
		},
		async ask() {
			const id = due();
			// What goes wrong here goes wrong with the next list too, and is said there.
			if (id !== undefined) await show(id);
		},
	});
	return {
		plan: poller.plan,
		follow(id) {
			followed = id;
			poller.plan();
		},
		close: poller.close,
	};
}

const booting = new Set<string | null>([null, 'loading']);
