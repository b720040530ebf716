/** Renting, safe against lost answers: no instance runs without its renter's knowledge. */
import {randomUUID} from 'node:crypto';
import process from 'node:process';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {contract} from '../../contract/index.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {type CallEndpoint, type CallOptions, writeRequest} from '../exchange/call.ts';
import {ApiError, MarketError, ReplyError, failureOf} from '../exchange/errors.ts';
import type {AgreedOrder, RentOutcome, PendingRent} from './pending-rent.ts';
import {markedWith, notMade} from './made-instance.ts';
import {mark} from './match-instance.ts';
import {
	conclude,
	discover,
	findMarked,
	lookFor,
	track,
	withDoubles,
	type Settling,
} from './settling.ts';

/** The fields of an offer that help to recognise its instance; its number alone will do. */
export type WantedOffer =
	| number
	| Pick<Offer, 'id' | 'machine_id' | 'num_gpus' | 'dph_total' | 'dph_base'>;

export type RentOptions = Pick<CallOptions, 'signal'> & {
	/** The order as it was shown, kept with the pending rent to compare the instance with. */
	readonly agreed?: AgreedOrder | undefined;
	/** Called when the answer was lost and the instance is looked for, which may take half a minute. */
	readonly onDoubt?: ((pending: PendingRent) => void) | undefined;
	/** An earlier rent by the same order that may still arrive: with its mark, a market makes one of both. */
	readonly again?: Pick<PendingRent, 'token'> | undefined;
};

const {create} = contract.instances;
const ATTEMPT = 'rent an offer';

export function rentingCalls(call: CallEndpoint, settling: Settling) {
	return {
		/**
		 * Rents an offer, once. The pending rent is written first; after a lost answer, its instance is looked
		 * for until the outcome is known.
		 *
		 * @throws ApiError where the service refuses: nothing was rented.
		 */
		async rent(
			offer: WantedOffer,
			order: InstanceOrder,
			options: RentOptions = {},
		): Promise<RentOutcome> {
			const token = options.again?.token ?? randomUUID();
			const facts = factsOf(offer, order);
			const body = mark(order, token);
			// An order that cannot be written for the wire fails before it is noted as a pending rent.
			writeRequest(create, {params: {id: facts.offerId}, body});
			const before = await listBefore(settling, options.signal);
			const {agreed} = options;
			const pending = sentNow(settling, {token, ...before, agreed, ...facts});
			return track(settling, token, async () => {
				await note(settling, pending);
				settling.toTell.add(token);
				const answer = await send(call, pending, {body, signal: options.signal});
				if ('error' in answer) return failed(settling, pending, {...options, error: answer.error});
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

/** Ids of all instances, or none where the key may not list them: then none is recognised as new. */
async function listBefore(
	{look}: Settling,
	signal: AbortSignal | undefined,
): Promise<Pick<PendingRent, 'before' | 'known'>> {
	try {
		const {isWhole, instances} = await look(signal);
		return {[isWhole ? 'before' : 'known']: instances.map(({id}) => id)};
	} catch (error) {
		if (error instanceof ApiError && error.status === 403 && !error.isKeyRefused) return {};
		throw error;
	}
}

/** An answer counts unless a list contradicts it: its instance may be destroyed for it. */
async function believe(settling: Settling, pending: PendingRent, id: number): Promise<RentOutcome> {
	// Without a list the answer counts, unless it names an instance from before.
	const {instances} = await settling.look().catch(() => ({instances: []}));
	const at = settling.time.now();
	const problem = notMade(pending, id, instances);
	if (problem !== undefined) {
		const error = new ReplyError(ATTEMPT, `the service answered with ${problem}`);
		const candidates = markedWith(pending, instances).map(marked => marked.id);
		return discover(settling, pending, {state: {kind: 'unknown', at, candidates}, error});
	}
	const state = {kind: 'created', at, id, proof: 'answer'} as const;
	return withDoubles(await conclude(settling, pending, {state}), pending, instances);
}

type Facts = Omit<
	PendingRent,
	'service' | 'profile' | 'owner' | 'notedAt' | 'sentAt' | 'isTold' | 'state'
>;

function sentNow({service, profile, time, serviceNow}: Settling, facts: Facts): PendingRent {
	const at = time.now();
	const times = {notedAt: at, sentAt: serviceNow()};
	const by = {service, profile, owner: process.pid, ...times, isTold: false};
	return {...facts, ...by, state: {kind: 'sent', at}};
}

async function note({book}: Settling, pending: PendingRent): Promise<void> {
	try {
		await book.note(pending);
	} catch (cause) {
		const why = `${cause instanceof Error ? cause.message : String(cause)}, so nothing was sent`;
		throw new MarketError(ATTEMPT, why, {cause, money: 'Nothing was rented.'});
	}
}

type Sending = {readonly body: InstanceOrder; readonly signal: AbortSignal | undefined};

/** The answer, or the failure. */
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

async function failed(
	settling: Settling,
	pending: PendingRent,
	{signal, onDoubt, error}: RentOptions & {readonly error: unknown},
): Promise<RentOutcome> {
	const why = failureOf(error);
	const at = settling.time.now();
	if (why === 'lost') {
		// A caller that aborts gets no outcome: the pending rent stays open, and the next start settles it.
		signal?.throwIfAborted();
		onDoubt?.(pending);
		return lookFor(settling, pending, {signal, since: at, error});
	}
	const taken = await findTaken(settling, pending, {signal, error});
	if (taken !== undefined) return taken;
	const says = error instanceof Error ? error.message : undefined;
	const state = {kind: 'not created', at, why, says} as const;
	const outcome = await conclude(settling, pending, {state, error});
	if (why === 'refused') throw error;
	return outcome;
}

/**
 * A refusal may follow a created instance: a proxy sent the request twice, or the service failed after
 * creating it.
 */
async function findTaken(
	settling: Settling,
	pending: PendingRent,
	{signal, error}: {readonly signal: AbortSignal | undefined; readonly error: unknown},
): Promise<RentOutcome | undefined> {
	if (!(error instanceof ApiError) || error.isKeyRefused) return undefined;
	if (![404, 410, 429].includes(error.status)) return undefined;
	// Without a list the refusal counts.
	const list = await settling.look(signal).catch(() => undefined);
	return list === undefined ? undefined : findMarked(settling, pending, list.instances);
}
