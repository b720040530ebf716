/** Instances that are due where no whole list says anything of them: each is read by its own record. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Clocks} from './clocks.ts';
import type {GuardOptions} from './ending.ts';
import {leaseOf, type Held} from './held.ts';
import {leaseKey, slackSeconds, type Lease} from '../words/lease.ts';
import type {Watched} from './watched.ts';

type Listed = Held & {readonly instance: Instance};

type Judging = {
	readonly watched: {
		readonly all: () => ReadonlyArray<readonly [id: number, watched: Watched]>;
		readonly get: (id: number) => Watched | undefined;
	};
	/** Judges it by its deadline alone; true if it ends. */
	readonly judge: (listed: Listed, clocks: Clocks, isAlone: true) => Promise<boolean>;
};

type Due = {readonly id: number; readonly label: string; readonly lease: Lease | undefined};

/** Records that are read in one look, however many instances a service invents. */
const MOST_RECORDS = 50;

/** Chooses so many at a time, in turn: none comes twice before all that are left have come. */
export function createTurns(most: number) {
	let taken: ReadonlySet<number> = new Set();
	return (ids: readonly number[]): readonly number[] => {
		const fresh = ids.filter(id => !taken.has(id));
		const left = fresh.length > 0 ? fresh : ids;
		const turn = left.slice(0, most);
		taken = new Set(left.length > most ? [...taken, ...turn] : []);
		return turn;
	};
}

/** An instance that could not be judged is late so many seconds after its deadline. */
const LATE_SECONDS = 60;

export function createDueLook(
	{client, steady, now, tell, signal}: GuardOptions,
	{watched, judge}: Judging,
) {
	/** Keys of the leases that were said to be late, by instance. */
	const told = new Map<number, string>();
	const inTurn = createTurns(MOST_RECORDS);

	/** Seconds since its deadline, by the time that counts for it. */
	function overdue({id, lease}: Due): number {
		const clock = watched.get(id)?.clock;
		const time = clock ? clock.time + steady() - clock.steady : (client.clock.heard()?.date ?? 0);
		return lease?.endsAt === undefined ? -1 : time / 1000 - lease.endsAt;
	}

	/** True if it ends, or has ended. */
	async function judgeOwn(id: number): Promise<boolean> {
		const before = client.clock.heard()?.answers ?? 0;
		const record = await client.instances.show(id, {signal});
		const heard = client.clock.heard();
		const isDated = heard !== undefined && heard.answers > before;
		if (record?.id !== id || !isDated) return record === undefined;
		const clocks = {date: heard.date, wall: now(), steady: steady()};
		return judge({instance: record, ...leaseOf(record)}, clocks, true);
	}

	function tellLate({id, label, lease}: Due, seconds: number): void {
		if (lease === undefined || seconds < LATE_SECONDS + slackSeconds(lease)) return;
		const due = leaseKey(lease);
		if (told.get(id) === due) return;
		told.set(id, due);
		tell({kind: 'late', id, label, seconds: Math.round(seconds), due});
	}

	/** @param listed what a list shows that is not whole */
	return async (listed: readonly Listed[]): Promise<void> => {
		const known = new Map<number, Due>();
		for (const [id, {held}] of watched.all()) known.set(id, {id, ...held});
		for (const {instance, label, lease} of listed) {
			known.set(instance.id, {id: instance.id, label, lease});
		}
		for (const id of told.keys()) if (!known.has(id)) told.delete(id);
		const overdueOnes = [...known.values()].filter(due => overdue(due) >= 0);
		const turn = new Set(inTurn(overdueOnes.map(({id}) => id)));
		for (const due of overdueOnes.filter(({id}) => turn.has(id))) {
			const seconds = overdue(due);
			// oxlint-disable-next-line no-await-in-loop -- the date of each answer is taken by itself
			const isEnding = await judgeOwn(due.id).catch(() => signal.aborted);
			if (!isEnding) tellLate(due, seconds);
		}
	};
}
