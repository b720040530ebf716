import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {errorOf, openOperated, type Operated} from '../../helpers/market/accounts.ts';
import {wholeReply} from '../../helpers/market/market.ts';

const email = 'you@example.org';

async function signUp(market: Operated, fields: object = {}) {
	const wanted = {email, username: 'you', password: 'long and secret', ...fields};
	const {body} = await market.as(undefined)('/users/', 'POST', wanted);
	const {id, api_key: key} = wholeReply(contract.account.create, body);
	return {id, ask: market.as(key)};
}

async function invited(market: Operated) {
	const {body} = await market.operator('/operator/invitations/', 'POST', {email, days: 1});
	return {invitation: wholeReply(contract.operator.invite, body).token};
}

test('who gives credit to a number learns nothing of whose it is', async () => {
	await using market = await openOperated();
	const giver = await market.add({email: 'me@example.org'}, 5);
	const taker = await market.add({email, username: 'Somebody'});
	const gift = {recipient: taker.id, amount: 0.01};
	const given = await giver.ask('/commands/transfer_credit/', 'PUT', gift);
	expect(given.body).toMatchObject({msg: `Transferred $0.01 to account ${taker.id}.`});
	const when = encodeURIComponent(JSON.stringify({when: {gte: 0, lte: 4e9}}));
	for (const path of [`/../v1/invoices/?select_filters=${when}`, '/users/me/invoices/?sdate=0']) {
		const {text} = await giver.ask(`${path}&edate=99999999999`);
		expect(text).toContain(`account ${taker.id}`);
		expect(text).not.toMatch(/you@example|Somebody/);
	}
});

test.each([9e15, Number.MAX_SAFE_INTEGER, 1e15, '9000000000000000', '1e3', ' ', '@'])(
	'nobody is %j, who may be given nothing',
	async recipient => {
		await using market = await openOperated();
		const giver = await market.add({}, 5);
		const answer = await giver.ask('/commands/transfer_credit/', 'PUT', {recipient, amount: 1});
		expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_recipient']);
	},
);

test('an email is the address of nobody until an invitation or the operator says so', async () => {
	await using market = await openOperated({signUp: 'open'});
	const giver = await market.add({}, 10);
	const give = async () =>
		errorOf(await giver.ask('/commands/transfer_credit/', 'PUT', {recipient: email, amount: 0.5}));
	const squatter = await signUp(market);
	expect((await squatter.ask('/users/current/')).body).toMatchObject({email, credit: 0});
	expect(await give()).toBe('invalid_recipient');
	const {id, ask} = await signUp(market, await invited(market));
	expect(await give()).toBeUndefined();
	expect((await ask('/users/current/')).body).toMatchObject({id, email, credit: 0.5});
	expect((await squatter.ask('/users/current/')).body).toMatchObject({credit: 0});
	const taken = {email, username: 'x', password: 'y'};
	expect((await market.as(undefined)('/users/', 'POST', taken)).status).toBe(200);
	await ask('/users/', 'PUT', {email: 'new@example.org'});
	expect(await give()).toBe('invalid_recipient');
	expect((await ask('/users/', 'PUT', {email})).status).toBe(200);
	expect(await give()).toBe('invalid_recipient');
	const {id: vouchedFor} = await market.add({email});
	expect(await give()).toBeUndefined();
	const {accounts} = wholeReply(
		contract.operator.accounts,
		(await market.operator('/operator/accounts/')).body,
	);
	expect(accounts.find(account => account.id === vouchedFor)).toMatchObject({credit: 0.5});
});

test('whoever signs up, or says another email, learns of none whether an account has it', async () => {
	await using market = await openOperated({signUp: 'open'});
	const [known, said, fresh] = ['known@example.org', 'said@example.org', 'new@example.org'];
	const owner = await market.add({email: known}, 5);
	await signUp(market, {email: said});
	const {ask} = await signUp(market);
	const answers = [known, said, fresh].map(async address => {
		const wanted = {email: address, username: 'x', password: 'y'};
		const replies = [
			await market.as(undefined)('/users/', 'POST', wanted),
			await ask('/users/', 'POST', {...wanted, parent_id: 'me'}),
			await ask('/users/', 'PUT', {email: address}),
		];
		return replies.map(({status, text}) => [
			status,
			text.replaceAll(/[\da-f]{16,}|\d+/g, '…').replace(address, '…'),
		]);
	});
	const [one, ...others] = await Promise.all(answers);
	for (const other of others) expect(other).toEqual(one);
	// Whoever has proven it keeps it, and no second account can prove it.
	const gift = {recipient: known, amount: 0.5};
	expect((await owner.ask('/commands/transfer_credit/', 'PUT', gift)).status).toBe(400);
	expect((await market.operator('/operator/accounts/', 'POST', {email: known})).status).toBe(409);
});

test('an email that nobody has proven is shown to nobody whom credit is given to', async () => {
	await using market = await openOperated({signUp: 'open'});
	const {id, ask} = await signUp(market);
	const taker = await market.add();
	await market.operator(`/operator/accounts/${id}/credit/`, 'POST', {amount: 5});
	await ask('/commands/transfer_credit/', 'PUT', {recipient: taker.id, amount: 1});
	const {text} = await taker.ask('/users/me/invoices/?sdate=0&edate=99999999999');
	expect(text).toContain(`Transfer from account ${id}`);
	expect(text).not.toContain(email);
});
