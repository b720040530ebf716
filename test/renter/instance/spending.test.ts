import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {readSpent, spendProblem} from '../../../source/renter/instance/spending.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {openUsedMarket} from '../../helpers/billing.ts';
import {openBrokenLists} from '../../helpers/broken-lists.ts';
import {openFleetMarket} from '../../helpers/fleet.ts';
import {hearMachines} from '../../helpers/instances.ts';
import {TEST_NOW} from '../../helpers/market.ts';
import {openTestClient} from '../../helpers/told-service.ts';

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
			const next = page < last ? String(page + 1) : undefined;
			return {records, total: undefined, next, unreadable: noneUnreadable};
		},
	});
	expect(await readSpent(pages(2), TEST_NOW * 1000, signal)).toEqual({today: 1.5, month: 4.5});
	expect(asked).toEqual([undefined, '1', '2']);
	expect(await readSpent(pages(1000), TEST_NOW * 1000, signal)).toBeUndefined();
});

test('of bills that cannot be read all, nothing is said', async () => {
	await using market = await openUsedMarket();
	const lists = [['/api/v1/invoices/', 'results']] as const;
	await using broken = await openBrokenLists(market, lists);
	await using client = openTestClient(broken);
	expect(await readSpent(client.billing, market.clock.now() * 1000, signal)).toBeUndefined();
});

const budget = {askOverPerHour: 1, fleetMaxPerHour: 2};

test('what stays within both limits is allowed', () => {
	expect(spendProblem(budget, {perHour: 1, fleetAtMost: 1})).toBeUndefined();
});

test('the limit of one rental comes first', () => {
	const problem = spendProblem(budget, {perHour: 1.1, fleetAtMost: 9});
	expect(problem).toEqual({of: 'rental', limit: 1, wouldBe: 1.1});
});

test('what is rented already counts at its most', () => {
	const problem = spendProblem(budget, {perHour: 0.5, fleetAtMost: 1.75});
	expect(problem).toEqual({of: 'fleet', limit: 2, wouldBe: 2.25});
});

test('a price that is not known is within no limit, and without limits all is allowed', () => {
	expect(spendProblem(budget, {perHour: undefined, fleetAtMost: 0})?.of).toBe('rental');
	const none = {askOverPerHour: null, fleetMaxPerHour: null};
	expect(spendProblem(none, {perHour: undefined, fleetAtMost: 99})).toBeUndefined();
});
