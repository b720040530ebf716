import {once} from 'node:events';
import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {createConcurrencyLimits} from '../../source/market/http/limits.ts';
import {openHostMarket} from '../helpers/host/hosts.ts';
import {type TestMarket, openTestMarket} from '../helpers/market/market.ts';

const patient = {timeout: 50_000};

test('so many of a name enter, and one more where one has left', () => {
	const crowds = createConcurrencyLimits(2);
	const [leave] = [crowds.enter('a'), crowds.enter('a')];
	expect(crowds.enter('a')).toBeUndefined();
	expect(crowds.enter('b')).toBeDefined();
	leave?.();
	expect(crowds.enter('a')).toBeDefined();
	expect(crowds.enter('a')).toBeUndefined();
});

/** Opens connections one after the other, and answers those that the market keeps open. */
async function openMany({url}: Pick<TestMarket, 'url'>, count: number) {
	const sockets = Array.from({length: count}, () =>
		connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined),
	);
	await Promise.all(
		sockets.map(async socket => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
	);
	return sockets;
}

test(
	'an address has so many connections at once, and one more when one has ended',
	patient,
	async () => {
		await using market = await openTestMarket({mostConnections: 20});
		const sockets = await openMany(market, 30);
		const open = () => sockets.filter(({closed}) => !closed).length;
		for (const socket of sockets) socket.resume();
		await expect.poll(open).toBe(20);
		for (const socket of sockets) socket.destroy();
		await expect.poll(async () => market.search({}).catch(() => undefined)).toEqual([]);
	},
);

test('connections of a proxy that is trusted are not counted', patient, async () => {
	await using market = await openTestMarket({mostConnections: 20, trustedProxies: ['127.0.0.1']});
	const sockets = await openMany(market, 30);
	expect(await market.search({})).toEqual([]);
	expect(sockets.filter(({closed}) => closed)).toEqual([]);
	for (const socket of sockets) socket.destroy();
});

test(
	'1,000 calls of an address wait for work at once, and one more is told why not',
	patient,
	async () => {
		await using market = await openHostMarket();
		const {revision} = await market.host.takeWork({after: 0});
		const replies = Array.from({length: 1001}, async () =>
			market.callAsHost('GET', `work/?after=${revision}&wait=25`),
		);
		const refused = await Promise.race(replies);
		expect(refused).toMatchObject({status: 429});
		expect(refused.text).toContain('Too many calls of this address wait for work.');
	},
);

test('an account of hosts calls 2,000 times at once, and then as quickly as its agents need', async () => {
	await using market = await openHostMarket({rateScale: 1});
	const statuses: number[] = [];
	for (let call = 0; call < 2001; call++) {
		statuses.push((await market.callAsHost('GET', 'work/?after=0')).status);
	}
	expect(statuses.indexOf(429)).toBe(2000);
});
