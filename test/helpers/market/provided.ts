import {openClient} from '../../../source/client/client.ts';
import {openHostMarket, testPublication} from '../host/hosts.ts';
import {readInstance, rentRunning} from './instances.ts';
import {TEST_NOW} from './market.ts';

const DAY = 86_400;

/** A market with a machine of a provider, and its provider's calls. */
export async function openProvided() {
	const market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const client = openClient({url: market.url, key: market.hostKey, paceScale: 0});
	const {id} = machine;

	/** A call of the provider as it is written on the wire. */
	async function call(method: string, path: string, body?: unknown) {
		const sent = body === undefined ? null : JSON.stringify(body);
		const headers = {authorization: `Bearer ${market.hostKey}`};
		return market.call(`/api/v0/machines/${path}`, {method, headers, body: sent});
	}

	return {
		...market,
		machine,
		id,
		machines: client.machines,
		provider: client,
		callAsProvider: call,
		/** Lists it on these terms. */
		list: async (terms: Readonly<Record<string, unknown>> = {}) =>
			call('PUT', 'create_asks/', {machine: id, price_gpu: 0.5, ...terms}),
		/** Offers of it that can be found. */
		offers: async () =>
			(await market.search({machine_id: {eq: id}, order: [['id', 'asc']]})).toSorted(
				(one, other) => one.id - other.id,
			),
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** The same where one of two GPUs is rented for a day, and costs more by then. */
export async function openRisen() {
	const market = await openProvided();
	await market.list({end_date: TEST_NOW + DAY});
	const ask_id = market.machine.asks[0]?.id ?? 0;
	const {id: rented} = await rentRunning(market.database, {ask_id, label: 'train'});
	await market.database
		.updateTable('machines')
		.set({heard_at: TEST_NOW + 99 * DAY})
		.execute();
	const laterEnd = TEST_NOW + 9 * DAY;
	await market.list({price_gpu: 0.9, price_disk: 0.36, end_date: laterEnd});
	return {
		...market,
		rented,
		laterEnd,
		present: async () => readInstance(market.database, rented),
		waiting: async () => (await market.renter.instances.priceIncreases()).pending_price_increases,
	};
}
