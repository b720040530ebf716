import * as z from 'zod/mini';
import type {Cap} from '../../../source/contract/grammar/caps.ts';
import {contractOf, openRentable} from './rentable.ts';

const madeKey = z.looseObject({id: z.number(), key: z.string()});

/** A market with machines to rent, and a way to make and use keys with a cap. */
export async function openCapped() {
	const market = await openRentable();
	const offers = await market.database
		.selectFrom('offers')
		.selectAll()
		.where('rentable', '=', 1)
		.where('min_bid_micros', 'is not', null)
		.orderBy('dph_base_micros')
		.execute();
	/** Offers of machines apart, so that a rent of one leaves the others. */
	const apart = [...Map.groupBy(offers, ({machine_id: id}) => id).values()].flatMap(
		([first]) => first ?? [],
	);

	async function callAs(key: string, method: string, path: string, body?: unknown) {
		const headers = {authorization: `Bearer ${key}`};
		const init = body === undefined ? {} : {body: JSON.stringify(body)};
		return market.call(`/api/v0/${path}`, {method, headers, ...init});
	}

	async function makeKey(cap: Cap | undefined, by = market.key) {
		const reply = await callAs(by, 'POST', 'auth/apikeys/', {name: 'capped', cap});
		return madeKey.parse(reply.body);
	}

	const rentAs = async (key: string, offer: {readonly id: number}, more: object = {}) =>
		callAs(key, 'PUT', `asks/${offer.id}/`, {image: 'x', disk: 10, ...more});

	const present = async () =>
		(
			await market.database
				.selectFrom('instances')
				.select('id')
				.where('destroyed_at', 'is', null)
				.execute()
		).length;

	return {
		...market,
		apart,
		callAs,
		makeKey,
		rentAs,
		present,
		rentedAs: async (...rented: Parameters<typeof rentAs>) =>
			contractOf((await rentAs(...rented)).body),
		[Symbol.asyncDispose]: market[Symbol.asyncDispose],
	};
}

/** Reply to a call that a cap forbids. */
export const beyondCap = {status: 403, body: {success: false, error: 'beyond_cap'}};
