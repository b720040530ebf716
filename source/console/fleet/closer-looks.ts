/** Looks at single instances between two lists: what boots under the cursor, and what shall be gone. */
import type {FleetRow} from './fleet-state.ts';
import type {Timers} from './timers.ts';

const EVERY_MS = 3000;

/** What is destroyed is gone sooner, or takes its time. */
const PROOF_MS = 60_000;

/** So many of what shall be gone are looked for at once; the list shows the others in its time. */
const MOST_AT_ONCE = 5;

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

	function due(): readonly number[] {
		const now = timers.now();
		const vanishing = rows()
			.filter(({seen: {destroyedAt = Number.NEGATIVE_INFINITY}}) => now - destroyedAt < PROOF_MS)
			.slice(0, MOST_AT_ONCE)
			.map(({instance: {id}}) => id);
		const row = rows().find(({instance: {id}}) => id === followed);
		const isBooting =
			row !== undefined && isWanted() && booting.has(row.instance.actual_status ?? null);
		return isBooting && !vanishing.includes(row.instance.id)
			? [row.instance.id, ...vanishing]
			: vanishing;
	}

	function plan(): void {
		if (isClosed || isLooking) return;
		if (due().length === 0) {
			cancel?.();
			cancel = undefined;
			return;
		}
		cancel ??= timers.after(EVERY_MS, () => void look());
	}

	async function look(): Promise<void> {
		cancel = undefined;
		isLooking = true;
		// What goes wrong here goes wrong with the next list too, and is said there.
		await Promise.allSettled(due().map(show));
		isLooking = false;
		plan();
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
