/** Looks at one instance between two lists: the one that boots under the cursor. */
import type {FleetRow} from './fleet-state.ts';
import type {Timers} from '../timers.ts';

const EVERY_MS = 3000;

type Options = {
	readonly timers: Timers;
	readonly rows: () => readonly FleetRow[];
	/** Whether somebody watches. */
	readonly isWanted: () => boolean;
	readonly show: (id: number) => Promise<void>;
};

export function createCloserLooks({timers, rows, isWanted, show}: Options) {
	let followed: number | undefined;
	let cancel: (() => void) | undefined;
	let isLooking = false;
	let isClosed = false;

	/** The instance that is worth a look; undefined for none. */
	function due(): number | undefined {
		const row = rows().find(({instance: {id}}) => id === followed);
		const isBooting = row !== undefined && booting.has(row.instance.actual_status ?? null);
		return isBooting && isWanted() ? followed : undefined;
	}

	function plan(): void {
		if (isClosed || isLooking) return;
		if (due() === undefined) {
			cancel?.();
			cancel = undefined;
			return;
		}
		cancel ??= timers.after(EVERY_MS, () => void look());
	}

	async function look(): Promise<void> {
		cancel = undefined;
		const id = due();
		if (id === undefined) return;
		isLooking = true;
		try {
			await show(id);
		} catch {
			// What goes wrong here goes wrong with the next list too, and is said there.
		} finally {
			isLooking = false;
			plan();
		}
	}

	return {
		plan,
		follow(id: number | undefined) {
			followed = id;
			plan();
		},
		close() {
			isClosed = true;
			cancel?.();
		},
	};
}

const booting = new Set<string | null>([null, 'loading']);
