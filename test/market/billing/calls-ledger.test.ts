import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import type {PermissionsRecord} from '../../../source/contract/grammar/permissions.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {
	creditOf,
	get,
	openUsedMarket,
	roundDollars,
	UNTIL_MIDNIGHT,
	week,
} from '../../helpers/market/billing.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {refusal, TEST_NOW, wholeReply, type TestMarket} from '../../helpers/market/market.ts';

type Used = Awaited<ReturnType<typeof openUsedMarket>>;

const MIDNIGHT = TEST_NOW + UNTIL_MIDNIGHT;
const {userInvoices: ledger, contracts: found} = contract.billing;

const nothing = {instance_id: null, volume_id: null};

test('the ledger has a line for every charge and payment, and says what is left', async () => {
	await using market = await openUsedMarket();
	const query = {owner: 'me', sdate: null, edate: null, inc_charges: true};
	const {status, body} = await get(market, 'v0/users/me/invoices', query);
	expect(status).toBe(200);
	const {invoices, current} = wholeReply(ledger, body);
	expect(invoices).toHaveLength(7);
	expect(invoices[0]).toEqual({
		timestamp: TEST_NOW,
		type: 'payment',
		amount: 100,
		description: 'Opening credit',
		quantity: 1,
		rate: 100,
		...nothing,
	});
	expect(invoices.map(({timestamp}) => timestamp)).toEqual([
		TEST_NOW,
		MIDNIGHT,
		MIDNIGHT,
		MIDNIGHT,
		MIDNIGHT + 3600,
		MIDNIGHT + 3600,
		MIDNIGHT + 3600,
	]);
	const line = {timestamp: MIDNIGHT + 3600, type: 'charge', ...nothing};
	const name = 'Instance 1 (trainer)';
	const hour = {quantity: 1, rate: 1, unit: 'hour', instance_id: 1};
	const month = {rate: 1, unit: 'GB month'};
	expect(invoices.slice(4)).toEqual(
		expect.arrayContaining([
			{...line, ...hour, amount: 1, description: `${name}, computing`},
			{...line, ...month, quantity: 1, amount: 1, instance_id: 1, description: `${name}, disk`},
			{
				...line,
				...month,
				quantity: 0.1,
				amount: 0.1,
				volume_id: 1,
				description: 'Volume 1 (data), disk',
			},
		]),
	);
	const spent = (2.1 * (UNTIL_MIDNIGHT + 3600)) / 3600;
	expect(current).toEqual({charges: 2.1, total: 2.1, credit: roundDollars(100 - spent)});
	const sum = invoices.reduce(
		(rest, {type, amount}) => rest + (type === 'payment' ? 1 : -1) * Number(amount),
		0,
	);
	expect(roundDollars(sum)).toBe(current?.credit);
});

test.each([
	[{}, 7],
	[{inc_charges: false}, 1],
	[{inc_charges: 'False'}, 1],
	[{sdate: MIDNIGHT}, 3],
	[{sdate: String(TEST_NOW - 1), edate: TEST_NOW + 1}, 4],
	[{sdate: 0, edate: TEST_NOW - 86_400}, 0],
	[{sdate: '', edate: 'null'}, 7],
])('%j is answered with %i lines', async (query, count) => {
	await using market = await openUsedMarket();
	const {body} = await get(market, 'v0/users/me/invoices/', query);
	expect(wholeReply(ledger, body).invoices).toHaveLength(count);
});

test('what is left is said to the moment, and nothing is charged by asking', async () => {
	await using market = await openUsedMarket();
	const before = await creditOf(market.database);
	market.clock.pass(3.6);
	const credit = before / 1e6 - 0.0021;
	const user = await get(market, 'v0/users/current/');
	expect(user.body).toMatchObject({credit: roundDollars(credit), balance: roundDollars(credit)});
	const bills = await get(market, 'v0/users/me/invoices/');
	expect(bills.body).toMatchObject({current: {charges: 2.1021, credit: roundDollars(credit)}});
	expect(await creditOf(market.database)).toBe(before);
	await market.pass(1.4);
	expect((await get(market, 'v0/users/current/')).body).toMatchObject({
		credit: (await creditOf(market.database)) / 1e6,
	});
});

test('instances are found by their label for as long as there are charges for them', async () => {
	await using market = await openUsedMarket();
	await market.database
		.updateTable('instances')
		.set({destroyed_at: MIDNIGHT + 3600})
		.execute();
	const {image, machine_id} = await readInstance(market.database, market.id);
	const record = {
		id: 1,
		label: 'trainer',
		image,
		machine_id,
		start_date: TEST_NOW,
		end_date: MIDNIGHT + 3600,
	};
	for (const body of [
		{label: 'trainer', contract_ids: [null, 1, 7]},
		{label: 'trainer'},
		{contract_ids: ['1']},
		{label: null, contract_ids: null},
		{},
	]) {
		expect(await fetchContracts(market, body)).toEqual({contracts: [record]});
	}
	for (const body of [{label: 'other'}, {contract_ids: []}, {contract_ids: [null]}, {label: ''}]) {
		expect(await fetchContracts(market, body)).toEqual({contracts: []});
	}
	const {results} = wholeReply(
		contract.billing.charges,
		(await get(market, 'v0/charges/', {select_filters: {day: week}})).body,
	);
	expect(results?.[0]?.description).toBe('Instance 1 (trainer)');
});

async function fetchContracts(market: Pick<TestMarket, 'call'>, body: unknown) {
	const init = {method: 'POST', body: JSON.stringify(body)};
	const {contracts} = wholeReply(found, (await market.call('/api/v0/contracts/fetch/', init)).body);
	return {contracts};
}

test.each([
	[{label: 5}, 'label must be text'],
	[{contract_ids: 5}, 'contract_ids must be a list of at most 10000 ids'],
	[
		{contract_ids: Array.from({length: 10_001}, () => 1)},
		'contract_ids must be a list of at most 10000 ids',
	],
	[{contract_ids: ['x']}, 'contract_ids must be whole numbers'],
	[{contract_ids: [1.5]}, 'contract_ids must be whole numbers'],
])('contracts of %.30j are refused', async (body, msg) => {
	await using market = await openUsedMarket();
	const init = {method: 'POST', body: JSON.stringify(body)};
	const reply = await market.call('/api/v0/contracts/fetch/', init);
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_args', msg)});
});

const paths = [
	['v0/charges/', {select_filters: {day: week}}],
	['v1/invoices/', {select_filters: {when: week}}],
	['v0/users/me/invoices/', {}],
] as const;

async function keyOf({database}: Used, accountId: number, permissions?: PermissionsRecord) {
	const {value} = await createKey(database, {accountId, name: 'x', permissions, now: TEST_NOW});
	return {headers: {authorization: `Bearer ${value}`}};
}

test('bills are for keys that may read them', async () => {
	await using market = await openUsedMarket();
	const blind = await keyOf(market, market.account_id, {manage_instances: true});
	const seeing = await keyOf(market, market.account_id, {billing_read: true});
	for (const [path, query] of paths) {
		expect(await get(market, path, query, blind)).toEqual({
			status: 403,
			body: refusal('not_authorized', 'This key lacks the permission billing_read.'),
		});
		expect(await get(market, path, query, seeing)).toMatchObject({status: 200});
	}
});

test("nobody sees another account's bills", async () => {
	await using market = await openUsedMarket();
	const {id} = await market.database
		.insertInto('accounts')
		.values({created_at: TEST_NOW})
		.returning('id')
		.executeTakeFirstOrThrow();
	const theirs = await keyOf(market, id);
	const replies = await Promise.all(
		paths.map(async ([path, query]) => (await get(market, path, query, theirs)).body),
	);
	expect(replies).toMatchObject([
		{results: [], total: 0},
		{results: [], total: 0},
		{invoices: [], current: {charges: 0, credit: 0}},
	]);
	const body = JSON.stringify({contract_ids: [market.id]});
	const reply = await market.call('/api/v0/contracts/fetch/', {method: 'POST', body, ...theirs});
	expect(reply.body).toEqual({contracts: []});
});
