import type {Database} from '../../../source/market/database/database.ts';
import {hearMachines, openTestMarketFile} from './instances.ts';
import type {CallInit, Reply} from './market.ts';

/** A market whose machines are all there, with an offer that can be rented. */
export async function openRentable(options: Parameters<typeof openTestMarketFile>[0] = {}) {
	const market = await openTestMarketFile({offers: 60, ...options});
	const {database} = market;
	await hearMachines(database);
	const [offer] = await offersOf(database).where('rentable', '=', 1).execute();
	if (offer === undefined) throw new Error('there is no offer');
	const rent = async (body: unknown, id: number | string = offer.id, init: CallInit = {}) =>
		market.call(`/api/v0/asks/${id}/`, {method: 'PUT', body: JSON.stringify(body), ...init});
	const instance = async ({body}: Reply) =>
		database
			.selectFrom('instances')
			.selectAll()
			.where('id', '=', contractOf(body))
			.executeTakeFirstOrThrow();
	return {...market, offer, rent, instance, [Symbol.asyncDispose]: market[Symbol.asyncDispose]};
}

function offersOf(database: Database) {
	return database
		.selectFrom('offers')
		.selectAll()
		.where('min_bid_micros', 'is not', null)
		.where('vms_enabled', '=', 0)
		.orderBy('id');
}

export function contractOf(body: unknown): number {
	const id =
		typeof body === 'object' && body !== null && 'new_contract' in body && body.new_contract;
	if (typeof id !== 'number') throw new Error(`no instance: ${JSON.stringify(body)}`);
	return id;
}
