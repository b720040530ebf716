/** Ends instances by their leases: saves results, acts, and polls until the end is observed. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import {isSameStart} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {AgreedLeases} from './agreed.ts';
import type {Budget, BudgetState, BudgetSpending} from './budgets.ts';
import {leaseAfterStop, type Decision} from './decide.ts';
import {leaseOf} from './held.ts';
import {createSaving, type RunInside} from './inside.ts';
import type {KeptCosts} from './sightings.ts';
import {leaseKey, type Lease, writeLabel} from '../words/lease.ts';

export type GuardClient = {
	readonly instances: Pick<Client['instances'], 'list' | 'show' | 'halt' | 'remove' | 'label'>;
	readonly clock: Pick<Client['clock'], 'lastContact' | 'skewMs'>;
};

type OfInstance = {
	readonly id: number;
	readonly label: string;
	/** Key of the lease or of the warning; without a lease, the rule that ends the instance. */
	readonly due: string;
};

export type DoneWatch = {
	/** Evidence that the work is done, in a few words; undefined if two polls have not shown it. */
	readonly evidence: (instance: Instance, lease: Lease) => string | undefined;
	/** True if the work was checked recently. */
	readonly isRead: (instance: Instance, lease: Lease) => boolean;
};

export type GuardEvent =
	| (OfInstance & {readonly kind: 'ending'; readonly seconds: number})
	| (OfInstance & {readonly kind: 'postponed'; readonly why: string})
	| (OfInstance & {
			readonly kind: 'ended' | 'not ended';
			readonly act: 'stop' | 'destroy';
			readonly evidence: string;
			/** Evidence of the end, or the reason why there is none. */
			readonly proof: string;
	  })
	/** The deadline has passed, and the instance has not ended. */
	| (OfInstance & {readonly kind: 'late'; readonly seconds: number})
	| {readonly kind: 'budget'; readonly label: string; readonly state: BudgetState}
	/** The limit of the lease may be reached: "at least $0.40, at most $1.20, of $1". */
	| (OfInstance & {readonly kind: 'may cost'; readonly costs: string})
	/** An hour costs more than before, in dollars. */
	| (Omit<OfInstance, 'due'> & {
			readonly kind: 'dearer';
			readonly from: number;
			readonly to: number;
			/** Its cost until its deadline; undefined without one. */
			readonly untilEnd: number | undefined;
	  })
	/** A field contradicts an earlier poll. */
	| (Omit<OfInstance, 'due'> & {
			readonly kind: 'contradiction';
			readonly field: 'start_date' | 'uptime_mins';
			readonly before: string;
			readonly after: string;
	  })
	| (Omit<OfInstance, 'due'> & {readonly kind: 'unknown lease'})
	/** The deadline had passed, by so many seconds, when it was first seen: it ends nothing. */
	| (OfInstance & {readonly kind: 'overdue lease'; readonly seconds: number})
	/** The label has another lease than agreed; both as users type them. */
	| (OfInstance & {readonly kind: 'changed lease'; readonly before: string; readonly after: string})
	/** The label has lost the agreed lease, whose terms these are, as users type them. */
	| (OfInstance & {readonly kind: 'lost lease'; readonly terms: string})
	/**
	 * The deadline is so many milliseconds later than requested: the service's clock was wrong
	 * then.
	 */
	| (OfInstance & {readonly kind: 'moved lease'; readonly ms: number; readonly leftMs: number})
	| {
			/** The service's clock jumped by so many seconds, which do not count. */
			readonly kind: 'clock';
			readonly label: '';
			readonly seconds: number;
			/** Date after the jump, in milliseconds. */
			readonly date: number;
	  };

const labelKinds = [
	'unknown lease',
	'overdue lease',
	'changed lease',
	'lost lease',
	'moved lease',
] as const;

/** A label with another lease than agreed, or without a valid one. */
export type LabelEvent = GuardEvent & {readonly kind: (typeof labelKinds)[number]};

export function isLabelEvent(event: GuardEvent): event is LabelEvent {
	return labelKinds.some(kind => kind === event.kind);
}

type EndEvent = GuardEvent & {readonly kind: 'ended' | 'not ended'};

type Money = {
	readonly profile: string;
	readonly budgets: readonly Budget[];
	readonly charged: () => Promise<Pick<BudgetSpending, 'day' | 'month'>>;
};

type PollFile = {
	/** Empty if it does not exist. */
	readonly read: () => string;
	readonly write: (text: string) => Promise<void>;
};

export type GuardOptions = {
	readonly client: GuardClient;
	/** Milliseconds on a clock that never jumps. */
	readonly steady: () => number;
	/** Clock of this machine, in milliseconds since 1970. */
	readonly now: () => number;
	/** Enters instances; undefined if impossible: then no results are saved before an end. */
	readonly inside: RunInside | undefined;
	/** Called before every act: true if this guard is the leader. */
	readonly mayAct: () => Promise<boolean>;
	readonly report: (event: GuardEvent) => void;
	/**
	 * Watches the work that leases wait for; undefined if nothing does: then no instance ends by
	 * it.
	 */
	readonly done?: DoneWatch | undefined;
	/** Limits on the account's cost; undefined for none. */
	readonly money?: Money | undefined;
	/** Costs that earlier runs observed; undefined if not stored. */
	readonly costs?: KeptCosts | undefined;
	/** Leases that were agreed here; undefined if not stored. */
	readonly agreed?: AgreedLeases | undefined;
	/**
	 * Labels of orders from here, by their marks: a lease that comes overdue is one of theirs. Undefined if none are
	 * stored.
	 */
	readonly ordered?: (() => Promise<ReadonlyMap<string, string>>) | undefined;
	/** File of polls for the next guard; undefined if they are not stored. */
	readonly pollFile?: PollFile | undefined;
	readonly onList?: (instances: readonly Instance[]) => void;
	readonly signal: AbortSignal;
};

export type LeaseEnding = {
	readonly instance: Instance;
	readonly label: string;
	/** Undefined for an instance without a lease that a budget ends. */
	readonly lease: Lease | undefined;
	readonly decision: Decision & {readonly kind: 'end'};
};

export function createEnding(options: GuardOptions) {
	const {steady, report, signal, inside} = options;
	const acting = new Map<number, Promise<void>>();
	const failed = createFailedEnds(steady);
	const saving = createSaving(steady, inside);
	/** Instances that this guard destroyed, and observed to be gone. */
	const gone = new Set<number>();

	async function end(ending: LeaseEnding): Promise<void> {
		if (!(await options.mayAct())) return;
		const {instance, label, lease} = ending;
		const step = saving.step(instance, lease?.before);
		if (step.kind === 'end') return act({...options, report: reportOnce}, ending, step.result);
		if (step.news === undefined || lease === undefined) return undefined;
		return report({
			kind: 'postponed',
			id: instance.id,
			label,
			why: step.news,
			due: leaseKey(lease),
		});
	}

	function reportOnce(event: EndEvent): void {
		if (event.kind === 'ended') {
			failed.forget(event.id);
			if (event.act === 'destroy') gone.add(event.id);
		} else if (!failed.add(event.id)) return;
		report(event);
	}

	async function endAndReport(ending: LeaseEnding): Promise<void> {
		try {
			await end(ending);
		} catch (error) {
			if (signal.aborted) return;
			const proof = messageOf(error);
			reportOnce(endEvent(ending, 'not ended', {evidence: evidenceOf(ending.decision), proof}));
		}
	}

	return {
		/** Begins to end an instance, unless that is in progress or has just failed. */
		start(ending: LeaseEnding): void {
			const {id} = ending.instance;
			if (acting.has(id) || !failed.isDue(id)) return;
			acting.set(
				id,
				endAndReport(ending).finally(() => acting.delete(id)),
			);
		},
		/** Forgets the attempts to end an instance that has another lease, or is gone. */
		forget: (id: number): void => {
			saving.forget(id);
			failed.forget(id);
			gone.delete(id);
		},
		/** True while an instance is being ended, and after a failure that was reported. */
		isReported: (id: number): boolean => acting.has(id) || failed.has(id),
		hasEnded: (id: number): boolean => gone.has(id),
		/** Waits for the ends in progress. */
		settle: async (): Promise<void> => void (await Promise.all(acting.values())),
	};
}

type Acting = Pick<GuardOptions, 'client' | 'signal' | 'agreed'> & {
	readonly report: (event: EndEvent) => void;
};

/** Reads the record once more before the act: a lease that changed meanwhile ends nothing. */
async function act(
	{client, signal, agreed, report}: Acting,
	ending: LeaseEnding,
	saved: string | undefined,
): Promise<void> {
	const {instance, decision} = ending;
	const {id} = instance;
	if (!isUnchanged(ending, await client.instances.show(id, {signal}))) return;
	const evidence = evidenceOf(decision, saved);
	const calls = {stop: client.instances.halt, destroy: client.instances.remove};
	const done = await calls[decision.action](id, {signal, evidence});
	const {outcome} = done;
	const isDone = outcome === 'stopped' || outcome === 'gone';
	const proof = outcome === 'refused' ? messageOf(done.error) : outcome;
	report(endEvent(ending, isDone ? 'ended' : 'not ended', {evidence, proof}));
	if (outcome === 'stopped') await keepDestroying({client, signal, agreed}, ending);
}

function isUnchanged({instance, lease}: LeaseEnding, record: Instance | undefined): boolean {
	const [start, before] = [record?.start_date, instance.start_date];
	if (record === undefined || (start !== before && !isSameStart(start, before))) return false;
	return JSON.stringify(leaseOf(record).lease) === JSON.stringify(lease);
}

/** Schedules the destruction of an instance stopped for idleness or cost, an hour later. */
async function keepDestroying(
	{client, signal, agreed}: Pick<GuardOptions, 'client' | 'signal' | 'agreed'>,
	ending: LeaseEnding,
): Promise<void> {
	const {lease, decision} = ending;
	const date = client.clock.lastContact()?.date;
	const isKnown = date !== undefined && lease !== undefined;
	const next = !isKnown ? undefined : leaseAfterStop(lease, decision.rule, date);
	if (next === undefined) return;
	// While it was being stopped, it may have been given another lease or name.
	const record = await client.instances.show(ending.instance.id, {signal});
	if (record === undefined || !isUnchanged(ending, record)) return;
	const text = writeLabel(leaseOf(record).label, next);
	if (text === undefined) return;
	agreed?.agree(record, next, client.clock.skewMs());
	await client.instances.label(record.id, text, {signal});
}

function endEvent(
	{instance, label, decision, lease}: LeaseEnding,
	kind: 'ended' | 'not ended',
	facts: {readonly evidence: string; readonly proof: string},
): EndEvent {
	const due = lease === undefined ? decision.rule : leaseKey(lease);
	return {kind, id: instance.id, label, act: decision.action, due, ...facts};
}

function evidenceOf({rule, evidence, lateMs}: LeaseEnding['decision'], saved?: string): string {
	const late = lateMs < 60_000 ? [] : [`${Math.round(lateMs / 1000)} s late`];
	return [
		`${rule === 'budget' ? '' : 'lease '}${rule}: ${evidence}`,
		...late,
		...(saved === undefined ? [] : [saved]),
	].join(', ');
}

const FIRST_PAUSE_MS = 30_000;

export const MOST_PAUSE_MS = 900_000;

type Failed = {readonly tries: number; readonly at: number};

/**
 * Failed ends: each is retried with a growing backoff, and the first consecutive failure is
 * reported.
 *
 * @param steady milliseconds on a clock that never jumps
 */
function createFailedEnds(steady: () => number) {
	const all = new Map<number, Failed>();
	return {
		isDue(id: number): boolean {
			const {tries, at} = all.get(id) ?? {tries: 0, at: 0};
			return tries === 0 || steady() - at >= pauseAfter(tries);
		},
		/** Records a failed end; true for the first consecutive one. */
		add(id: number): boolean {
			const tries = (all.get(id)?.tries ?? 0) + 1;
			all.set(id, {tries, at: steady()});
			return tries === 1;
		},
		has: (id: number): boolean => all.has(id),
		forget: (id: number): void => void all.delete(id),
	};
}

function pauseAfter(tries: number): number {
	return Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
}
