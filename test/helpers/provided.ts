import {openClient} from '../../source/client/client.ts';
import {openHostMarket, testPublication} from './hosts.ts';

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
