import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {creditOf, get, openUsedMarket, UNTIL_MIDNIGHT} from '../../helpers/market/billing.ts';
import {TEST_NOW, wholeReply} from '../../helpers/market/market.ts';

const {latestInvoices} = contract.billing;
type Used = Awaited<ReturnType<typeof openUsedMarket>>;

async function list(market: Used, filters: object = {}) {
	const query = {select_cols: JSON.stringify(['*']), select_filters: JSON.stringify(filters)};
	const {status, body} = await get(market, 'v0/invoices', query);
	expect(status).toBe(200);
	expect(body).toBeInstanceOf(Array);
	return wholeReply(latestInvoices, body).invoices;
}

test('the latest invoices come first, and each leaves the credit that the next begins with', async () => {
	await using market = await openUsedMarket();
	const found = await list(market);
	expect(found.map(({service}) => service)).toHaveLength(3);
	expect(found[0]?.balance_after).toBe((await creditOf(market.database)) / 1e6);
	for (const [index, {balance_before: before}] of found.entries()) {
		expect(before).toBe(found[index + 1]?.balance_after ?? 0);
	}
	const opening = found.find(({is_credit: isCredit}) => isCredit);
	expect(opening).toMatchObject({amount_cents: 10_000, when: TEST_NOW, failed: false});
});

test('use of a day that is not over is not paid, and all that was before it is', async () => {
	await using market = await openUsedMarket();
	const [open, ...others] = await list(market);
	expect(open).toMatchObject({service: 'usage', paid_on: null});
	for (const {when, paid_on: paid} of others) expect(paid).toBe(when);
});

test('filters of texts and numbers choose among them, and an odd one is refused', async () => {
	await using market = await openUsedMarket();
	const [day, ...others] = await list(market);
	expect(await list(market, {when: {gte: TEST_NOW + UNTIL_MIDNIGHT}})).toEqual([day]);
	expect(await list(market, {id: {lt: String(day?.id)}})).toEqual(others);
	expect(await list(market, {service: {eq: 'usage'}})).toHaveLength(2);
	for (const filters of [{id: {lt: 'x'}}, {id: {near: 1}}, {amount: {gt: 1}}]) {
		const query = {select_filters: JSON.stringify(filters)};
		expect((await get(market, 'v0/invoices', query)).status).toBe(400);
	}
});
