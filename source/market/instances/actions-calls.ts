import {
	LEAST_BID,
	LONGEST_LABEL,
	MOST_BID_PER_GPU,
	type WantedState,
} from '../../contract/nouns/instance-actions.ts';
import type {RefusalReason} from '../../contract/grammar/errors.ts';
import type {Contract} from '../../contract/index.ts';
import {startInstance, stopInstances, type StartOutcome} from '../lifecycle/act.ts';
import {billInstance, changeInstance} from '../lifecycle/change.ts';
import {bidLimits, applyBid} from './bids.ts';
import {chargeAccount} from '../billing/charging.ts';
import {refuseUncovered} from '../ledger/cover.ts';
import {payDeposit, refundOf} from './deposits.ts';
import {destroyInstances} from './destroy.ts';
import {remakeInstance} from '../renting/remake.ts';
import {refuseBeyondCap} from '../api-keys/caps.ts';
import {Refusal} from '../base/refusal.ts';
import {messages} from '../lifecycle/rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {Database} from '../database/database.ts';
import {gpuIndexesOfMask} from '../base/gpu-mask.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {findInstance, findInstances, updateInstance} from '../lifecycle/instances-store.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {Handler, Means} from '../http/handler.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {writingOn} from '../database/writing.ts';
import {countCharacters} from '../../contract/grammar/harmless-text.ts';

type Calls = Contract['instances'];
/** Refusal of an instance that the caller does not have. */
type NoSuch = readonly [reason: RefusalReason, message: string];

type Needs = {readonly patience: ContactTimeouts};

type Called = Means & Needs & {readonly caller: ApiKey};

const done = {success: true} as const;

/** Reply to a start that has to wait: `success: false` although nothing failed. */
const queued = {success: false, error: 'resources_unavailable', msg: messages.queued} as const;

export const change: Handler<Calls['change'], Needs> = async (
	{params: {id}, body: {state, label}},
	context,
) => {
	const {caller} = context;
	const hasLabel = label !== undefined && label !== null;
	if (hasLabel && caller.instanceId !== null) {
		throw new Refusal('lacksPermission', 'The key of an instance can only start and stop it.');
	}
	if (hasLabel && countCharacters(label) > LONGEST_LABEL) {
		throw new Refusal('labelTooLong', `A label has at most ${LONGEST_LABEL} characters.`);
	}
	return actOn(id, context, async (transaction, row) => {
		// An empty label and a missing one are the same everywhere.
		if (hasLabel) await updateInstance(transaction, id, {label: label === '' ? null : label});
		const now = context.clock.now();
		if (state === 'stopped') await stopInstances(transaction, [row], now);
		if (state !== 'running') return done;
		const outcome = await startInstance(transaction, row, {patience: context.patience, now});
		refuseUnpaid(outcome);
		await refuseRaised(transaction, context);
		if (outcome === 'ended') {
			throw new Refusal(
				'badArguments',
				`Instance ${id} cannot be started again: the time for which its machine was offered is over.`,
			);
		}
		return outcome === 'queued' ? queued : done;
	});
};

export const changeMany: Handler<Calls['changeMany'], Needs> = async (
	{body: {ids, state}},
	context,
) => moveMany(ids, state, context);

export const startMany: Handler<Calls['startMany'], Needs> = async ({body: {IDs: ids}}, context) =>
	moveMany(ids, 'running', context);

export const destroy: Handler<Calls['destroy'], Needs> = async ({params: {id}}, context) => {
	const act = async (transaction: Database, row: InstanceRow) => {
		await destroyInstances(transaction, [row], context.clock.now());
		return {...done, msg: `Instance ${id} was destroyed.`};
	};
	return actOn(id, context, act);
};

export const destroyMany: Handler<Calls['destroyMany'], Needs> = async ({body}, context) => {
	const destroyed = await writingOn(
		context.database,
		{instances: body.instance_ids},
		async transaction => {
			const {accountId} = context.caller;
			const rows = await findInstances(transaction, {ids: body.instance_ids, accountId});
			await destroyInstances(transaction, rows, context.clock.now());
			return rows;
		},
	);
	signalHosts(destroyed, context);
	return {
		...done,
		msg: `${destroyed.length} of ${body.instance_ids.length} instances were there, and destroyed.`,
	};
};

export const reboot: Handler<Calls['reboot'], Needs> = async ({params: {id}}, context) =>
	startAnew(id, 'reboot', context);

export const recycle: Handler<Calls['recycle'], Needs> = async ({params: {id}}, context) =>
	startAnew(id, 'recycle', context);

export const rebuild: Handler<Calls['rebuild'], Needs> = async ({params: {id}, body}, context) =>
	actOn(id, context, async (transaction, row) => {
		await remakeInstance(transaction, row, body, context.clock.now());
		const when = row.current === 'running' ? 'now' : 'when it is started';
		return {...done, msg: `Instance ${id} was changed, and is made anew ${when}.`};
	});

export const changeBid: Handler<Calls['changeBid'], Needs> = async (
	{params: {id}, body: {price}},
	context,
) =>
	actOn(id, context, async (transaction, row) => {
		if (row.is_bid === 0) {
			throw new Refusal('badArguments', `Instance ${id} has a fixed price: nothing is bid for it.`);
		}
		const {least, winning} = await bidLimits(transaction, row);
		const micros = Math.round((price ?? winning / MICROS_PER_DOLLAR) * MICROS_PER_DOLLAR);
		const most = MOST_BID_PER_GPU * gpuIndexesOfMask(row.gpu_mask).length;
		if (micros < LEAST_BID * MICROS_PER_DOLLAR || micros > most * MICROS_PER_DOLLAR) {
			throw new Refusal('badArguments', `price must be between ${LEAST_BID} and ${most} an hour.`);
		}
		if (micros < least) {
			const dollars = least / MICROS_PER_DOLLAR;
			throw new Refusal('badArguments', `price must be at least ${dollars}: its host wants that.`);
		}
		const now = context.clock.now();
		const addedMicros = micros - row.gpu_micros;
		if (addedMicros > 0 && row.account_id !== row.host_account_id) {
			const covering = {accountId: row.account_id, addedMicros, now};
			await refuseUncovered(transaction, covering, 'the bid was not changed');
		}
		await applyBid(transaction, row, micros, now);
		await refuseRaised(transaction, context);
		return done;
	});

export const prepay: Handler<Calls['prepay'], Needs> = async (
	{params: {id}, body: {amount}},
	context,
) => {
	const {database, clock, caller} = context;
	const now = clock.now();
	const micros = Math.round(amount * MICROS_PER_DOLLAR);
	if (micros < 1 || !Number.isSafeInteger(micros)) {
		throw new Refusal('badArguments', 'amount must be a number of dollars that can be paid.');
	}
	await chargeAccount(database, caller.accountId, now);
	return actOn(id, context, async (transaction, row) => {
		const {months, rate} = await payDeposit(transaction, row, {micros, now});
		return {...done, timescale: months, discount_rate: rate};
	});
};

export const deposit: Handler<Calls['deposit'], Needs> = async ({params: {id}}, context) =>
	actOn(id, context, async (transaction, found) => {
		await billInstance(transaction, found, context.clock.now());
		const row = await find(transaction, id, context);
		const {deposit_micros: left, discount_micros: received} = row;
		return {
			...done,
			refundable_deposit: refundOf(row) / MICROS_PER_DOLLAR,
			total_discount: received / MICROS_PER_DOLLAR,
			discount_months: left === 0 ? 0 : Math.floor(Number(row.deposit_months.toFixed(6))),
		};
	});

/** Refusals of an unknown id, in each call's own words. */
const unknownId = {
	reboot: ['badArguments', 'invalid instance_id'],
	recycle: ['badId', 'Invalid instance id.'],
} as const satisfies Readonly<Record<string, NoSuch>>;

async function startAnew(id: number, kind: 'reboot' | 'recycle', context: Called) {
	const act = async (transaction: Database, row: InstanceRow) => {
		if (row.current !== 'running') {
			throw new Refusal('badArguments', `Instance ${id} is not running.`);
		}
		await changeInstance(transaction, row, {kind}, context.clock.now());
		return done;
	};
	return actOn(id, context, act, unknownId[kind]);
}

/** Runs an action on an instance of the caller in a transaction, and wakes its host. */
async function actOn<Reply>(
	id: number,
	context: Called,
	act: (transaction: Database, row: InstanceRow) => Promise<Reply>,
	noSuch?: NoSuch,
): Promise<Reply> {
	const {row, reply} = await writingOn(context.database, {instances: [id]}, async transaction => {
		const found = await find(transaction, id, context, noSuch);
		return {row: found, reply: await act(transaction, found)};
	});
	signalHosts([row], context);
	return reply;
}

async function find(
	database: Database,
	id: number,
	{caller: {accountId}}: Called,
	[reason, message]: NoSuch = ['noSuchInstance', `Instance ${id} not found.`],
): Promise<InstanceRow> {
	const row = await findInstance(database, {id, accountId});
	if (row === undefined) throw new Refusal(reason, message);
	return row;
}

/** Refuses what made the instances of a key with a cap dearer than it allows. */
async function refuseRaised(
	transaction: Database,
	{clock, caller: {capped}}: Pick<Called, 'clock' | 'caller'>,
): Promise<void> {
	await refuseBeyondCap(transaction, {capped, now: clock.now()});
}

function refuseUnpaid(outcome: StartOutcome): void {
	if (outcome !== 'unpaid') return;
	const why = 'The credit of the account does not cover a minute of all that it rents';
	throw new Refusal('missingBilling', `${why}: nothing was started.`);
}

/** Starts or stops several instances in a transaction, without missing ones. */
async function moveMany(ids: readonly number[], state: WantedState, context: Called) {
	const {database, caller, clock, patience} = context;
	const {accountId} = caller;
	const now = clock.now();
	const moved = await writingOn(database, {instances: ids}, async transaction => {
		const rows = await findInstances(transaction, {ids, accountId});
		if (state === 'stopped') await stopInstances(transaction, rows, now);
		const waiting: number[] = [];
		const ended: number[] = [];
		for (const {id} of state === 'running' ? rows : []) {
			// Read again: an instance started before this one may have taken its GPUs.
			const outcome = await startInstance(transaction, await find(transaction, id, context), {
				patience,
				now,
			});
			refuseUnpaid(outcome);
			if (outcome === 'queued') waiting.push(id);
			if (outcome === 'ended') ended.push(id);
		}
		if (state === 'running') await refuseRaised(transaction, context);
		return {rows, queued: waiting, ended};
	});
	signalHosts(moved.rows, context);
	return {...done, queued: moved.queued, ended: moved.ended};
}

function signalHosts(rows: readonly InstanceRow[], {workSignal}: Called): void {
	for (const host of new Set(rows.map(({host_account_id}) => host_account_id)))
		workSignal.send(host);
}
