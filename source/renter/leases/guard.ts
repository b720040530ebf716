/**
 * Enforces the leases of one account without a screen: one list per poll, one decision per
 * instance, and an end only if `decide` has two polls for it.
 */
import type {Clocks} from './decide.ts';
import {type GuardOptions, createEnding} from './ending.ts';
import {isTimely} from './agreed.ts';
import {leaseOf} from './held.ts';
import {createJudge} from './judging.ts';
import {createLateNote, type Due} from './late.ts';
import {leaseKey, hasEnd} from '../words/lease.ts';
import {type Listed, createClockNote, changedEvent, createWatched} from './watched.ts';
import {requestMarkOf} from '../../contract/rules/env.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {canMiss, hasStopped, type InstanceList} from '../../client/nouns/instance-list.ts';
import {createBudgetKeeping} from './budget-keeping.ts';
import {serializeGuardState, parseGuardState} from './guard-state.ts';
import {remainingTerms, writeTerms} from './lease-terms.ts';

export type GuardPoll = {
	readonly instances: number;
	/** Keys of the leases with an end, by instance. */
	readonly leases: Readonly<Record<string, string>>;
	/** Instances whose lease waits for idleness or work that could not be measured. */
	readonly unmeasured: readonly number[];
	/** The service's time in milliseconds; undefined if it sends no date. */
	readonly date: number | undefined;
	/** Reason why nothing was decided at this poll. */
	readonly problem: string | undefined;
};

export function createGuard(options: GuardOptions) {
	const {client, steady, report, costs, agreed, signal} = options;
	let keptState: ReturnType<typeof parseGuardState> | undefined;
	// A new leader reads the last polls of the guard before.
	const kept = () => (keptState ??= parseGuardState(options.pollFile?.read() ?? ''));
	const noteClock = createClockNote(report, now => kept().clock(now));
	const {forget, ...ending} = createEnding(options);
	const ordered = createOrderedHere(options);
	const resume = (id: number, now: Clocks) => kept().take(id, now);
	const watched = createWatched({
		forget,
		renew: missing(options),
		resume,
		// A deadline in the future, one that was agreed here, or one of an order from here that arrived late.
		isTimely: (one, date) => !isOverdue(one, date) || ordered.has(one.instance),
	});
	const money =
		options.money &&
		createBudgetKeeping({...options.money, report: report, end: one => ending.start(one)});

	const judge = createJudge(options, watched, one => ending.start(one));
	const late = createLateNote(options, watched);
	const pollDue = createDuePoll(options, {watched, late, judge: judge.checkAlone});

	const isOverdue = ({instance, lease}: Listed, date: number) =>
		lease !== undefined && !isTimely(instance, lease, date) && agreed?.isAgreed(instance) !== true;

	const readOrdersOf = async (listed: readonly Listed[], date = options.now()): Promise<void> => {
		if (listed.some(one => isOverdue(one, date))) await ordered.read();
	};

	async function poll(): Promise<GuardPoll> {
		const before = client.clock.lastContact()?.answers ?? 0;
		const list = await client.instances.list({signal}).catch(async (error: unknown) => {
			await pollDue([]);
			throw error;
		});
		options.onList?.(list.instances);
		const date = dateAfter(client.clock.lastContact(), before);
		const listed = list.instances.map(instance => ({instance, ...leaseOf(instance)}));
		const problem = problemOf(list, date);
		if (date !== undefined && problem === undefined) {
			const now = {date, wall: options.now(), steady: steady()};
			const clock = noteClock(now);
			// What is agreed on is in time by the service's clock, and by what counts of it.
			const latest = Math.max(date, clock.time);
			await readOrdersOf(listed, latest);
			watched.keepOnly(listed);
			for (const one of agreed?.note(list.instances, latest) ?? []) report(changedEvent(one, date));
			late.noteAll(listed.map(dueOf), ending.isReported);
			await judge.checkAll(listed, now, clock);
			const fleet = listed.map(one => ({
				...one,
				soFar: watched.get(one.instance.id)?.history.cost,
			}));
			costs?.keep(fleet);
			// If the polls cannot be saved, the next guard starts from scratch.
			await options.pollFile
				?.write(serializeGuardState(clock, watched.all()))
				.catch(() => undefined);
			await money?.check(fleet, now);
		} else {
			await readOrdersOf(listed, date);
			await pollDue(listed);
		}
		return {...enforced(listed, watched, options.done), date, problem};
	}

	return {
		/** Polls once; the ends that it begins continue afterwards. */
		async poll(): Promise<GuardPoll> {
			try {
				return await poll();
			} finally {
				late.noteAgreed(id => ending.isReported(id) || ending.hasEnded(id));
			}
		},
		settle: ending.settle,
	};
}

/** Instances of orders from here, with the leases that these had. */
function createOrderedHere({ordered}: GuardOptions) {
	let labels: ReadonlyMap<string, string> = new Map();
	return {
		async read(): Promise<void> {
			labels = (await ordered?.().catch(() => undefined)) ?? labels;
		},
		has({label, extra_env: env}: Instance): boolean {
			const mark = requestMarkOf(env);
			return mark !== undefined && labels.get(mark) === label;
		},
	};
}

/** The service's date, if it came after so many replies. */
function dateAfter(
	contact: ReturnType<GuardOptions['client']['clock']['lastContact']>,
	answers: number,
): number | undefined {
	return contact !== undefined && contact.answers > answers ? contact.date : undefined;
}

/**
 * Reports a lease that cannot be read, that a label has lost, or that was overdue when first seen,
 * at a date in milliseconds.
 */
function missing({agreed, report, client}: GuardOptions) {
	return ({instance, label, lease, isUnknown}: Listed, date: number, isInTime: boolean): void => {
		const {id} = instance;
		if (lease !== undefined && !isInTime) {
			const seconds = Math.round(date / 1000 - (lease.endsAt ?? 0));
			report({kind: 'overdue lease', id, label, seconds, due: leaseKey(lease)});
		}
		const known = agreed?.known();
		const lost = known?.lost(instance);
		if (lost !== undefined) {
			const terms = writeTerms(remainingTerms(lost, Math.floor(date / 1000)));
			report({kind: 'lost lease', id, label, terms, due: leaseKey(lost)});
		} else if (isUnknown) report({kind: 'unknown lease', id, label});
		const ms = known?.movedMs(instance, client.clock.skewMs());
		if (ms === undefined || lease?.endsAt === undefined) return;
		const leftMs = lease.endsAt * 1000 - date;
		report({kind: 'moved lease', id, label, ms, leftMs, due: leaseKey(lease)});
	};
}

function enforced(
	listed: readonly Listed[],
	watched: Pick<ReturnType<typeof createWatched>, 'get'>,
	done: GuardOptions['done'],
): Pick<GuardPoll, 'instances' | 'leases' | 'unmeasured'> {
	const keys = listed.flatMap(({instance, lease}) =>
		lease !== undefined && hasEnd(lease) ? [[instance.id, leaseKey(lease)] as const] : [],
	);
	const unmeasured = listed.flatMap(({instance, lease}) => {
		const {id, actual_status: status} = instance;
		if (lease === undefined || lease.isKept) return [];
		const isIdleRead = watched.get(id)?.history.isMeasured === true;
		const isWaiting = lease.whenDone !== undefined && status === 'running';
		const isUnread = isWaiting && done?.isRead(instance, lease) !== true;
		return isUnread || (lease.idleSeconds !== undefined && !isIdleRead) ? [id] : [];
	});
	return {instances: listed.length, leases: Object.fromEntries(keys), unmeasured};
}

function problemOf(list: InstanceList, date: number | undefined): string | undefined {
	if (date === undefined) return 'the service sends no date';
	const isWhole = list.problem === undefined && list.unreadable.count === 0 && canMiss(list);
	return isWhole ? undefined : 'the list of instances is not whole';
}

type Judging = {
	readonly watched: Pick<ReturnType<typeof createWatched>, 'all'>;
	readonly late: Pick<ReturnType<typeof createLateNote>, 'overdue' | 'note'>;
	/** Judges an instance by its deadline alone; true if it ends. */
	readonly judge: (listed: Listed, clocks: Clocks) => Promise<boolean>;
};

/** Most records read in one poll, however many instances a service invents. */
const MOST_RECORDS = 50;

/** Chooses so many at a time, in rotation, so that each gets its turn before any gets a second. */
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

/** Polls due instances without a complete list: each by its own record. */
function createDuePoll(
	{client, steady, now, signal}: GuardOptions,
	{watched, late, judge}: Judging,
) {
	const inTurn = createTurns(MOST_RECORDS);

	/** True if the instance ends, or has ended. */
	async function judgeOwn(id: number): Promise<boolean> {
		const before = client.clock.lastContact()?.answers ?? 0;
		const record = await client.instances.show(id, {signal});
		const date = dateAfter(client.clock.lastContact(), before);
		if (record?.id !== id || date === undefined) return record === undefined;
		const clocks = {date, wall: now(), steady: steady()};
		return judge({instance: record, ...leaseOf(record)}, clocks);
	}

	/** @param listed instances of an incomplete list */
	return async (listed: readonly Listed[]): Promise<void> => {
		const known = new Map<number, Due>();
		for (const [id, {held, history}] of watched.all()) {
			known.set(id, {id, ...held, isStopped: history.sightings.at(-1)?.isStopped === true});
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
