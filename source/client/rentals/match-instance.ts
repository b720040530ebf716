/** Recognises the instance of a pending rent in lists of instances. */
import {type InstanceList, canMiss} from '../nouns/instance-list.ts';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {MARK_VARIABLE, requestMarkOf, envProblem} from '../../contract/rules/env.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {instancesWithMark} from './made-instance.ts';
import {isDoubtful, isUndecided, type PendingRent} from './pending-rent.ts';
import type {instanceCalls} from '../nouns/instances.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

export type ListInstances = (signal?: AbortSignal) => Promise<InstanceList>;

/**
 * Shares a list among all callers at about the same time. A list is never older than its request: a
 * caller that asks while a list is in progress gets the next one.
 */
export function shareLists(list: () => Promise<InstanceList>): ListInstances {
	let underWay: Promise<unknown> = Promise.resolve();
	let next: Promise<InstanceList> | undefined;

	async function listNext(): Promise<InstanceList> {
		await underWay;
		next = undefined;
		const listed = list();
		underWay = listed.catch(() => undefined);
		return listed;
	}

	return async signal => {
		next ??= listNext();
		return unlessAborted(next, signal);
	};
}

/** Waits for shared work, which continues for other callers after one aborts. */
async function unlessAborted<Value>(
	value: Promise<Value>,
	signal: AbortSignal | undefined,
): Promise<Value> {
	if (signal === undefined) return value;
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(signal.reason);
	signal.addEventListener('abort', abort);
	if (signal.aborted) abort();
	try {
		return await Promise.race([value, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

/** Pause before the next poll: short at first, because most changes happen at once. */
export function pauseBeforeList(polls: number): number {
	return Math.min(500 * 2 ** polls, 8000);
}

export type Presence =
	| {readonly kind: 'there'; readonly instance: Instance}
	/**
	 * The service has no record of it, a list agrees, and both were requested with a key that saw
	 * it. For one of many whose end the service has accepted, two consecutive lists agree.
	 */
	| {readonly kind: 'gone'}
	/**
	 * The instance is not listed; but a list may be stale or incomplete, and the key may belong to
	 * another account.
	 */
	| {readonly kind: 'unlisted'};

export type WantedInstance = {
	readonly id: number;
	/** True if the account of this key is known to hold the instance. */
	readonly isOurs?: boolean;
	readonly signal?: AbortSignal | undefined;
};

export type FindInstance = (wanted: WantedInstance) => Promise<Presence>;

type Tools = {
	readonly readList: ListInstances;
	readonly instances: Pick<ReturnType<typeof instanceCalls>, 'show' | 'isKnown'>;
};

/** Longest short list: a longer one takes many calls, so the record is requested first. */
const SHORT_LIST = 100;

/**
 * Most instances checked one by one: for more, a second list proves for all what a record proves
 * for one.
 */
const FEW = 4;

export function createFinder({readList, instances}: Tools): FindInstance {
	let known = 0;
	let underWay = 0;

	async function findInList({id, signal}: WantedInstance) {
		const list = await readList(signal);
		known = list.instances.length;
		return {list, instance: list.instances.find(listed => listed.id === id)};
	}

	const findRecord = async ({id, signal}: WantedInstance) =>
		instances.show(id, {signal, isUrgent: true});

	async function findOne(wanted: WantedInstance): Promise<Presence> {
		const isLong = known > SHORT_LIST;
		const early = isLong ? await findRecord(wanted) : undefined;
		if (early !== undefined) return {kind: 'there', instance: early};
		const {list, instance} = await findInList(wanted);
		if (instance !== undefined) return {kind: 'there', instance};
		const late = isLong ? undefined : await findRecord(wanted);
		if (late !== undefined) return {kind: 'there', instance: late};
		const isOurs = wanted.isOurs === true || instances.isKnown(wanted.id);
		return {kind: isOurs && canMiss(list) ? 'gone' : 'unlisted'};
	}

	async function findAmongMany(wanted: WantedInstance): Promise<Presence> {
		for (let polls = 0; polls < 2; polls++) {
			const {list, instance} = await findInList(wanted);
			if (instance !== undefined) return {kind: 'there', instance};
			if (!canMiss(list)) return findOne(wanted);
		}
		return {kind: 'gone'};
	}

	return async wanted => {
		underWay += 1;
		try {
			const isAmongMany = wanted.isOurs === true && underWay > FEW;
			return await (isAmongMany ? findAmongMany(wanted) : findOne(wanted));
		} finally {
			underWay -= 1;
		}
	};
}

/** An order whose instance will carry the token; unchanged if the order has no space for it. */
export function orderWithMark(order: InstanceOrder, token: string): InstanceOrder {
	const env = [
		...(order.env ?? []).filter(([name]) => name !== MARK_VARIABLE),
		[MARK_VARIABLE, token] as const,
	];
	return envProblem(env) === undefined ? {...order, env} : order;
}

export type Match =
	| {readonly kind: 'found'; readonly id: number; readonly proof: 'mark' | 'comparison'}
	| {readonly kind: 'several'; readonly ids: readonly number[]}
	| {readonly kind: 'none'};

/**
 * Finds the instance of a pending rent in a list: by its mark, and if services show no environment,
 * among instances that are new since the previous list. Excludes an instance that could belong to
 * another pending rent.
 */
export function matchInstance(
	pending: PendingRent,
	instances: readonly Instance[],
	others: readonly PendingRent[],
	now: number,
): Match {
	const [marked] = instancesWithMark(pending, instances);
	if (marked !== undefined) return {kind: 'found', id: marked.id, proof: 'mark'};
	const taken = new Set(others.flatMap(idsOf));
	const fitting = instances.filter(
		instance =>
			requestMarkOf(instance.extra_env) === undefined &&
			!taken.has(instance.id) &&
			fits(pending, instance),
	);
	const rivals = others.filter(
		other =>
			other.token !== pending.token &&
			(isUndecided(other) || isDoubtful(other, now)) &&
			fitting.some(instance => fits(other, instance)),
	);
	if (rivals.length > 0) return {kind: 'several', ids: fitting.map(({id}) => id)};
	return oneOf(fitting);
}

function oneOf(found: readonly Instance[]): Match {
	const [first, second] = found;
	if (first === undefined) return {kind: 'none'};
	if (second !== undefined) return {kind: 'several', ids: found.map(({id}) => id)};
	return {kind: 'found', id: first.id, proof: 'comparison'};
}

function idsOf({state}: PendingRent): readonly number[] {
	return state.kind === 'created' ? [state.id] : [];
}

function fits(pending: PendingRent, instance: Instance): boolean {
	const {before, machineId, gpus, label, notedAt} = pending;
	if (before === undefined || before.includes(instance.id)) return false;
	const startedAt = (instance.start_date ?? Infinity) * 1000;
	return (
		startedAt > notedAt - DAY_MS &&
		isSame(machineId, instance.machine_id) &&
		isSame(gpus, instance.num_gpus) &&
		(label === undefined || label === '' || isSame(label, instance.label ?? ''))
	);
}

/** True unless two values contradict each other: a missing value contradicts nothing. */
function isSame<Value>(wanted: Value | undefined, shown: Value | null | undefined): boolean {
	return wanted === undefined || shown === undefined || shown === null || wanted === shown;
}
