/**
 * Enforces the leases of one account without a screen: one list a look, one decision an instance, and
 * an end only where `decide` has two looks for it.
 */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {type Clocks, countOn, decide} from './decide.ts';
import {type GuardOptions, createEnding} from './ending.ts';
import {leaseOf} from './held.ts';
import {createLateNote, type Due} from './late.ts';
import {endlessLease, leaseKey, type Lease, hasEnd, warningFor} from '../words/lease.ts';
import {type Listed, createClockNote, createWatched, noteCost, notePrice} from './watched.ts';
import {canMiss, hasStopped, type InstanceList} from '../../client/nouns/instance-list.ts';
import {createBudgetKeeping} from './budget-keeping.ts';
import {measureInside, type RunInside} from './inside.ts';
import {looksText, readLooks} from './kept-looks.ts';
import {termsOf, writeTerms} from './lease-terms.ts';
import {seeAgain, type Measured} from './sightings.ts';

export type GuardLook = {
	readonly instances: number;
	/** Keys of the leases that have an end, by instance. */
	readonly leases: Readonly<Record<string, string>>;
	/** Instances whose lease waits for idleness or work that could not be seen. */
	readonly unmeasured: readonly number[];
	/** The service's time in milliseconds; undefined where it sends no date. */
	readonly date: number | undefined;
	/** Reason why nothing was decided at this look. */
	readonly problem: string | undefined;
};

export function createGuard(options: GuardOptions) {
	const {client, steady, tell, inside, costs, agreed} = options;
	let keptLooks: ReturnType<typeof readLooks> | undefined;
	// A new leader reads the last looks of the guard before.
	const kept = () => (keptLooks ??= readLooks(options.looks?.read() ?? ''));
	const noteClock = createClockNote(tell, now => kept().clock(now));
	const {forget, ...ending} = createEnding(options);
	const resume = (id: number, now: Clocks) => kept().take(id, now);
	const watched = createWatched({forget, renew: missing(options), resume});
	const money =
		options.money && createBudgetKeeping({...options.money, tell, end: one => ending.begin(one)});

	/**
	 * True if the instance ends. @param isAlone only the instance's own record was read: then the deadline
	 * alone ends it
	 */
	async function judge(listed: Listed, clocks: Clocks, isAlone = false): Promise<boolean> {
		const {instance, lease, label} = listed;
		const {id} = instance;
		const recalled = watched.recall(listed, clocks);
		const clock = countOn(recalled.clock, clocks);
		const now = {date: clock.time, steady: clock.steady};
		const endsAt = lease?.endsAt;
		const leftSeconds = endsAt === undefined ? undefined : endsAt - now.date / 1000;
		const dearest = notePrice({instance, label, leftSeconds}, recalled.dearest, tell);
		const before = {...recalled, clock, dearest};
		const earlier = costs?.recall(instance, before.seen) ?? before.seen;
		if (lease === undefined || !hasEnd(lease)) {
			const look = {...now, measured: undefined, lease: endlessLease};
			watched.set(id, {...before, seen: seeAgain(earlier, instance, look)});
			return false;
		}
		watched.set(id, before);
		const {measured, bytes} = await measure(inside, {instance, lease, before: before.bytes});
		const done = doneIn(options, instance, lease);
		const seen = seeAgain(earlier, instance, {...now, measured, lease, done});
		const warning = warningFor(lease, now.date, before.warned);
		if (warning !== undefined) tell({kind: 'ending', id, label, ...warning});
		const warned = warning?.seconds ?? before.warned;
		const isCostSaid = noteCost({id, label, lease}, {...before, seen}, tell);
		watched.set(id, {...before, seen, bytes, warned, isCostSaid});
		const decision = decide(isAlone ? {...lease, isKept: true} : lease, seen.sightings);
		if (decision.kind === 'end') ending.begin({instance, label, lease, decision});
		return decision.kind === 'end';
	}

	const late = createLateNote(options, watched);
	const lookAtDue = createDueLook(options, {watched, late, judge});

	return {
		/** Looks once; the ends that it begins go on after it. */
		async look(): Promise<GuardLook> {
			const before = client.clock.heard()?.answers ?? 0;
			const list = await readList(options, async () => lookAtDue([]));
			const date = dateAfter(client.clock.heard(), before);
			const listed = list.instances.map(instance => ({instance, ...leaseOf(instance)}));
			const problem = problemOf(list, date);
			if (date !== undefined && problem === undefined) {
				const now = {date, wall: options.now(), steady: steady()};
				const clock = noteClock(now);
				watched.keepOnly(listed);
				agreed?.note(list.instances);
				late.noteAll(listed.map(dueOf), ending.isTold);
				await Promise.all(listed.map(async one => judge(one, now)));
				const fleet = listed.map(one => ({...one, soFar: watched.get(one.instance.id)?.seen.cost}));
				costs?.keep(fleet);
				// If the looks cannot be kept, the next guard begins anew.
				await options.looks?.write(looksText(clock, watched.all())).catch(() => undefined);
				await money?.look(fleet, now);
			} else {
				await lookAtDue(listed);
			}
			return {...enforced(listed, watched, options.done), date, problem};
		},
		/** Waits for the ends under way. */
		settle: ending.settle,
	};
}

/** Evidence that the work of an instance is done; none of what does not run. */
function doneIn({done}: GuardOptions, instance: Instance, lease: Lease): string | undefined {
	return instance.actual_status === 'running' ? done?.says(instance, lease) : undefined;
}

async function readList(
	{client, signal, seen}: GuardOptions,
	onFailure: () => Promise<void>,
): Promise<InstanceList> {
	const list = await client.instances.list({signal}).catch(async (error: unknown) => {
		await onFailure();
		throw error;
	});
	seen?.(list.instances);
	return list;
}

/** The service's date, if it came after so many answers. */
function dateAfter(
	heard: ReturnType<GuardOptions['client']['clock']['heard']>,
	answers: number,
): number | undefined {
	return heard !== undefined && heard.answers > answers ? heard.date : undefined;
}

/** Reports a lease that cannot be read, or that a label has lost, at a date in milliseconds. */
function missing({agreed, tell}: GuardOptions) {
	return ({instance, label, isUnknown}: Listed, date: number): void => {
		const {id} = instance;
		const lost = agreed?.lost(instance);
		if (lost !== undefined) {
			const terms = writeTerms(termsOf(lost, Math.floor(date / 1000)));
			tell({kind: 'lost lease', id, label, terms, due: leaseKey(lost)});
		} else if (isUnknown) tell({kind: 'unknown lease', id, label});
	};
}

function enforced(
	listed: readonly Listed[],
	watched: Pick<ReturnType<typeof createWatched>, 'get'>,
	done: GuardOptions['done'],
): Pick<GuardLook, 'instances' | 'leases' | 'unmeasured'> {
	const keys = listed.flatMap(({instance, lease}) =>
		lease !== undefined && hasEnd(lease) ? [[instance.id, leaseKey(lease)] as const] : [],
	);
	const unmeasured = listed.flatMap(({instance, lease}) => {
		const {id, actual_status: status} = instance;
		if (lease === undefined || lease.isKept) return [];
		const isIdleRead = watched.get(id)?.seen.isMeasured === true;
		const isWaiting = lease.whenDone !== undefined && status === 'running';
		const isUnread = isWaiting && done?.isRead(instance, lease) !== true;
		return isUnread || (lease.idleSeconds !== undefined && !isIdleRead) ? [id] : [];
	});
	return {instances: listed.length, leases: Object.fromEntries(keys), unmeasured};
}

type Measuring = {
	readonly instance: Instance;
	readonly lease: Lease;
	/** Bytes carried at the last look. */
	readonly before: number | undefined;
};

/** Looks inside an instance where its lease needs that, and its record does not show it busy already. */
async function measure(
	inside: RunInside | undefined,
	{instance, lease: {idleSeconds, ignores}, before}: Measuring,
): Promise<{readonly measured: Measured | undefined; readonly bytes: number | undefined}> {
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

function problemOf(list: InstanceList, date: number | undefined): string | undefined {
	if (date === undefined) return 'the service sends no date';
	const isWhole = list.problem === undefined && list.unreadable.count === 0 && canMiss(list);
	return isWhole ? undefined : 'the list of instances is not whole';
}

type Judging = {
	readonly watched: Pick<ReturnType<typeof createWatched>, 'all'>;
	readonly late: Pick<ReturnType<typeof createLateNote>, 'overdue' | 'note'>;
	/** Judges an instance by its deadline alone; true if it ends. */
	readonly judge: (listed: Listed, clocks: Clocks, isAlone: true) => Promise<boolean>;
};

/** Most records read in one look, however many instances a service invents. */
const MOST_RECORDS = 50;

/** Chooses so many at a time, in turn, so that every one comes before any comes twice. */
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

/** Looks at due instances without a whole list: each is read by its own record. */
function createDueLook(
	{client, steady, now, signal}: GuardOptions,
	{watched, late, judge}: Judging,
) {
	const inTurn = createTurns(MOST_RECORDS);

	/** True if the instance ends, or has ended. */
	async function judgeOwn(id: number): Promise<boolean> {
		const before = client.clock.heard()?.answers ?? 0;
		const record = await client.instances.show(id, {signal});
		const date = dateAfter(client.clock.heard(), before);
		if (record?.id !== id || date === undefined) return record === undefined;
		const clocks = {date, wall: now(), steady: steady()};
		return judge({instance: record, ...leaseOf(record)}, clocks, true);
	}

	/** @param listed instances of a list that is not whole */
	return async (listed: readonly Listed[]): Promise<void> => {
		const known = new Map<number, Due>();
		for (const [id, {held, seen}] of watched.all()) {
			known.set(id, {id, ...held, isStopped: seen.sightings.at(-1)?.isStopped === true});
		}
		for (const one of listed) known.set(one.instance.id, dueOf(one));
		const overdueOnes = [...known.values()].filter(due => late.overdue(due) >= 0);
		const turn = new Set(inTurn(overdueOnes.map(({id}) => id)));
		for (const due of overdueOnes.filter(({id}) => turn.has(id))) {
			const seconds = late.overdue(due);
			// oxlint-disable-next-line no-await-in-loop -- the date of each answer is taken by itself
			const isEnding = await judgeOwn(due.id).catch(() => signal.aborted);
			if (!isEnding) late.note(due, seconds);
		}
	};
}

function dueOf({instance, label, lease}: Listed): Due {
	return {id: instance.id, label, lease, isStopped: hasStopped(instance)};
}
