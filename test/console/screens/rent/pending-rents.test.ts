import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../../../source/client/client.ts';
import type {PendingRent} from '../../../../source/client/rentals/pending-rent.ts';
import {settlePendingRents, settlingFirst} from '../../../../source/renter/orders/pending-rents.ts';
import {silent} from '../../../helpers/faults.ts';
import {openFaultProxy} from '../../../helpers/fault-proxy.ts';
import {openRentable} from '../../../helpers/rentable.ts';

test('a rental that an earlier run left unanswered is found and said when the client is opened', async () => {
	await using market = await openRentable();
	await using proxy = await openFaultProxy(market.url);
	const folder = mkdtempSync(join(tmpdir(), 'rentty-pending rents-'));
	const options = {
		url: proxy.url,
		key: market.key,
		paceScale: 0,
		pendingRentsFile: join(folder, 'wishes.json'),
		service: 'x',
		profile: 'x',
	};
	const earlier = openClient(options);
	proxy.next({method: 'PUT', path: '/api/v0/asks/'}, silent(undefined, true));
	const stop = new AbortController();
	const lost = earlier.instances.rent(
		market.offer.id,
		{image: 'a/b'},
		{signal: stop.signal, agreed: {diskGb: 40}},
	);
	const ended = lost.catch(() => undefined);
	const made = async () => market.database.selectFrom('instances').select('id').execute();
	await expect.poll(made).toHaveLength(1);
	stop.abort();
	await ended;
	await earlier.close();

	const later = openClient(options);
	const said: string[] = [];
	const compared: unknown[] = [];
	const settled = Promise.withResolvers<void>();
	const open = settlingFirst(
		async () => later,
		async client => {
			const notify = {
				send: ({text}: {readonly text: string}) => said.push(text) > 0,
				alert: () => true,
				setTrouble: () => undefined,
				setBooting: () => undefined,
			};
			const orders = {
				start: (id: number, pending: PendingRent) => compared.push([id, pending.agreed]),
			};
			await settlePendingRents(client, {notify, orders, fleet: {refresh: async () => undefined}});
			settled.resolve();
		},
	);
	await open();
	await open();
	await settled.promise;
	expect(said).toEqual([
		`Offer ${market.offer.id}, asked for before rentty ended, is instance 1, and is charged. 2 shows it.`,
	]);
	expect(compared).toEqual([[1, {diskGb: 40}]]);
	await later.close();
	rmSync(folder, {recursive: true});
});
