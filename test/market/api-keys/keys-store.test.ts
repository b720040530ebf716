import {expect, test} from 'vitest';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';
import {findApiKey, createKey} from '../../../source/market/api-keys/store.ts';

async function openAccount() {
	const database = await openDatabase(':memory:');
	const {id: accountId} = await soleAccount(database, 'renter', 100);
	return {database, accountId, [Symbol.asyncDispose]: async () => database.destroy()};
}

test('the account of a market is the same whenever it is asked for', async () => {
	await using market = await openAccount();
	const again = await soleAccount(market.database, 'renter', 200);
	expect(again).toEqual({id: market.accountId, isNew: false});
	const rows = await market.database.selectFrom('accounts').selectAll().execute();
	expect(rows).toMatchObject([{id: market.accountId, created_at: 100}]);
});

test('a key is found by its value, and belongs to an account', async () => {
	await using market = await openAccount();
	const {database, accountId} = market;
	const {value} = await createKey(database, {accountId, name: 'laptop', now: 100});
	const {value: other} = await createKey(database, {accountId, name: 'phone', now: 101});
	expect(value).toMatch(/^[\da-f]{64}$/);
	expect(other).not.toBe(value);
	expect(await findApiKey(database, value)).toEqual({
		id: 1,
		accountId,
		grants: undefined,
		instanceId: null,
		kind: 'both',
		memberId: null,
		limits: undefined,
	});
	expect(await findApiKey(database, other)).toMatchObject({id: 2});
	expect(await findApiKey(database, value.toUpperCase())).toBeUndefined();
	expect(await findApiKey(database, '')).toBeUndefined();
});

test('the value of a key is kept nowhere, only its end and its hash', async () => {
	await using market = await openAccount();
	const {database, accountId} = market;
	const {value} = await createKey(database, {accountId, name: 'laptop', now: 100});
	const row = await database.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
	expect(row).toMatchObject({name: 'laptop', last_four: value.slice(-4), created_at: 100});
	expect(JSON.stringify(row)).not.toContain(value);
	expect(JSON.stringify(row)).not.toContain(value.slice(0, 16));
});

test('a deleted key is not found', async () => {
	await using market = await openAccount();
	const {database, accountId} = market;
	const {value} = await createKey(database, {accountId, name: 'laptop', now: 100});
	await database.updateTable('api_keys').set({deleted_at: 150}).execute();
	expect(await findApiKey(database, value)).toBeUndefined();
});
