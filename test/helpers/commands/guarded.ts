import {setImmediate} from 'node:timers/promises';
import type {InstanceList} from '../../../source/client/nouns/instance-list.ts';
import type {Halt, Removal} from '../../../source/client/rentals/removal.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import type {DoneWatch, GuardClient, GuardEvent} from '../../../source/renter/leases/ending.ts';
import type {AgreedLeases} from '../../../source/renter/leases/agreed.ts';
import {createGuard, type GuardPoll} from '../../../source/renter/leases/guard.ts';
import type {KeptCosts} from '../../../source/renter/leases/sightings.ts';

/** When the instance that is guarded was made, in seconds since 1970. */
export const MADE = 1_764_000_000;

type Guarded = Partial<Instance> & {
	readonly list?: Partial<InstanceList>;
	readonly hasDate?: boolean;
	/** Records cannot be read one by one. */
	readonly isUnreadable?: boolean;
	readonly mayAct?: () => Promise<boolean>;
	/** What scripts say inside; undefined where nobody can enter. */
	readonly inside?: string | undefined;
	/** Costs that an earlier guard saw. */
	readonly costs?: KeptCosts;
	/** Leases that were agreed before. */
	readonly agreed?: AgreedLeases;
	/** Labels of orders from here, by their marks. */
	readonly ordered?: () => Promise<ReadonlyMap<string, string>>;
	/** How an end that is asked for fails: it throws, or has an outcome. */
	readonly failure?: () => Removal & Halt;
	/** What is known of its work. */
	readonly done?: DoneWatch;
};

type World = {
	record: Instance | undefined;
	seconds: number;
	/** By how much the service's clock is ahead, in seconds. */
	ahead: number;
	answers: number;
	/** Seconds at which the guard was started. */
	started: number;
	/** What guards keep for the next one. */
	looks: string;
	readonly calls: string[];
	onShow: (() => void) | undefined;
};

/** A guard of one instance, and what it does: time is moved by hand, and the service is made up. */
export function guarded({
	list = {},
	hasDate = true,
	isUnreadable = false,
	mayAct,
	inside,
	costs,
	agreed,
	ordered,
	failure,
	done,
	...given
}: Guarded) {
	const world = worldOf(given);
	const told: GuardEvent[] = [];
	const scripts: string[] = [];
	const failing: {failure: Guarded['failure']} = {failure};
	const enter = async (_: Instance, script: string) => (scripts.push(script), inside);
	const open = () =>
		createGuard({
			...clocksOf(world),
			client: madeUpClient(world, {list, hasDate, isUnreadable, failing}),
			inside: inside === undefined ? undefined : enter,
			mayAct: mayAct ?? (async () => true),
			report: event => told.push(event),
			done,
			...(costs && {costs}),
			...(agreed && {agreed}),
			ordered,
		});
	let guard = open();
	return {
		calls: world.calls,
		told,
		scripts,
		set: (values: Partial<Instance>) =>
			(world.record = world.record && {...world.record, ...values}),
		/** Lists are so from here on. */
		setList: (cut: Partial<InstanceList>) => void Object.assign(list, cut),
		/** The service's clock jumps, and stays there. */
		jump: (seconds: number) => void (world.ahead += seconds),
		onShow: (run: () => void) => (world.onShow = run),
		/** Ends that are asked for happen from here on. */
		mend: () => (failing.failure = undefined),
		/** The guard is killed; another goes on with what was kept, or with another text. */
		restart(looks = world.looks): string {
			Object.assign(world, {started: world.seconds, looks});
			guard = open();
			return looks;
		},
		/** Looks again and again after so many seconds each. */
		async looks(...pauses: readonly number[]): Promise<GuardPoll | undefined> {
			let last: GuardPoll | undefined;
			for (const pause of pauses) {
				world.seconds += pause;
				last = await guard.poll();
				await guard.settle();
				await setImmediate();
			}
			return last;
		},
	};
}

function worldOf(given: Partial<Instance>): World {
	const record = {
		id: 7,
		start_date: MADE,
		actual_status: 'running',
		cur_state: 'running',
		intended_status: 'running',
		...given,
	};
	const counts = {seconds: 0, ahead: 0, answers: 0, started: 0};
	return {record, ...counts, looks: '', calls: [], onShow: undefined};
}

function clocksOf(world: World) {
	return {
		steady: () => (world.seconds - world.started) * 1000,
		now: () => (MADE + world.seconds) * 1000,
		pollFile: {read: () => world.looks, write: async (text: string) => void (world.looks = text)},
		signal: new AbortController().signal,
	};
}

type Answering = {
	readonly list: Partial<InstanceList>;
	readonly hasDate: boolean;
	readonly isUnreadable: boolean;
	readonly failing: {readonly failure?: Guarded['failure']};
};

function madeUpClient(
	world: World,
	{list, hasDate, isUnreadable, failing}: Answering,
): GuardClient {
	return {
		instances: {
			async list() {
				if (hasDate) world.answers += 1;
				const instances = world.record === undefined ? [] : [world.record];
				const whole = {total: instances.length, way: 'v1', isWhole: true} as const;
				return {instances, ...whole, unreadable: noneUnreadable, problem: undefined, ...list};
			},
			async show() {
				if (hasDate) world.answers += 1;
				world.onShow?.();
				if (isUnreadable) throw new Error('no answer');
				return world.record;
			},
			async remove(id) {
				world.calls.push(`destroy ${id}`);
				if (failing.failure !== undefined) return failing.failure();
				world.record = undefined;
				return {outcome: 'gone'};
			},
			async halt(id) {
				world.calls.push(`stop ${id}`);
				if (failing.failure !== undefined) return failing.failure();
				return {outcome: 'stopped', instance: {id}};
			},
			async label(id, label) {
				world.calls.push(`label ${id} ${label}`);
			},
		},
		clock: {
			lastContact: () =>
				world.answers === 0
					? undefined
					: {date: (MADE + world.seconds + world.ahead) * 1000, answers: world.answers},
			skewMs: () => world.ahead * 1000,
		},
	};
}
