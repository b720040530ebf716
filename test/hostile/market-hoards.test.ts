import {expect, test} from 'vitest';
import {openTestMarket} from '../helpers/market/market.ts';

test('a template of more characters than anybody reads is refused, new or changed', async () => {
	await using market = await openTestMarket();
	const readme = 'x'.repeat(131_072);
	const send = async (method: string, body: unknown) =>
		market.call('/api/v0/template/', {method, body: JSON.stringify(body)});
	expect((await send('POST', {name: 't', image: 'i', readme})).status).toBe(400);
	const made = await send('POST', {name: 't', image: 'i', readme: readme.slice(0, 100_000)});
	expect(made.status).toBe(200);
	const [, hash_id] = /"hash_id":"(\w+)"/.exec(made.text) ?? [];
	expect((await send('PUT', {hash_id, readme})).status).toBe(400);
});
