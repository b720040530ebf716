/** Renting, safe against lost replies: no instance runs without its renter's knowledge. */
import {randomUUID} from 'node:crypto';
import process from 'node:process';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {contract} from '../../contract/index.ts';
import {refusals} from '../../contract/grammar/errors.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {type CallEndpoint, type CallOptions, writeRequest} from '../exchange/call.ts';
import {ApiError, MarketError, ReplyError, classifyFailure} from '../exchange/errors.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	isDoubtful,
	isUndecided,
	type AgreedOrder,
	type PendingRent,
	type RentOutcome,
	type RentState,
} from './pending-rent.ts';
import {instancesWithMark, notMade} from './made-instance.ts';
import {orderWithMark} from './match-instance.ts';
import {UnreadableRents} from './pending-rents.ts';
import {
	conclude,
	discover,
	findInstanceWithMark,
	searchInstance,
	track,
	withDoubles,
	type Settling,
} from './settling.ts';

/** The fields of an offer that help to recognise its instance; its id alone is enough. */
export type WantedOffer =
	| number
	| Pick<Offer, 'id' | 'machine_id' | 'num_gpus' | 'dph_total' | 'dph_base'>;

export type RentOptions = Pick<CallOptions, 'signal'> & {
	/**
	 * The order as it was shown, stored with the pending rent for the comparison with its instance.
	 */
	readonly agreed?: AgreedOrder | undefined;
	/**
	 * Called when the reply was lost and the instance is searched for, which may take half a
	 * minute.
	 */
	readonly onDoubt?: ((pending: PendingRent) => void) | undefined;
	/**
	 * An earlier rent of the same order that may still arrive: with the same mark, a market creates
	 * only one instance.
	 */
	readonly again?: Pick<PendingRent, 'token'> | undefined;
	/**
	 * Called before anything is sent, with everything that costs or may cost money beside the rent.
	 * Throws to refuse it.
	 */
	readonly mayRent?: ((beside: PresentRentals) => void) | undefined;
};

/** Instances that cost money at the moment of a rent, and rents that may soon. */
export type PresentRentals = {
	/** Undefined if the key may not list them. */
	readonly instances: readonly Instance[] | undefined;
	/** Rents of this account that are in progress, or whose instances are in no list yet. */
	readonly rents: readonly PendingRent[];
	/** All other known rents of this account, including settled ones. */
	readonly others: readonly PendingRent[];
};

const {create} = contract.instances;
const ATTEMPT = 'rent an offer';

export function rentingCalls(call: CallEndpoint, settling: Settling) {
	return {
		/**
		 * Rents an offer, once. The pending rent is written first; after a lost reply, its instance
		 * is searched for until the outcome is known.
		 *
		 * @throws ApiError if the service refuses: nothing was rented.
		 */
		async rent(
			offer: WantedOffer,
			order: InstanceOrder,
			options: RentOptions = {},
		): Promise<RentOutcome> {
			const token = options.again?.token ?? randomUUID();
			const facts = factsOf(offer, order);
			const body = orderWithMark(order, token);
			// Serialise first: an invalid order must fail before it is stored as a pending rent.
			writeRequest(create, {params: {id: facts.offerId}, body});
			const {agreed, mayRent} = options;
			const listed = await listBefore(settling, options.signal);
			const {service, profile, time, serviceNow} = settling;
			const at = time.now();
			const since = options.again && (await arrivesSince(settling, token));
			const pending: PendingRent = {
				token,
				...listed.before,
				agreed,
				...facts,
				service,
				profile,
				owner: process.pid,
				notedAt: at,
				sentAt: serviceNow(),
				isTold: false,
				state: {kind: 'sent', at},
			};
			return track(settling, token, async () => {
				const others = await note(settling, pending);
				if (mayRent !== undefined) await hold(settling, pending, {listed, others, mayRent, since});
				settling.toReport.add(token);
				const answer = await send(call, pending, {body, signal: options.signal});
				if ('error' in answer)
					return failed(settling, pending, {...options, error: answer.error, since});
				const outcome = await believe(settling, pending, answer.id);
				return outcome.outcome === 'created' ? {...outcome, key: answer.key} : outcome;
			});
		},
	};
}

function factsOf(offer: WantedOffer, {label, price}: InstanceOrder) {
	const shown: Partial<Offer> & {id: number} = typeof offer === 'number' ? {id: offer} : offer;
	const bid = typeof price === 'number' ? price : undefined;
	return {
		offerId: shown.id,
		machineId: shown.machine_id ?? undefined,
		gpus: shown.num_gpus ?? undefined,
		label: label ?? undefined,
		price: bid ?? shown.dph_total ?? shown.dph_base ?? undefined,
	};
}

type ListedBefore = {
	readonly before: Pick<PendingRent, 'before' | 'known'>;
	readonly instances: readonly Instance[] | undefined;
	readonly at: number;
};

/** All instances, or none if the key may not list them: then none is recognised as new. */
async function listBefore(
	{readList, time}: Settling,
	signal: AbortSignal | undefined,
): Promise<ListedBefore> {
	const at = time.now();
	try {
		const {isWhole, instances} = await readList(signal);
		const ids = instances.map(({id}) => id);
		return {before: {[isWhole ? 'before' : 'known']: ids}, instances, at};
	} catch (error) {
		if (error instanceof ApiError && error.status === 403 && !error.isKeyRefused) {
			return {before: {}, instances: undefined, at};
		}
		throw error;
	}
}

/** Time since which an earlier order with the same mark may arrive; undefined if none may. */
async function arrivesSince({book, time}: Settling, token: string): Promise<number | undefined> {
	const earlier = (await book.all()).find(one => one.token === token);
	const mayArrive = earlier && (isUndecided(earlier) || isDoubtful(earlier, time.now()));
	return mayArrive === true ? earlier?.state.at : undefined;
}

type Unmade = Extract<RentState, {readonly kind: 'not created'}>;

/** State of a rent that was not made; where an earlier order with its mark may arrive, that stays to be looked for. */
function unmade(state: Unmade, since: number | undefined): Unmade {
	return since === undefined ? state : {...state, at: since, why: 'not found'};
}

type Holding = {
	readonly listed: ListedBefore;
	readonly others: readonly PendingRent[];
	readonly mayRent: (beside: PresentRentals) => void;
	readonly since: number | undefined;
};

/** Asks whether a stored rent may be sent, and records a refusal. */
async function hold(
	settling: Settling,
	pending: PendingRent,
	{listed: {instances, at}, others, mayRent, since}: Holding,
): Promise<void> {
	const known = new Set(instances?.map(({id}) => id));
	const {service, profile} = pending;
	const ours = others.filter(other => other.service === service && other.profile === profile);
	const rents = ours.filter(other => mayBeCharged(other, {known, at}));
	try {
		mayRent({instances, rents, others: ours});
	} catch (error) {
		const says = error instanceof Error ? error.message : undefined;
		const state = {kind: 'not created', at: settling.time.now(), why: 'never sent', says} as const;
		await conclude(settling, pending, {state: unmade(state, since), error});
		throw error;
	}
}

/** True for a rent in progress, and for one whose instance is newer than a list. */
function mayBeCharged(
	other: PendingRent,
	{known, at}: {readonly known: ReadonlySet<number>; readonly at: number},
): boolean {
	if (isUndecided(other)) return true;
	const {state} = other;
	return state.kind === 'created' && state.at >= at && !known.has(state.id);
}

/** Accepts a reply unless a list contradicts it: its instance may be destroyed because of it. */
async function believe(settling: Settling, pending: PendingRent, id: number): Promise<RentOutcome> {
	// Without a list the reply counts, unless it names an instance from before.
	const {instances} = await settling.readList().catch(() => ({instances: []}));
	const at = settling.time.now();
	const problem = notMade(pending, id, instances);
	if (problem !== undefined) {
		const error = new ReplyError(ATTEMPT, `the service answered with ${problem}`);
		const candidates = instancesWithMark(pending, instances).map(marked => marked.id);
		return discover(settling, pending, {state: {kind: 'unknown', at, candidates}, error});
	}
	const state = {kind: 'created', at, id, proof: 'answer'} as const;
	const outcome = await conclude(settling, pending, {state});
	return withDoubles(settling, outcome, {pending, instances});
}

async function note({book}: Settling, pending: PendingRent): Promise<readonly PendingRent[]> {
	try {
		return await book.note(pending);
	} catch (cause) {
		if (cause instanceof UnreadableRents) {
			const help = 'rentty ps shows what is rented; after that, rent again';
			const why = `${cause.message}, so nothing was sent: ${help}`;
			throw new MarketError(ATTEMPT, why, {cause, money: 'Nothing was rented.'});
		}
		const why = `${cause instanceof Error ? cause.message : String(cause)}, so nothing was sent`;
		throw new MarketError(ATTEMPT, why, {cause, money: 'Nothing was rented.'});
	}
}

type Sending = {readonly body: InstanceOrder; readonly signal: AbortSignal | undefined};

async function send(
	call: CallEndpoint,
	{offerId, token, price}: PendingRent,
	{body, signal}: Sending,
) {
	try {
		const options = {signal, note: {request: token, price}};
		const reply = await call(create, {params: {id: offerId}, body}, options);
		if (reply.success) return {id: reply.new_contract, key: reply.instance_api_key ?? undefined};
		return {error: new ReplyError(ATTEMPT, 'the answer contradicts itself')};
	} catch (error) {
		return {error};
	}
}

/** True for the refusal of a market where an order with this mark has arrived, and its instance is gone. */
const isMadeBefore = (error: unknown): boolean =>
	error instanceof ApiError && error.code === refusals.madeBefore.error;

type Failure = {readonly error: unknown; readonly since: number | undefined};

async function failed(
	settling: Settling,
	pending: PendingRent,
	{signal, onDoubt, error, since}: RentOptions & Failure,
): Promise<RentOutcome> {
	const why = classifyFailure(error);
	const at = settling.time.now();
	if (why === 'lost') {
		// A caller that aborts gets no outcome: the pending rent stays open, and the next start settles it.
		signal?.throwIfAborted();
		onDoubt?.(pending);
		return searchInstance(settling, pending, {signal, since: at, error});
	}
	if (error instanceof ApiError && !error.isKeyRefused) {
		// A proxy may have sent the request twice, or the service failed after creating the instance.
		// Without a list the refusal counts.
		const list = await settling.readList(signal).catch(() => undefined);
		const taken = list && (await findInstanceWithMark(settling, pending, list.instances));
		if (taken !== undefined) return taken;
	}
	const says = error instanceof Error ? error.message : undefined;
	const state = {kind: 'not created', at, why, says} as const;
	// Where the earlier order has arrived, none is on its way any more.
	const inDoubtSince = isMadeBefore(error) ? undefined : since;
	const outcome = await conclude(settling, pending, {state: unmade(state, inDoubtSince), error});
	if (why === 'refused') throw error;
	return outcome;
}
