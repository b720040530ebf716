import {expect, test} from 'vitest';
import {
	costSoFar,
	formatCostRange,
	presentSpent,
	readSpent,
	overBudget,
	spendProblem,
} from '../../../source/renter/instance/cost.ts';
import {extendPolledSpan, type PolledSpan} from '../../../source/renter/instance/times.ts';
import {certainCost, noSightings} from '../../../source/renter/leases/sightings.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {costlyInstances} from '../../helpers/fleet/costs.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openToldService, openTestClient} from '../../helpers/services/told-service.ts';
import {openClient} from '../../../source/client/client.ts';
import {noneUnreadable} from '../../../source/contract/grammar/unreadable.ts';
import {openUsedMarket} from '../../helpers/market/billing.ts';
import {openBrokenLists} from '../../helpers/services/broken-lists.ts';
import {openFleetMarket} from '../../helpers/fleet/fleet.ts';
import {hearMachines} from '../../helpers/market/instances.ts';

const now = TEST_NOW * 1000;

/** What sums add up to is off by less than this. */
const DUST = 1e-4;

test('no cost is told but what is true at least and at most', () => {
	expect(costlyInstances).toHaveLength(30);
	for (const {about, instance, cost} of costlyInstances) {
		const {atLeast, atMost = Number.POSITIVE_INFINITY} = costSoFar({instance, now});
		expect([about, atLeast <= cost + DUST, cost <= atMost + DUST]).toEqual([about, true, true]);
		const certain = certainCost(noSightings, instance, {date: now, steady: 0}) ?? 0;
		expect([about, certain <= cost + DUST]).toEqual([about, true]);
	}
});

/** Looks in a row until now, this far apart. */
function lookedAt(count: number, apartMs: number) {
	const looks = Array.from({length: count}, (_, index) => now - (count - 1 - index) * apartMs);
	return looks.reduce<PolledSpan | undefined>(
		(span, at) => extendPolledSpan(span, {now: at, localNow: at}),
		undefined,
	);
}

test('a day of looks at what stands tells how much it cannot have cost, and one of what runs how much it has', () => {
	const observation = {state: lookedAt(24 * 60 + 1, 60_000)};
	const prices = {dph_base: 2, storage_total_cost: 0.1};
	const instance = {id: 1, start_date: TEST_NOW - 30 * 3600, actual_status: 'exited', ...prices};
	expect(costSoFar({instance, now, observation}).atMost).toBeCloseTo(30 * 0.1 + 6 * 2);
	const running = {...instance, actual_status: 'running', uptime_mins: null};
	expect(costSoFar({instance: running, now, observation}).atLeast).toBeCloseTo(30 * 0.1 + 24 * 2);
});

test('looks far apart tell nothing of the time between: another program may have stopped or started it', () => {
	const prices = {dph_base: 2, storage_total_cost: 0.1};
	const observation = {state: lookedAt(3, 780_000)};
	const instance = {id: 1, start_date: TEST_NOW - 3600, actual_status: 'exited', ...prices};
	expect(costSoFar({instance, now, observation}).atMost).toBeCloseTo(2.1);
	const running = {...instance, actual_status: 'running', uptime_mins: 5};
	expect(costSoFar({instance: running, now, observation}).atLeast).toBeCloseTo(0.1 + 2 / 12);
});

test.each([0.5, 4])('of a bid that is %d now, and was 2 before, nothing untrue is told', bid => {
	const instance = {
		id: 1,
		is_bid: true,
		actual_status: 'running',
		uptime_mins: 60,
		start_date: TEST_NOW - 3600,
		dph_base: bid,
		storage_total_cost: 0.25,
	};
	expect(costSoFar({instance, now})).toEqual({atLeast: 0.25, atMost: undefined});
	expect(costSoFar({instance: {...instance, is_bid: false}, now}).atMost).toBe(bid + 0.25);
});

test('what is paid ahead makes it cheaper at least', () => {
	const instance = {
		id: 1,
		actual_status: 'running',
		uptime_mins: 60,
		start_date: TEST_NOW - 3600,
		dph_base: 2,
		storage_total_cost: 0,
		credit_discount: 0.25,
	};
	expect(costSoFar({instance, now})).toEqual({atLeast: 1.5, atMost: 2});
});

test.each([
	[{atLeast: 0.44, atMost: 0.441}, '$0.44'],
	[{atLeast: 1.33, atMost: 25}, '$1.33 to $25.00'],
	[{atLeast: 1.33, atMost: undefined}, 'at least $1.33'],
	[{atLeast: 0, atMost: undefined}, undefined],
])('%j is said as %s', (cost, words) => expect(formatCostRange(cost)).toBe(words));

async function openCostlyService() {
	const instances = costlyInstances.map(({instance}) => instance);
	const service = await openToldService(({url = ''}, response) => {
		response.setHeader('date', new Date(now).toUTCString());
		response.setHeader('content-type', 'application/json');
		const isList = url.startsWith('/api/v1/instances/');
		const body = {success: true, total_instances: instances.length, next_token: null, instances};
		response
			.writeHead(isList ? 200 : 404)
			.end(JSON.stringify(isList ? body : {error: 'not_found'}));
	});
	return {...service, key: 'k', clock: {now: () => TEST_NOW}};
}

test('ps and its JSON tell it of each', async () => {
	await using service = await openCostlyService();
	const run = commandsOf(service);
	const records = new Map(jsonOf(await run('ps', '--json')).map(record => [record['id'], record]));
	const table = (await run('ps')).out.split('\n');
	for (const {about, instance, cost} of costlyInstances) {
		const {id} = instance;
		const soFar = costSoFar({instance, now});
		const record = records.get(id);
		const {cost_at_least: least, cost_at_most: most} = record ?? {};
		expect([about, Number(least) <= cost + DUST]).toEqual([about, true]);
		expect([about, most === null || cost <= Number(most) + DUST]).toEqual([about, true]);
		const words = formatCostRange(soFar) ?? '-';
		expect(table.find(line => line.startsWith(`${id}\t`))).toContain(`\t${words}\t`);
	}
});

test('the console tells it of the instance under the cursor', async () => {
	await using service = await openCostlyService();
	await using rentty = openTestConsole({service, columns: 140, rows: 60});
	rentty.type('2');
	const told = new Map<string | undefined, string | undefined>();
	for (let place = 1; place <= costlyInstances.length; place++) {
		// The band is drawn behind the cursor: both are to be of the same instance.
		const band = String.raw`\n>[ |]+row-(\d+) [^]* ${place} of 30 \|\nTIMELINE +\1 `;
		const shown = await rentty.sees(new RegExp(band));
		const [, id] = /TIMELINE +(\d+)/.exec(shown) ?? [];
		told.set(id, /So far (.*?)\. /.exec(shown)?.[1]);
		rentty.type('j');
	}
	for (const {instance} of costlyInstances) {
		expect(told.get(`${instance.id}`)).toBe(formatCostRange(costSoFar({instance, now})));
	}
});

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
	expect(await spentAt(TEST_NOW + DAY)).toMatchObject({today: 0, month: today?.month});
	expect(await spentAt(TEST_NOW + 30 * DAY)).toMatchObject({today: 0, month: 0});
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
	const at = TEST_NOW * 1000;
	expect(await readSpent(pages(2), at, signal)).toEqual({today: 1.5, month: 4.5, at});
	expect(asked).toEqual([undefined, '1', '2']);
	expect(await readSpent(pages(1000), TEST_NOW * 1000, signal)).toBeUndefined();
});

test('what was charged in a day or a month that is over is not known of the next one', () => {
	const at = Date.UTC(2026, 10, 29, 23, 59);
	const spent = {today: 6.2, month: 60, at};
	expect(presentSpent(spent, at + 59_000)).toBe(spent);
	expect(presentSpent(spent, at + 61_000)).toEqual({today: undefined, month: 60, at});
	expect(presentSpent(spent, at - DAY * 1000)).toMatchObject({today: undefined});
	const later = presentSpent(spent, at + 61_000 + DAY * 1000);
	expect(later).toEqual({today: undefined, month: undefined, at});
	expect(presentSpent(undefined, at)).toBeUndefined();
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
	expect(spendProblem(budget, {perHour: 1, fleet: {atMost: 1, unpriced: 0}})).toBeUndefined();
});

test('the limit of one rental comes first', () => {
	const problem = spendProblem(budget, {perHour: 1.1, fleet: {atMost: 9, unpriced: 0}});
	expect(problem).toEqual({of: 'rental', limit: 1, wouldBe: 1.1});
});

test('what is rented already counts at its most', () => {
	const problem = spendProblem(budget, {perHour: 0.5, fleet: {atMost: 1.75, unpriced: 0}});
	expect(problem).toEqual({of: 'fleet', limit: 2, wouldBe: 2.25});
});

test('a price that is not known is within no limit, and without limits all is allowed', () => {
	expect(spendProblem(budget, {perHour: undefined, fleet: {atMost: 0, unpriced: 0}})?.of).toBe(
		'rental',
	);
	const none = {askOverPerHour: null, fleetMaxPerHour: null};
	expect(
		spendProblem(none, {perHour: undefined, fleet: {atMost: 99, unpriced: 0}}),
	).toBeUndefined();
});

test('an instance whose price is not known is not free: beside it no limit of the fleet can be kept', () => {
	const spending = {perHour: 0.1, fleet: {atMost: 0.2, unpriced: 1}};
	const wouldBe = Number.POSITIVE_INFINITY;
	expect(spendProblem(budget, spending)).toEqual({of: 'fleet', limit: 2, wouldBe});
	expect(overBudget(budget, spending)).toEqual({
		why: 'The service does not say what all of your instances cost: your budget of $2.0000/h for the fleet cannot be kept.',
		sentence: 'spend $0.1000/h',
	});
	expect(spendProblem({...budget, fleetMaxPerHour: null}, spending)).toBeUndefined();
});

test('limits that cannot be read are kept by nothing', () => {
	const problem = 'settings.json line 3: expected JSON';
	const spending = {perHour: 0.1, fleet: {atMost: 0, unpriced: 0}};
	const unread = {askOverPerHour: null, fleetMaxPerHour: null, problem};
	expect(spendProblem(unread, spending)).toEqual({of: 'unread', why: problem});
	expect(overBudget(unread, spending)?.why).toBe(
		'Your budget cannot be read: settings.json line 3: expected JSON.',
	);
});
