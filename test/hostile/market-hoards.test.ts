import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {openHostMarket, readMachine, testPublication} from '../helpers/hosts.ts';
import {openTestMarket} from '../helpers/market.ts';

test('an account has so many keys and templates that they can be listed', async () => {
	await using market = await openTestMarket();
	const add = async (path: string, body: unknown) =>
		(await market.call(path, {method: 'POST', body: JSON.stringify(body)})).status;
	const keys = [];
	for (let made = 0; made < 501; made++) keys.push(await add('/api/v0/auth/apikeys/', {name: 'k'}));
	// The first was there before.
	expect([keys.indexOf(400), keys.filter(status => status === 200).length]).toEqual([499, 499]);
	const templates = [];
	for (let made = 0; made < 101; made++) {
		templates.push(await add('/api/v0/template/', {name: `t${made}`, image: 'i'}));
	}
	expect([templates.indexOf(400), templates.length]).toEqual([100, 101]);
	expect(await add('/api/v0/template/', {name: 't0', image: 'i'})).toBe(200);
});

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

test('an account has so many machines as a heartbeat can name, and changes those that it has', async () => {
	await using market = await openHostMarket();
	const {id} = await market.host.publish(testPublication());
	const {account_id: account} = await readMachine(market.database, id);
	await sql`
		with recursive numbers (number) as (
			select 1 union all select number + 1 from numbers where number < 49999
		)
		insert into machines (account_id, host_id, name, num_gpus)
		select ${account}, ${account}, 'm' || number, 0 from numbers`.execute(market.database);
	const refused = await market.callAsHost('PUT', 'machines/', testPublication({name: 'one more'}));
	expect(refused).toMatchObject({status: 400});
	expect(refused.text).toContain('at most 50000 machines');
	expect((await market.host.publish(testPublication())).id).toBe(id);
});
