import {expect, test} from 'vitest';
import {openTestMarket} from '../helpers/market/market.ts';

const trusting = ['127.0.0.1', '10.0.0.2'];

test.each<[who: string, proxies: readonly string[], header: (call: number) => string]>([
	['anybody who is no proxy', [], call => `198.51.100.${call}`],
	['anybody behind another proxy', ['10.0.0.2'], call => `198.51.100.${call}, 10.0.0.2`],
	['a client of a proxy', trusting, call => `198.51.100.${call}, 203.0.113.9`],
	['a client of two proxies', trusting, call => `198.51.100.${call}, 203.0.113.9, 10.0.0.2`],
	['a client that names a proxy', trusting, call => `198.51.100.${call}, 10.0.0.2, 203.0.113.9`],
	['whoever has a network of IPv6', trusting, call => `9.9.9.9, 2001:db8:1:2::${call}`],
	['a client of which nothing is known', trusting, call => `198.51.100.${call}, unknown`],
])('%s is one caller, whatever X-Forwarded-For says', async (_, trustedProxies, header) => {
	await using market = await openTestMarket({rateScale: 1, trustedProxies});
	const call = async (forwarded: string) => {
		const headers = {authorization: 'Bearer nobody', 'x-forwarded-for': forwarded};
		return (await market.call('/api/v0/users/current/', {headers})).status;
	};
	const statuses: number[] = [];
	for (let made = 1; made <= 11; made++) statuses.push(await call(header(made)));
	expect(statuses).toEqual([...Array.from({length: 10}, () => 401), 429]);
	// Another one whom the same proxy has heard is not kept waiting.
	if (trustedProxies.includes('127.0.0.1')) expect(await call('203.0.113.10')).toBe(401);
});
