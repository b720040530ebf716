import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {detailNames, isNumeric} from '../../../source/contract/nouns/people.ts';
import {permissions} from '../../../source/contract/grammar/permissions.ts';
import {errorOf, openOperated} from '../../helpers/market/accounts.ts';
import {wholeReply} from '../../helpers/market/market.ts';

const me = {email: 'me@example.org', username: 'me', password: 'long and secret'};

test('nobody opens an account where sign-up is closed, or without an invitation where it needs one', async () => {
	for (const signUp of ['closed', 'invited'] as const) {
		await using market = await openOperated({signUp});
		const stranger = market.as(undefined);
		for (const captcha of [undefined, 'made up']) {
			const reply = await stranger('/users/', 'POST', {...me, captcha});
			expect(reply).toMatchObject({status: 403, body: {error: 'not_authorized'}});
		}
	}
});

test('an invitation opens one account, for who was invited, until it is over', async () => {
	await using market = await openOperated({signUp: 'invited'});
	const stranger = market.as(undefined);
	const wanted = {email: me.email, kind: 'provider', days: 1};
	const {body} = await market.operator('/operator/invitations/', 'POST', wanted);
	const {token: captcha} = wholeReply(contract.operator.invite, body);
	const other = {...me, email: 'you@example.org', captcha};
	expect((await stranger('/users/', 'POST', other)).status).toBe(403);
	const opened = await stranger('/users/', 'POST', {...me, captcha});
	const {id, api_key: key} = wholeReply(contract.account.create, opened.body);
	expect((await market.as(key)('/users/current/')).body).toMatchObject({id, email: me.email});
	expect((await stranger('/users/', 'POST', {...me, captcha})).status).toBe(403);
	const list = wholeReply(
		contract.operator.accounts,
		(await market.operator('/operator/accounts/')).body,
	);
	expect(list.accounts.find(account => account.id === id)?.kind).toBe('provider');
	const later = await market.operator('/operator/invitations/', 'POST', {days: 1});
	const {token: invitation} = wholeReply(contract.operator.invite, later.body);
	market.clock.pass(86_401);
	expect((await stranger('/users/', 'POST', {...other, invitation})).status).toBe(403);
});

test('where everybody may sign up, an address does so a few times at once', async () => {
	await using market = await openOperated({signUp: 'open', rateScale: 1});
	const stranger = market.as(undefined);
	const replies = [];
	for (let count = 1; count <= 6; count++) {
		replies.push(await stranger('/users/', 'POST', {...me, email: `me${count}@example.org`}));
	}
	expect(replies.map(({status}) => status)).toEqual([200, 200, 200, 200, 200, 429]);
});

test.each([
	[{...me, email: 'nobody'}, 400, 'invalid_email'],
	[{...me, password: ''}, 400, 'missing_auth_value'],
	[{...me, username: undefined}, 400, 'missing_auth_value'],
	[{...me, parent_id: 'me'}, 401, 'auth_error'],
])('%j is refused with %i %s', async (body, status, error) => {
	await using market = await openOperated({signUp: 'open'});
	const reply = await market.as(undefined)('/users/', 'POST', body);
	expect(reply).toMatchObject({status, body: {error}});
});

test('a subaccount has its own key and credit, and its parent sees both', async () => {
	await using market = await openOperated();
	const parent = await market.add({email: 'parent@example.org'}, 50);
	const made = await parent.ask('/users/', 'POST', {...me, parent_id: 'me', host_only: true});
	const child = wholeReply(contract.account.create, made.body);
	const ask = market.as(child.api_key);
	const given = {recipient: child.id, amount: '12.5'};
	expect((await parent.ask('/commands/transfer_credit/', 'PUT', given)).body).toMatchObject({
		success: true,
	});
	const {users} = wholeReply(
		contract.account.subaccounts,
		(await parent.ask('/subaccounts?owner=me')).body,
	);
	const about = {id: child.id, parent_id: parent.id, email: me.email, credit: 12.5};
	expect(users).toMatchObject([about]);
	expect((await ask('/users/current/')).body).toMatchObject({id: child.id, credit: 12.5});
	expect((await ask('/subaccounts/')).body).toMatchObject({users: []});
	const when = encodeURIComponent(JSON.stringify({when: {gte: 0, lte: 4e9}}));
	const received = await ask(`/../v1/invoices/?select_filters=${when}`);
	expect(received.body).toMatchObject({
		results: [{type: 'transfer', source: 'parent@example.org', amount: 12.5}],
	});
	const deeper = {...me, email: 'deep@example.org', parent_id: 'me'};
	expect((await ask('/users/', 'POST', deeper)).status).toBe(400);
});

test('credit is given to an own subaccount by its email, and to nobody whose email is not confirmed', async () => {
	await using market = await openOperated({signUp: 'open'});
	const parent = await market.add({email: 'parent@example.org'}, 50);
	const other = await market.add({email: 'other@example.org'}, 50);
	const make = async (email: string) => {
		const {body} = await parent.ask('/users/', 'POST', {...me, email, parent_id: 'me'});
		return market.as(wholeReply(contract.account.create, body).api_key);
	};
	const child = await make('child@example.org');
	const credit = async () => (await child('/users/current/')).body;
	// Whoever signs up with the same email has not proven it either.
	await market.as(undefined)('/users/', 'POST', {...me, email: 'child@example.org'});
	const given = {recipient: ' Child@example.org', amount: 2};
	const give = async (ask: typeof child) => ask('/commands/transfer_credit/', 'PUT', given);
	const refused = {status: 400, body: {error: 'invalid_recipient'}};
	expect(await give(other.ask)).toMatchObject(refused);
	expect(await credit()).toMatchObject({credit: 0});
	expect(await give(parent.ask)).toMatchObject({status: 200, body: {success: true}});
	expect(await credit()).toMatchObject({credit: 2});
	await make('child@example.org');
	expect(await give(parent.ask)).toMatchObject(refused);
	expect(await credit()).toMatchObject({credit: 2});
});

test('a key that may not do everything opens neither a subaccount nor a team', async () => {
	await using market = await openOperated();
	const {ask} = await market.add({}, 50);
	const everyName = permissions.map(name => [name, {}] as const);
	for (const api of [
		{user_write: {}, team_write: {}, billing_write: {}},
		Object.fromEntries(everyName),
	]) {
		const {body} = await ask('/auth/apikeys/', 'POST', {name: 'limited', permissions: {api}});
		const limited = market.as(wholeReply(contract.apiKeys.create, body).key);
		for (const [path, wanted] of [
			['/users/', {...me, parent_id: 'me'}],
			['/team/', {team_name: 'lab', transfer_credit: 10}],
		] as const) {
			const reply = await limited(path, 'POST', wanted);
			expect(reply).toMatchObject({
				status: 403,
				body: {msg: expect.stringMatching(/nothing was opened/) as unknown},
			});
		}
	}
	expect((await ask('/subaccounts/')).body).toMatchObject({users: []});
});

test('a parent reads of a subaccount what it may not change, and no other account does', async () => {
	await using market = await openOperated();
	const parent = await market.add({email: 'parent@example.org'}, 50);
	const made = await parent.ask('/users/', 'POST', {...me, parent_id: 'me'});
	const {id} = wholeReply(contract.account.create, made.body);
	const stranger = await market.add({email: 'other@example.org'});
	for (const what of ['invoices', 'machine-earnings', 'notification-prefs']) {
		for (const own of ['me', 'current', parent.id, id]) {
			expect((await parent.ask(`/users/${own}/${what}/`)).status).toBe(200);
		}
		expect(await stranger.ask(`/users/${id}/${what}/`)).toMatchObject({
			status: 403,
			body: {error: 'not_authorized'},
		});
		expect((await parent.ask(`/users/you/${what}/`)).status).toBe(400);
	}
	const change = {notification_preferences: {client: {outbid: {email: false}}}};
	expect((await parent.ask(`/users/${id}/notification-prefs/`, 'PUT', change)).status).toBe(403);
});

test('credit is given by email or id, to others alone, and no more than there is', async () => {
	await using market = await openOperated();
	const [one, other] = [await market.add({}, 10), await market.add({email: me.email})];
	const give = async (recipient: unknown, amount: unknown) => {
		const reply = await one.ask('/commands/transfer_credit/', 'PUT', {recipient, amount});
		return [reply.status, errorOf(reply)];
	};
	expect(await give(other.id, 4)).toEqual([200, undefined]);
	expect(await give(me.email.toUpperCase(), 1.5)).toEqual([200, undefined]);
	expect(await give(one.id, 1)).toEqual([400, 'invalid_recipient']);
	expect(await give('nobody@example.org', 1)).toEqual([400, 'invalid_recipient']);
	expect(await give(1, 1)).toEqual([200, undefined]);
	expect(await give(2, 1)).toEqual([400, 'invalid_recipient']);
	expect(await give(other.id, 0.001)).toEqual([400, 'invalid_args']);
	expect(await give(other.id, 3.6)).toEqual([400, 'insufficient_balance']);
	expect((await one.ask('/users/current/')).body).toMatchObject({credit: 3.5});
	expect((await other.ask('/users/current/')).body).toMatchObject({credit: 5.5});
	const reply = await other.ask('/users/me/invoices/?sdate=0&edate=99999999999');
	expect(reply.text).toContain('Transfer from account');
});

test('every field that an account may set of itself is shown by the next look', async () => {
	await using market = await openOperated();
	const {ask} = await market.add({email: me.email});
	const set = Object.fromEntries(
		detailNames.map((name, index) => [
			name,
			isNumeric(name) ? index : name === 'balance_threshold_enabled' ? true : `its ${name}`,
		]),
	);
	expect((await ask('/users/', 'PUT', set)).status).toBe(200);
	expect((await ask('/users/current/')).body).toMatchObject(set);
});

test('what an account says of its owner is changed field by field, and by known names alone', async () => {
	await using market = await openOperated();
	const {ask} = await market.add({email: me.email});
	const change = async (body: object) => {
		return errorOf(await ask('/users/', 'PUT', body));
	};
	expect(await change({fullname: 'Me', billaddress_city: 'Here'})).toBeUndefined();
	expect(await change({billaddress_zip: 12345, email: 'New@example.org'})).toBeUndefined();
	expect((await ask('/users/current/')).body).toMatchObject({
		email: 'new@example.org',
		fullname: 'Me',
		billaddress_city: 'Here',
		billaddress_zip: '12345',
	});
	const {body: earnings} = await ask('/users/me/machine-earnings/');
	expect(earnings).toMatchObject({fullname: 'Me', city: 'Here', zip: '12345', country: ''});
	expect(await change({})).toBe('missing_input');
	expect(await change({api_key: 'x'})).toBe('nonexistent_key');
	expect(await change({credit: 5})).toBe('nonexistent_key');
	expect(await change({fullname: ''})).toBe('empty_input');
	expect(await change({fullname: 'x'.repeat(300)})).toBe('input_too_long');
	expect(await change({fullname: 'a\nb'})).toBe('invalid_characters');
});
