import type {Contract} from '../../contract/index.ts';
import {refusals} from '../../contract/grammar/errors.ts';
import {isGranted} from '../../contract/grammar/permissions.ts';
import {creationRefusal} from '../http/answers.ts';
import {isTaken} from './refusals.ts';
import {acceptRental} from './rent.ts';
import {Refusal} from '../base/refusal.ts';
import type {Context, Handler} from '../http/handler.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import type {Relays} from '../relay/relays.ts';
import type {OfferFinder} from '../offers/offer-finder.ts';

type Calls = Contract['instances'];

type Needs = {
	readonly patience: ContactTimeouts;
	readonly offers: OfferFinder;
	readonly relays: Relays;
};

export const create: Handler<Calls['create'], Needs> = async (
	{params: {id: askId}, body},
	context,
) => {
	const {id, key} = await acceptRental(context, {askId, order: body, ...whoAndWhen(context)});
	return {success: true, new_contract: id, instance_api_key: key};
};

export const createMany: Handler<Calls['createMany'], Needs> = async ({body}, context) => {
	const results = [];
	for (const askId of body.askIds) {
		results.push(await tryRent(context, {askId, order: body.order, ...whoAndWhen(context)}));
	}
	return {
		success: results.every(({success}) => success),
		new_contracts: results.flatMap(result => (result.success ? [result.new_contract] : [])),
		results,
	};
};

type Rental = Parameters<typeof acceptRental>[1];

async function tryRent(context: Context<Calls['createMany'], Needs>, rental: Rental) {
	const {askId} = rental;
	try {
		const {id, key} = await acceptRental(context, rental);
		return {success: true, ask_id: askId, new_contract: id, instance_api_key: key} as const;
	} catch (error) {
		const refusal = creationRefusal(error, String(askId));
		if (!(refusal instanceof Refusal)) throw refusal;
		const word = refusals[refusal.reason].error ?? refusal.reason;
		return {success: false, ask_id: askId, error: word, msg: refusal.message} as const;
	}
}

export const launch: Handler<Calls['launch'], Needs> = async ({body: {search, order}}, context) => {
	if (!isGranted(context.caller.grants, {permission: 'misc'})) {
		throw new Refusal('lacksPermission', 'This key lacks the permission misc.');
	}
	const {offers, clock} = context;
	for (const askId of await offers.ids(search, clock.now())) {
		try {
			const rented = await acceptRental(context, {askId, order, search, ...whoAndWhen(context)});
			const {id, key, askId: rentedAskId} = rented;
			return {success: true, new_contract: id, instance_api_key: key, ask_id: rentedAskId};
		} catch (error) {
			// The offer was taken, or its machine is away, so the next offer is tried.
			if (!isTaken(error)) throw error;
		}
	}
	throw new Refusal('noSuchAsk', 'no_such_ask No offer of this search can be rented.');
};

function whoAndWhen({caller, clock}: Pick<Context<Calls['create']>, 'caller' | 'clock'>) {
	return {accountId: caller.accountId, capped: caller.capped, now: clock.now()};
}
