import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {openUsedMarket, UNTIL_MIDNIGHT, week} from '../../helpers/market/billing.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

const always = {from: week.gte, until: week.lte};

async function openUsed() {
	const market = await openUsedMarket();
	const client = openClient({url: market.url, key: market.key});
	return {
		...client,
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('charges are read page by page', async () => {
	await using client = await openUsed();
	const first = await client.billing.charges({...always, limit: 3});
	expect(first.total).toBe(4);
	expect(first.records.map(({source}) => source)).toEqual(['instance-1', 'volume-1', 'instance-1']);
	expect(first.records[2]?.items).toMatchObject([
		{type: 'gpu', quantity: 1, rate: 1, amount: 1},
		{type: 'disk', quantity: 1, rate: 1, amount: 1},
	]);
	const second = await client.billing.charges({...always, limit: 3, after: first.next});
	expect(second).toMatchObject({records: [{source: 'volume-1', amount: 0.1}], next: undefined});
	const volumes = {...always, types: ['volume'], latestFirst: true};
	const {records} = await client.billing.charges(volumes);
	expect(records.map(({start}) => start)).toEqual([TEST_NOW + UNTIL_MIDNIGHT, TEST_NOW]);
});

test('invoices have payments and days', async () => {
	await using client = await openUsed();
	const {records, total} = await client.billing.invoices({...always, latestFirst: true});
	expect(total).toBe(3);
	expect(records.map(({type}) => type)).toEqual(['charge', 'credit', 'charge']);
});

test('a stretch of time that ends before it begins is refused', async () => {
	await using client = await openUsed();
	const backwards = {from: 2e9, until: 1e9};
	await expect(client.billing.charges(backwards)).rejects.toMatchObject({status: 400});
	const refused = client.billing.invoices(backwards);
	await expect(refused).rejects.toBeInstanceOf(ApiError);
	await expect(refused).rejects.toMatchObject({serverSays: 'Invalid date range'});
});

test('the ledger says what is left', async () => {
	await using client = await openUsed();
	const range = {from: 0, until: 2 * TEST_NOW};
	const {invoices, current} = await client.billing.userInvoices('me', {range, withCharges: true});
	expect(invoices).toHaveLength(7);
	expect(current).toMatchObject({
		charges: 2.1,
		credit: (await client.account.current()).credit,
	});
	const some = {range: {from: TEST_NOW, until: TEST_NOW}, withCharges: false};
	expect((await client.billing.userInvoices('me', some)).invoices).toMatchObject([
		{type: 'payment', amount: 100},
	]);
});

test('the instances of charges are found by label', async () => {
	await using client = await openUsed();
	expect(
		(await client.billing.contracts({label: 'trainer', ids: undefined})).contracts,
	).toMatchObject([{id: 1}]);
	expect((await client.billing.contracts({label: undefined, ids: [2]})).contracts).toEqual([]);
	expect(
		(await client.billing.contracts({label: undefined, ids: undefined})).contracts,
	).toHaveLength(1);
});
