import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {codeOf} from '../../../source/contract/rules/thrown.ts';
import {openClient} from '../../../source/client/client.ts';
import {writingOn} from '../../../source/market/database/writing.ts';
import {takeRelayPorts} from '../../../source/market/relay/store.ts';
import {hearMachines, openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openTwo} from '../../helpers/market/postgres.ts';
import {noPostgres} from '../../helpers/market/postgres-server.ts';
import {freePorts, HERE} from '../../helpers/market/relay.ts';

test('the ports of a new instance are listened at before its rent is answered', async () => {
	const first = await freePorts(8);
	const relay = {host: HERE, first, last: first + 7};
	await using market = await openTestMarketFile({offers: 60, relay});
	await hearMachines(market.database);
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {offers} = await client.offers.search({limit: 1});
	await client.instances.create(offers[0]?.id ?? 0, {image: 'a'});
	const socket = connect({host: HERE, port: first});
	let trouble: unknown;
	socket.once('error', error => (trouble = codeOf(error)));
	// Nobody is behind it, so that it is cut at once; a port without a listener refuses.
	await new Promise(resolve => socket.once('close', resolve).resume());
	expect([undefined, 'ECONNRESET']).toContain(trouble);
	await client.close();
});

test.skipIf(noPostgres !== undefined)(
	'two instances that are rented at once have ports of their own, and none waits for the other',
	async () => {
		await using two = await openTwo();
		await (await openTestMarket({file: two.place, offers: 60})).close();
		const relay = {id: null, host: HERE, first: 42_000, last: 42_015};
		const ids: number[] = [];
		for (let count = 0; count < 3; count += 1) ids.push((await rentDirectly(two.one.database)).id);
		// Both try the same place first.
		const [one = 0, , other = 0] = ids;
		const taken = Promise.withResolvers<number | undefined>();
		const kept = Promise.withResolvers<void>();
		const earlier = writingOn(two.one.database, {}, async transaction => {
			taken.resolve(await takeRelayPorts(transaction, relay, one));
			await kept.promise;
		});
		const first = await taken.promise;
		const second = await writingOn(two.other.database, {}, async transaction =>
			takeRelayPorts(transaction, relay, other),
		);
		kept.resolve();
		await earlier;
		expect(new Set([first, second])).toEqual(new Set([42_000, 42_008]));
	},
);
