/** Rents that agents sent before: what became of them, and which may still arrive. */
import type {AgreedOrder, RentOutcome} from '../../client/rentals/pending-rent.ts';
import {isSameOrder, repeatedRents} from '../../renter/orders/repeated-rents.ts';
import {refused, type Agent} from './agent.ts';
import {signatureIn} from './quotes.ts';
import {NEVER_SENT_SECONDS} from './rent-outcomes.ts';
import type {AgentRent} from './rents.ts';

/** A rent that was looked for in vain, and that its key sends again. */
export type Again = {readonly rent: AgentRent; readonly agreed: AgreedOrder | undefined};

type Earlier = {readonly id: number} | {readonly again: Again} | undefined;

/**
 * The rent of an earlier call with the same key, settled where its answer was lost.
 *
 * @throws AgentRefusal where nobody can tell, and for a key that is over
 */
export async function readEarlierRent(agent: Agent, token: string, text: string): Promise<Earlier> {
	const {rents, service, isOfMarket} = agent;
	const rent = (await rents.read(service)).find(one => one.token === token);
	if (rent === undefined) return undefined;
	const {id, goneAt} = rent;
	if (id === undefined && goneAt === undefined) return settleRent(agent, rent);
	if (id === undefined) {
		throw refused('The rent of this key was refused: take another key. Nothing was rented.');
	}
	// A market's list names no quote; there the mark alone prevents a second rent.
	if (!isOfMarket && rent.quote !== signatureIn(text)) {
		throw refused(
			`This key rented instance ${id} by another quote. Nothing was sent: take another key for another one.`,
		);
	}
	return {id};
}

async function settleRent(agent: Agent, rent: AgentRent): Promise<Earlier> {
	const {client, rents, context} = agent;
	const {token} = rent;
	const now = client.clock.now() / 1000;
	const pending = (await client.pendingRents.all()).find(one => one.token === token);
	if (pending === undefined) {
		if (now - rent.at < NEVER_SENT_SECONDS) {
			throw refused('This key is being rented with by another call: try again in a minute.');
		}
		await rents.note({token, goneAt: now});
		throw refused('The rent of this key was never sent: take another key and another quote.');
	}
	const outcome = await client.pendingRents.settle(pending, {signal: context.signal});
	if (outcome.outcome === 'created') {
		await noteMade(agent, outcome);
		return {id: outcome.id};
	}
	if (canArrive(outcome)) return {again: {rent, agreed: pending.agreed}};
	throw refused(await unmade(agent, outcome));
}

/** Notes an instance that was made. Returns a sentence where that fails: it is there all the same. */
export async function noteMade(
	{rents, client}: Agent,
	{id, pending}: Made,
): Promise<string | undefined> {
	const trouble = await rents.note({token: pending.token, id});
	await client.pendingRents.markReported(pending);
	return trouble;
}

type Made = Extract<RentOutcome, {readonly outcome: 'created'}>;

type Unmade = Exclude<RentOutcome, Made>;

/** True for an order that was looked for in vain: a gateway may deliver it late. */
const canArrive = (outcome: Unmade) =>
	outcome.outcome === 'not created' && outcome.why === 'not found';

/** The sentence about a rent that was not made; one that may still arrive counts within the limits. */
export async function unmade({rents, client}: Agent, outcome: Unmade): Promise<string> {
	if (outcome.outcome === 'unknown') {
		return 'The answer was lost, and it is not known whether it was rented: call rent again with the same key.';
	}
	if (canArrive(outcome)) {
		return 'Nothing was rented so far, and nothing is charged; it may still arrive. Call rent again with the same key, by a new quote of the same order if this one is over: no second is rented.';
	}
	await rents.note({token: outcome.pending.token, goneAt: client.clock.now() / 1000});
	return 'Nothing was rented: call again with another quote and another key.';
}

type Order = {
	readonly token: string;
	readonly agreed: AgreedOrder;
	readonly again: Again | undefined;
};

/** @throws AgentRefusal where an order that was sent with another key may still arrive, or has */
export async function refuseRepeated(agent: Agent, {token, agreed, again}: Order): Promise<void> {
	const {client, rents, service, context, isOfMarket} = agent;
	if (isOfMarket) return;
	if (again?.agreed !== undefined && !isSameOrder(again.agreed, agreed)) {
		throw refused('This key was used with another order: take another key. Nothing was rented.');
	}
	const tokens = new Set((await rents.read(service)).map(one => one.token));
	const {open, doubtful} = await repeatedRents(client, agreed);
	const others = [...open, ...doubtful].filter(one => one.token !== token && tokens.has(one.token));
	for (const pending of others) {
		// oxlint-disable-next-line no-await-in-loop -- each list for one may show the others
		const outcome = await client.pendingRents.settle(pending, {signal: context.signal});
		if (outcome.outcome === 'created') {
			// oxlint-disable-next-line no-await-in-loop -- the first ends it
			await noteMade(agent, outcome);
			throw refused(
				`The same order was sent with another key, and nothing was heard of it: it is instance ${outcome.id}, and is charged. Nothing else was rented.`,
			);
		}
		if (outcome.outcome === 'unknown' || canArrive(outcome)) {
			throw refused(
				'The same order was sent with another key, and may still arrive, for an hour: call rent with that key. Nothing was rented.',
			);
		}
	}
}
