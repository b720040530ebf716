import {expect, test} from 'vitest';
import {costSoFar, costWords} from '../../../source/renter/instance/cost.ts';
import {certainCost, unseen} from '../../../source/renter/leases/sightings.ts';
import {commandsOf, jsonOf} from '../../helpers/commands.ts';
import {openTestConsole} from '../../helpers/console.ts';
import {costlyInstances} from '../../helpers/costs.ts';
import {TEST_NOW} from '../../helpers/market.ts';
import {openToldService} from '../../helpers/told-service.ts';

const now = TEST_NOW * 1000;
const HOUR_MS = 3_600_000;

/** What sums add up to is off by less than this. */
const DUST = 1e-4;

test('no cost is told but what is true at least and at most', () => {
	expect(costlyInstances).toHaveLength(30);
	for (const {about, instance, cost} of costlyInstances) {
		const {atLeast, atMost = Number.POSITIVE_INFINITY} = costSoFar({instance, now});
		expect([about, atLeast <= cost + DUST, cost <= atMost + DUST]).toEqual([about, true, true]);
		const certain = certainCost(unseen, instance, {date: now, steady: 0}) ?? 0;
		expect([about, certain <= cost + DUST]).toEqual([about, true]);
	}
});

const moment = (at: number) => ({now: at, localNow: at});

test('a day of looks at what stands tells how much it cannot have cost, and one of what runs how much it has', () => {
	const seen = {state: {looks: 99, from: moment(now - 24 * HOUR_MS), until: moment(now)}};
	const prices = {dph_base: 2, storage_total_cost: 0.1};
	const instance = {id: 1, start_date: TEST_NOW - 30 * 3600, actual_status: 'exited', ...prices};
	expect(costSoFar({instance, now, seen}).atMost).toBeCloseTo(30 * 0.1 + 6 * 2);
	const running = {...instance, actual_status: 'running', uptime_mins: null};
	expect(costSoFar({instance: running, now, seen}).atLeast).toBeCloseTo(30 * 0.1 + 24 * 2);
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
])('%j is said as %s', (cost, words) => expect(costWords(cost)).toBe(words));

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
		const words = costWords(soFar) ?? '-';
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
		const band = String.raw`\n>[ |]+(\d+) row-\1 [^]* ${place} of 30 \|\nTIMELINE +\1 `;
		const shown = await rentty.sees(new RegExp(band));
		const [, id] = /TIMELINE +(\d+)/.exec(shown) ?? [];
		told.set(id, /So far (.*?)\. /.exec(shown)?.[1]);
		rentty.type('j');
	}
	for (const {instance} of costlyInstances) {
		expect(told.get(`${instance.id}`)).toBe(costWords(costSoFar({instance, now})));
	}
});
