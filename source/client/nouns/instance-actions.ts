import {contract} from '../../contract/index.ts';
import type {WantedState} from '../../contract/nouns/instance-actions.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import {refusedAnyway} from '../exchange/refusal.ts';
import type {JobOrder} from '../../contract/nouns/scheduled-jobs.ts';

const calls = contract.instances;

/** Jobs: calls about instances that the service makes at set times. */
export function scheduledJobCalls(call: CallEndpoint) {
	return {
		/** Schedules a call, and returns the id of the job. */
		create: async (order: JobOrder, options?: CallOptions) =>
			(await call(contract.scheduledJobs.create, {body: order}, options)).id,
	};
}

type Started = {
	/** The instance waits for its GPUs. */
	readonly isQueued: boolean;
	readonly message: string | undefined;
};

type Changes = {
	readonly state?: WantedState | undefined;
	/** An empty label removes it. */
	readonly label?: string | undefined;
};

type ManyMoved = {
	/** Instances that wait for their GPUs. */
	readonly queued: readonly number[];
	/** Instances that cannot be started again because their rental is over. */
	readonly ended: readonly number[];
};

type Deposit = {
	/** Dollars. */
	readonly refundable: number;
	readonly discount: number;
	readonly months: number;
};

type Prepaid = {
	readonly months: number | undefined;
	/** Discount as a share of the price. */
	readonly discountRate: number | undefined;
};

/** Most instances in one call, accepted by every service. */
const AT_ONCE = 64;

export function instanceActionCalls(call: CallEndpoint) {
	return {...changeCalls(call), ...manyCalls(call), ...moneyCalls(call)};
}

function changeCalls(call: CallEndpoint) {
	/** Starts, stops or labels an instance, depending on the fields. */
	async function change(id: number, changes: Changes, options?: CallOptions): Promise<Started> {
		const reply = await call(calls.change, {params: {id}, body: changes}, options);
		const isQueued = isActionQueued(reply);
		if (!isQueued && !reply.success) throw refusedAnyway(calls.change, reply);
		return {isQueued, message: reply.msg ?? undefined};
	}

	return {
		change,
		start: async (id: number, options?: CallOptions): Promise<Started> =>
			change(id, {state: 'running'}, options),
		async stop(id: number, options?: CallOptions): Promise<void> {
			await change(id, {state: 'stopped'}, options);
		},
		async label(id: number, label: string, options?: CallOptions): Promise<void> {
			await change(id, {label}, options);
		},
	};
}

function manyCalls(call: CallEndpoint) {
	async function changeMany(
		ids: readonly number[],
		state: WantedState,
		options?: CallOptions,
	): Promise<ManyMoved> {
		const queued: number[] = [];
		const ended: number[] = [];
		for (const some of inParts(ids)) {
			const reply = await call(calls.changeMany, {body: {state, ids: some}}, options);
			queued.push(...(reply.queued ?? []));
			ended.push(...(reply.ended ?? []));
		}
		return {queued, ended};
	}

	return {
		changeMany,
		/** Destroys instances; missing ones are skipped. */
		async destroyMany(ids: readonly number[], options?: CallOptions): Promise<void> {
			for (const some of inParts(ids)) {
				await call(calls.destroyMany, {body: {instance_ids: some}}, options);
			}
		},
	};
}

function moneyCalls(call: CallEndpoint) {
	return {
		/** Sets a bid in dollars an hour; without a price, to the least with which the instance runs. */
		async changeBid(id: number, price?: number, options?: CallOptions): Promise<void> {
			await call(calls.changeBid, {params: {id}, body: {price}}, options);
		},
		/** Pays dollars for an instance in advance. */
		async prepay(id: number, amount: number, options?: CallOptions): Promise<Prepaid> {
			const reply = await call(calls.prepay, {params: {id}, body: {amount}}, options);
			return {months: reply.timescale ?? undefined, discountRate: reply.discount_rate ?? undefined};
		},
		/** The prepaid amount of an instance. */
		async deposit(id: number, options?: CallOptions): Promise<Deposit> {
			const reply = await call(calls.deposit, {params: {id}}, options);
			return {
				refundable: reply.refundable_deposit,
				discount: reply.total_discount,
				months: reply.discount_months,
			};
		},
		/** Extends a rental from its present end, at a higher price. */
		acceptPriceIncrease: async (id: number, options?: CallOptions) =>
			call(calls.acceptPriceIncrease, {body: {pending_price_increase_id: id}}, options),
		/** Lets a rental end at its present end. */
		rejectPriceIncrease: async (id: number, options?: CallOptions) =>
			call(calls.rejectPriceIncrease, {body: {pending_price_increase_id: id}}, options),
	};
}

type Outcome = {
	readonly success: boolean;
	readonly error?: string | null | undefined;
	readonly msg?: string | null | undefined;
};

/**
 * True if the service queued the request for later. Services without a field for it say so in a
 * sentence.
 */
export function isActionQueued({success, error, msg}: Outcome): boolean {
	return error === 'resources_unavailable' || (!success && /\bqueued\b/i.test(msg ?? ''));
}

/** Parts of the size that one call accepts. */
export function inParts<Item>(items: readonly Item[]): ReadonlyArray<Item[]> {
	const parts = Math.ceil(items.length / AT_ONCE);
	return Array.from({length: parts}, (_, index) =>
		items.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
	);
}
