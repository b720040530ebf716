import {createHmac} from 'node:crypto';
import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {enterCredit} from '../../../source/market/accounts/payments.ts';
import {readBalances} from '../../../source/market/ledger/accounts-store.ts';
import {openOperated} from '../../helpers/market/accounts.ts';
import {callLate} from '../../helpers/market/after-read.ts';
import {openFolder} from '../../helpers/folder.ts';
import {testPublication} from '../../helpers/host/hosts.ts';
import {openTestMarket, refusal, TEST_NOW, wholeReply} from '../../helpers/market/market.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';
import type {TestMarket} from '../../helpers/market/market.ts';

test('an operator opens an account, gives it credit, and sees it in the list', async () => {
	await using market = await openOperated();
	const {id, key} = await market.add({kind: 'renter', email: 'Me@Example.org', username: 'me'});
	const credit = {amount: 12.5, description: 'Welcome', reference: 'first'};
	const path = `/operator/accounts/${id}/credit/`;
	const given = await market.operator(path, 'POST', credit);
	expect(given.body).toEqual({success: true, entered: true, credit: 12.5});
	const again = await market.operator(path, 'POST', credit);
	expect(again.body).toEqual({success: true, entered: false, credit: 12.5});
	const {body} = await market.operator('/operator/accounts/');
	const {accounts} = wholeReply(contract.operator.accounts, body);
	const about = {kind: 'renter', email: 'me@example.org', username: 'me', credit: 12.5, keys: 1};
	expect(accounts.find(account => account.id === id)).toMatchObject(about);
	const own = await market.as(key)('/users/current/');
	expect(own.body).toMatchObject({id, email: 'me@example.org', credit: 12.5});
	const balance = await market.operator('/operator/balance/');
	expect(balance.body).toMatchObject({share: 0, received: 112.5, credit: 112.5, earnings: 0});
});

test('no two accounts have one email, until one is closed', async () => {
	await using market = await openOperated();
	const {id, key} = await market.add({email: 'me@example.org'});
	const again = {email: 'ME@example.org'};
	const reply = await market.operator('/operator/accounts/', 'POST', again);
	expect(reply).toMatchObject({status: 409, body: {error: 'user_exists'}});
	const closed = await market.operator(`/operator/accounts/${id}/`, 'DELETE');
	expect(closed.body).toMatchObject({success: true});
	expect((await market.as(key)('/users/current/')).status).toBe(401);
	expect((await market.operator(`/operator/accounts/${id}/`, 'DELETE')).status).toBe(404);
	await market.add(again);
});

test('an operator ends neither their own key nor its account', async () => {
	await using market = await openOperated();
	const {body} = await market.operator('/operator/accounts/');
	const {accounts} = wholeReply(contract.operator.accounts, body);
	const own = accounts.find(({kind}) => kind === 'operator')?.id ?? expect.fail('it is not listed');
	const closed = await market.operator(`/operator/accounts/${own}/`, 'DELETE');
	expect(closed).toMatchObject({status: 400, body: {error: 'account_in_use'}});
	const keys = await market.operator(`/operator/accounts/${own}/keys/`);
	const [key] = wholeReply(contract.operator.keys, keys.body).apikeys;
	const ended = await market.operator(`/operator/accounts/${own}/keys/${key?.id}/`, 'DELETE');
	expect(ended).toMatchObject({status: 400, body: {error: 'invalid_args'}});
	expect((await market.operator('/operator/accounts/')).status).toBe(200);
});

test('keys of an account are made, listed and ended by the operator', async () => {
	await using market = await openOperated();
	const {id, key} = await market.add();
	const keys = `/operator/accounts/${id}/keys/`;
	const made = await market.operator(keys, 'POST', {name: 'laptop'});
	const {key_id: keyId, api_key: second} = wholeReply(contract.operator.addKey, made.body);
	expect((await market.as(second)('/users/current/')).body).toMatchObject({id});
	expect((await market.operator(`${keys}${keyId}/`, 'DELETE')).status).toBe(200);
	expect((await market.as(second)('/users/current/')).status).toBe(401);
	const {body, text} = await market.operator(keys);
	const {apikeys} = wholeReply(contract.operator.keys, body);
	expect(apikeys.map(({name}) => name)).toEqual(['first']);
	expect(text).not.toContain(key);
});

test.each([
	['a credit', 'credit', {amount: 20}],
	['a payout to credit', 'payouts', {amount: 20, to_credit: true}],
])('%s does not enter an account that is closed meanwhile', async (_, path, body) => {
	using folder = openFolder();
	const file = `${folder.path}/market.db`;
	await using market = await openOperated({file});
	const {id} = await market.add();
	const database = await openDatabase(file);
	await database.updateTable('accounts').set({earned_micros: 30e6}).where('id', '=', id).execute();
	const account = `/operator/accounts/${id}/`;
	const late = {
		file,
		key: await market.createOperatorKey('second'),
		of: 'email_proven',
		act: async () => expect((await market.operator(account, 'DELETE')).status).toBe(200),
	};
	const reply = await callLate(late, 'POST', `${account}${path}/`, body);
	expect(reply).toMatchObject({status: 404, body: {error: 'no_such_user'}});
	expect(await readBalances(database, id)).toEqual({creditMicros: 0, earnedMicros: 30e6});
	await enterCredit(database, id, {micros: -1e6, description: 'Refund', now: TEST_NOW});
	expect(await readBalances(database, id)).toMatchObject({creditMicros: -1e6});
	await database.destroy();
});

test('an operator’s key is for the calls of operators alone, and these are for no other', async () => {
	await using market = await openOperated();
	const {key} = await market.add();
	for (const other of [market.key, key]) {
		const reply = await market.as(other)('/operator/accounts/');
		const body = refusal('not_authorized', 'This call is for operators of the market.');
		expect(reply).toMatchObject({status: 403, body});
	}
	for (const path of ['/users/current/', '/instances/', '/hosts/machines/']) {
		expect((await market.operator(path)).status).toBe(403);
	}
	expect((await market.as(undefined)('/operator/accounts/')).status).toBe(401);
});

test('an account that rents publishes no machines', async () => {
	await using market = await openOperated();
	const {key} = await market.add({kind: 'renter'});
	const body = testPublication({name: 'a'});
	const reply = await market.as(key)('/hosts/machines/', 'PUT', body);
	expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
});

const secret = 'a secret that a payment service and a market share';

/** What a payment service sends: it signs what it says and when. */
async function tell(market: TestMarket, payment: object, time = TEST_NOW, by = secret) {
	const body = JSON.stringify(payment);
	const signature = createHmac('sha256', by).update(`${time}.${body}`).digest('hex');
	return market.call('/api/v0/payments/', {
		method: 'POST',
		body,
		headers: {
			authorization: undefined,
			'x-payment-timestamp': String(time),
			'x-payment-signature-256': `sha256=${signature}`,
		},
	});
}

test('a payment that a service tells of and signs gives credit, once', async () => {
	await using market = await openTestMarket({paymentSecret: secret, credit: 0});
	const payment = {id: 'evt_1', user_id: 1, amount: 20, currency: 'usd'};
	const told = await Promise.all([1, 2, 3].map(async () => tell(market, payment)));
	expect(told.map(({status}) => status)).toEqual([200, 200, 200]);
	const entered = told.map(({body}) => wholeReply(contract.payments.receive, body).entered);
	expect(entered.filter(Boolean)).toHaveLength(1);
	const {body} = await market.call('/api/v0/users/current/');
	expect(body).toMatchObject({credit: 20});
	expect((await tell(market, {...payment, id: 'evt_2', user_id: 99})).status).toBe(404);
	await tell(market, {...payment, id: 'evt_3', amount: -5});
	expect((await market.call('/api/v0/users/current/')).body).toMatchObject({credit: 15});
});

test('what is not signed, signed by others or long ago, or not for this market is refused', async () => {
	await using market = await openTestMarket({paymentSecret: secret, credit: 0});
	const payment = {id: 'evt_1', user_id: 1, amount: 20, currency: 'usd'};
	const replies = [
		await tell(market, payment, TEST_NOW, 'another secret'),
		await tell(market, payment, TEST_NOW - 301),
		await tell(market, payment, TEST_NOW + 301),
		await market.call('/api/v0/payments/', {method: 'POST', body: JSON.stringify(payment)}),
	];
	expect(replies.map(({status}) => status)).toEqual([403, 403, 403, 403]);
	expect((await market.call('/api/v0/users/current/')).body).toMatchObject({credit: 0});
	await using other = await openTestMarket({credit: 0});
	expect((await tell(other, payment)).status).toBe(403);
});
