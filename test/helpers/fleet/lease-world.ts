import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import type {GuardClient} from '../../../source/renter/leases/ending.ts';
import {createGuard} from '../../../source/renter/leases/guard.ts';
import {endlessLease, type Lease} from '../../../source/renter/words/lease.ts';
import {openLeadership} from '../../../source/renter/leases/guard-status.ts';

const MADE = 1_764_000_000;

type Name = 'leased' | 'without';

export type LifeStep = {
	readonly passed: number;
	readonly killed: readonly number[];
	readonly frozen: readonly number[];
	readonly answers: string;
	readonly slept: number;
};

type WorldOptions = {
	/** Where both guards agree on who acts. */
	readonly file: string;
	/** Seconds after the beginning at which the lease ends. */
	readonly endsAfter: number;
	readonly labels: Readonly<Record<Name, (lease: Lease) => string>>;
};

type State = {
	seconds: number;
	steady: number;
	answers: number;
	mood: string;
	/** True once a guard was given a whole list in time. */
	isSeen: boolean;
	/** What guards keep for the next one. */
	looks: string;
};

/** Two guards on machines of their own and a service with two instances, all by hand clock. */
export function openLeaseWorld({file, endsAfter, labels}: WorldOptions) {
	const counts = {seconds: 0, steady: 0, answers: 0};
	const state: State = {...counts, mood: 'fine', isSeen: false, looks: ''};
	const lease = {...endlessLease, endsAt: MADE + endsAfter};
	const {client, fleet, problems} = madeUpService(state, endsAfter);
	for (const name of ['leased', 'without'] as const) {
		const standing = {actual_status: 'running', cur_state: 'running', start_date: MADE};
		fleet.set(ids[name], {id: ids[name], label: labels[name](lease), ...standing});
	}
	const steady = () => state.steady * 1000;

	function openGuard(index: number) {
		const self = {host: `machine ${index}`, pid: 1};
		const leadership = openLeadership({file, steady, self});
		const guard = createGuard({
			client,
			steady,
			now: () => (MADE + state.seconds) * 1000,
			inside: undefined,
			mayAct: async () => leadership.lead(),
			pollFile: {read: () => state.looks, write: async text => void (state.looks = text)},
			report: () => undefined,
			signal: new AbortController().signal,
		});
		return {guard, leadership};
	}

	const guards = [openGuard(0), openGuard(1)];

	return {
		/** Lets time pass and all guards that live look once. */
		async live({passed, killed, frozen, answers, slept}: LifeStep): Promise<void> {
			state.seconds += passed + slept;
			state.steady += passed;
			state.mood = answers;
			for (const index of killed) guards[index] = openGuard(index);
			for (const [index, {guard, leadership}] of guards.entries()) {
				if (frozen.includes(index) || !(await leadership.lead())) continue;
				await guard.poll().catch(() => undefined);
				await guard.settle();
			}
		},
		seconds: () => state.seconds,
		isGone: (name: Name) => !fleet.has(ids[name]),
		isSeen: () => state.isSeen,
		problems: () => problems,
	};
}

const ids: Readonly<Record<Name, number>> = {leased: 1, without: 2};

/** A service that answers as it is in the mood to. */
function madeUpService(state: State, endsAfter: number) {
	const fleet = new Map<number, Instance>();
	const problems: string[] = [];
	const client: GuardClient = {
		instances: {
			async list() {
				if (state.mood === 'list lost') throw new Error('no answer');
				state.answers += 1;
				const all = [...fleet.values()];
				const isWhole = state.mood !== 'list cut';
				state.isSeen ||= isWhole && state.seconds < endsAfter;
				const said = {total: all.length, way: 'v1', isWhole} as const;
				const instances = isWhole ? all : all.slice(1);
				return {instances, ...said, unreadable: noneUnreadable, problem: undefined};
			},
			async show(id) {
				state.answers += 1;
				return fleet.get(id);
			},
			async remove(id) {
				if (state.mood === 'act refused') throw new Error('refused');
				if (state.seconds < endsAfter) problems.push(`ended at ${state.seconds}`);
				if (!fleet.delete(id)) problems.push(`${id} ended twice`);
				if (id === ids.without) problems.push('ended without a lease');
				if (state.mood === 'act lost') throw new Error('no answer');
				return {outcome: 'gone'};
			},
			halt: async () => ({outcome: 'gone'}),
			label: async () => undefined,
		},
		clock: {
			lastContact() {
				const {answers, seconds, mood} = state;
				// Nonsense is never the same twice.
				const wrong = mood === 'date wrong' ? 5000 + answers * 100 : 0;
				return answers === 0 ? undefined : {date: (MADE + seconds + wrong) * 1000, answers};
			},
			skewMs: () => 0,
		},
	};
	return {client, fleet, problems};
}
