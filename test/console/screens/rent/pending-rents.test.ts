import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import type {PendingRent} from '../../../../source/client/rentals/pending-rent.ts';
import {settlePendingRents, settlingFirst} from '../../../../source/renter/orders/pending-rents.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {silent} from '../../../helpers/services/faults.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {openRentable} from '../../../helpers/market/rentable.ts';

/** A market with an instance whose console was ended before the answer to its order. */
async function openUnanswered() {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const folder = openFolder();
	const options = {
		url: proxy.url,
		key: market.key,
		paceScale: 0,
		pendingRentsFile: join(folder.path, 'wishes.json'),
		service: 'x',
		profile: 'x',
	};
	const earlier = openClient(options);
	proxy.next({method: 'PUT', path: '/api/v0/asks/'}, silent(undefined, true));
	const stop = new AbortController();
	const order = {signal: stop.signal, agreed: {diskGb: 40}};
	const lost = earlier.instances.rent(market.offer.id, {image: 'a/b'}, order);
	const ended = lost.catch(() => undefined);
	const made = async () => market.database.selectFrom('instances').select('id').execute();
	await expect.poll(made).toHaveLength(1);
	stop.abort();
	await ended;
	await earlier.close();
	const said: string[] = [];
	const compared: unknown[] = [];
	return {
		offerId: market.offer.id,
		proxy,
		said,
		compared,
		later: openClient(options),
		openNext: () => openClient(options),
		options: {
			notify: {
				send: ({text}: {readonly text: string}) => said.push(text) > 0,
				alert: () => true,
				setTrouble: () => undefined,
				setBooting: () => undefined,
			},
			orders: {start: (id: number, pending: PendingRent) => compared.push([id, pending.agreed])},
			fleet: {refresh: async () => undefined},
		},
		async [Symbol.asyncDispose]() {
			await this.later.close();
			folder[Symbol.dispose]();
			await proxy[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('a rental that an earlier run left unanswered is found and said when the client is opened', async () => {
	await using world = await openUnanswered();
	const settled = Promise.withResolvers<void>();
	const {signal} = new AbortController();
	const open = settlingFirst(
		async () => world.later,
		async client => {
			await settlePendingRents(client, {...world.options, signal});
			settled.resolve();
		},
	);
	await open();
	await open();
	await settled.promise;
	expect(world.said).toEqual([
		`Offer ${world.offerId}, asked for before rentty ended, is instance 1, and is charged. 2 shows it.`,
	]);
	expect(world.compared).toEqual([[1, {diskGb: 40}]]);
});

test('a console that is left looks for no rental any more, and leaves it to the next one', async () => {
	await using world = await openUnanswered();
	const {later, proxy, options} = world;
	const leaving = new AbortController();
	const asked = Promise.withResolvers<void>();
	proxy.next({method: 'GET'}, async () => asked.resolve(), Infinity);
	const settling = settlePendingRents(later, {...options, signal: leaving.signal});
	await asked.promise;
	leaving.abort();
	await expect(settling).rejects.toThrow('abort');
	expect(world.said).toEqual([]);
	const next = world.openNext();
	expect(await next.pendingRents.open()).toMatchObject([{state: {kind: 'sent'}}]);
	await next.close();
});
