/** Judges instances by their leases at each poll: which end, and which warnings are due before. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {endlessLease, hasEnd, warningFor, type Lease} from '../words/lease.ts';
import {countFirst, advanceClock, decide, type Clocks, type Counted} from './decide.ts';
import type {LeaseEnding, GuardOptions} from './ending.ts';
import {measureInside, type RunInside} from './inside.ts';
import {seeAgain, type KeptSightings, type InsideMeasurements} from './sightings.ts';
import {
	noteContradiction,
	noteCost,
	notePrice,
	type createWatched,
	type Listed,
	type WatchedLease,
} from './watched.ts';

type Means = Pick<GuardOptions, 'report' | 'inside' | 'costs' | 'done'>;

export function createJudge(
	options: Means,
	watched: Pick<ReturnType<typeof createWatched>, 'recall' | 'set'>,
	end: (ending: LeaseEnding) => void,
) {
	const {report, costs} = options;
	let [isFirst, last] = [true, undefined as Counted | undefined];

	/** Knowledge before this poll, with its clocks and its price. */
	function recall(listed: Listed, clocks: Clocks) {
		const {instance, lease, label} = listed;
		const counted = last === undefined ? countFirst(clocks) : advanceClock(last, clocks);
		const recalled = watched.recall(listed, clocks, {counted, isFirst});
		const clock = advanceClock(recalled.clock, clocks);
		const endsAt = lease?.endsAt;
		const leftSeconds = endsAt === undefined ? undefined : endsAt - clock.time / 1000;
		const dearest = notePrice({instance, label, leftSeconds}, recalled.dearest, report);
		const earlier = recalled.clock && {record: recalled.history.record, at: recalled.clock.time};
		noteContradiction({instance, label, at: clock.time}, earlier, report);
		const hasJumped = recalled.clock !== undefined && clock.evenSince !== recalled.clock.evenSince;
		const isApart = clock.apartSince !== undefined;
		const isTimely = recalled.isTimely && !(recalled.isByDate && (hasJumped || isApart));
		return {...recalled, clock, dearest, isTimely};
	}

	async function judge(
		listed: Listed & {readonly lease: Lease},
		before: Before,
		isAlone: boolean,
	): Promise<boolean> {
		const {instance, lease, label} = listed;
		const {id} = instance;
		watched.set(id, before);
		const inside = await measure(options.inside, {instance, lease, before: before.bytes});
		const {time: date, steady} = before.clock;
		const isRunning = instance.actual_status === 'running';
		const done = isRunning ? options.done?.evidence(instance, lease) : undefined;
		const sight = {date, steady, measured: inside.measured, lease, done};
		const history = seeAgain(earlierCosts(costs, instance, before), instance, sight);
		const warning = warningFor(lease, date, before.warned);
		if (warning !== undefined) report({kind: 'ending', id, label, ...warning});
		const warned = warning?.seconds ?? before.warned;
		const isCostSaid = noteCost({id, label, lease}, {...before, history}, report);
		watched.set(id, {...before, history, bytes: inside.bytes, warned, isCostSaid});
		const decision = decide(rulesOf(lease, before, isAlone), history.sightings);
		if (decision.kind === 'end') end({instance, label, lease, decision});
		return decision.kind === 'end';
	}

	async function checkListed(listed: Listed, clocks: Clocks, isAlone = false): Promise<boolean> {
		const {instance, lease} = listed;
		const before = recall(listed, clocks);
		if (lease !== undefined && hasEnd(lease)) return judge({...listed, lease}, before, isAlone);
		// No lease ends it, and its cost is watched nevertheless.
		const {time: date, steady} = before.clock;
		const sight = {date, steady, measured: undefined, lease: endlessLease};
		const history = seeAgain(earlierCosts(costs, instance, before), instance, sight);
		watched.set(instance.id, {...before, history});
		return false;
	}

	return {
		/** Judges the instances of a complete list, at the guard's time. */
		async checkAll(all: readonly Listed[], clocks: Clocks, counted: Counted): Promise<void> {
			last = counted;
			await Promise.all(all.map(async listed => checkListed(listed, clocks)));
			isFirst = false;
		},
		/** Judges an instance by its own record, if its deadline alone ends it; true if it ends. */
		checkAlone: async (listed: Listed, clocks: Clocks) => checkListed(listed, clocks, true),
	};
}

type Before = WatchedLease & {readonly clock: NonNullable<WatchedLease['clock']>};

function earlierCosts(
	costs: Means['costs'],
	instance: Instance,
	{history}: WatchedLease,
): KeptSightings {
	return costs?.recall(instance, history) ?? history;
}

/**
 * Rules of a lease that apply: no deadline if that was overdue when first seen, and only the
 * deadline if `isAlone`.
 */
function rulesOf(lease: Lease, {isTimely}: WatchedLease, isAlone: boolean): Lease {
	const rules = isTimely === false ? {...lease, endsAt: undefined} : lease;
	return isAlone ? {...rules, isKept: true} : rules;
}

type Measuring = {
	readonly instance: Instance;
	readonly lease: Lease;
	/** Bytes transferred up to the last poll. */
	readonly before: number | undefined;
};

/**
 * Measures inside an instance if its lease needs that, and its record does not already show it as
 * busy.
 */
async function measure(
	inside: RunInside | undefined,
	{instance, lease: {idleSeconds, ignores}, before}: Measuring,
): Promise<{
	readonly measured: InsideMeasurements | undefined;
	readonly bytes: number | undefined;
}> {
	const {actual_status: status, gpu_util: gpu} = instance;
	const isWanted = idleSeconds !== undefined && status === 'running' && typeof gpu === 'number';
	const isIgnored = ignores.includes('network') && ignores.includes('ssh');
	if (inside === undefined || !isWanted || isIgnored || gpu >= 50) return unmeasured;
	const found = await measureInside(inside, instance);
	const bytes = found?.networkBytes;
	const networkBytes = bytes === undefined || before === undefined ? undefined : bytes - before;
	return {measured: found && {...found, networkBytes}, bytes};
}

const unmeasured = {measured: undefined, bytes: undefined};
