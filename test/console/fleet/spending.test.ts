import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {readSpent} from '../../../source/console/fleet/spending.ts';
import {openFleetMarket} from '../../helpers/fleet.ts';
import {hearMachines} from '../../helpers/instances.ts';
import {TEST_NOW} from '../../helpers/market.ts';

const {signal} = new AbortController();
const HOUR = 3600;
const DAY = 24 * HOUR;

test('what was charged today counts for the month as well, and tomorrow for the month alone', async () => {
	await using market = await openFleetMarket();
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	await market.pass(30);
	await hearMachines(market.database, market.clock.now());
	await market.pass(30);
	const spentAt = async (seconds: number) => readSpent(client.billing, seconds * 1000, signal);
	const today = await spentAt(TEST_NOW + 60);
	expect(today?.today).toBeGreaterThan(0);
	// The disk of what was stopped yesterday.
	expect(today?.month).toBeGreaterThan(today?.today ?? 0);
	expect(await spentAt(TEST_NOW + DAY)).toEqual({today: 0, month: today?.month});
	expect(await spentAt(TEST_NOW + 30 * DAY)).toEqual({today: 0, month: 0});
	await client.close();
});

test('bills on several pages are added up, and of endless ones nothing is said', async () => {
	const asked: Array<string | undefined> = [];
	const pages = (last: number) => ({
		async invoices({after}: {readonly after?: string | undefined}) {
			asked.push(after);
			const page = Number(after ?? 0);
			const records = [{amount: 1.5, start: TEST_NOW - page * DAY}];
			return {records, total: undefined, next: page < last ? String(page + 1) : undefined};
		},
	});
	expect(await readSpent(pages(2), TEST_NOW * 1000, signal)).toEqual({today: 1.5, month: 4.5});
	expect(asked).toEqual([undefined, '1', '2']);
	expect(await readSpent(pages(1000), TEST_NOW * 1000, signal)).toBeUndefined();
});
