import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Instance} from '../../source/contract/nouns/instance-record.ts';
import type {Volume} from '../../source/contract/nouns/volumes.ts';
import {MarketError} from '../../source/client/exchange/errors.ts';
import {creditOf} from '../helpers/market/billing.ts';
import {openRestartedMarket, type RestartedMarket} from '../helpers/host/restarts.ts';
import {least, runs} from '../helpers/property.ts';

const DAY = 86_400;

type Timed = {
	readonly kind: 'pass' | 'jump' | 'restart' | 'publish';
	readonly seconds: number;
};

/** What happens to the market, its host and what is rented. */
type Step =
	| Timed
	| {readonly kind: 'hear' | 'leave' | 'sweep'}
	| {readonly kind: 'stop' | 'start' | 'reboot' | 'destroy' | 'rent'; readonly which: number}
	| {
			readonly kind: 'report';
			readonly which: number;
			readonly status: 'loading' | 'running' | 'exited';
	  }
	| {readonly kind: 'traffic'; readonly which: number; readonly bytes: number};

const which = fc.nat(3);
const seconds = fc.oneof(
	fc.double({min: 0, max: 100, noNaN: true}),
	fc.constantFrom(45, 600, 3600, 12 * 3600, 3 * DAY, 100 * DAY),
);
const jump = fc.tuple(seconds, fc.boolean()).map(([size, isBack]) => (isBack ? -size : size));

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({kind: fc.constant('pass'), seconds}),
	fc.record({kind: fc.constantFrom('jump', 'restart', 'publish'), seconds: jump}),
	fc.record({kind: fc.constantFrom('hear', 'hear', 'hear', 'leave', 'sweep')}),
	fc.record({kind: fc.constantFrom('stop', 'start', 'reboot', 'destroy', 'rent'), which}),
	fc.record({
		kind: fc.constant('report'),
		which,
		status: fc.constantFrom('loading', 'running', 'exited'),
	}),
	fc.record({kind: fc.constant('traffic'), which, bytes: fc.nat(1e10)}),
);

/** Lets a step happen. What is refused changes nothing. */
async function take(world: RestartedMarket, one: Step): Promise<void> {
	try {
		await attempt(world, one);
	} catch (error) {
		if (!(error instanceof MarketError)) throw error;
	}
}

async function attempt(world: RestartedMarket, one: Step): Promise<unknown> {
	if ('seconds' in one) return letPass(world, one);
	if (!('which' in one)) return one.kind === 'sweep' ? world.market().sweep() : world[one.kind]();
	const {which: index} = one;
	if (one.kind === 'rent') return world.rent(index % 2);
	if (one.kind === 'report') return world.report(index, {status: one.status});
	if (one.kind !== 'traffic') return world.renter().instances[one.kind](await world.idOf(index));
	return world.report(index, {traffic: {up: one.bytes, down: one.bytes}});
}

async function letPass(world: RestartedMarket, {kind, seconds: size}: Timed): Promise<unknown> {
	const market = world.market();
	if (kind === 'pass') return market.pass(size);
	if (kind === 'jump') return market.clock.jump(size);
	return kind === 'restart' ? world.restart(size) : world.publish(market.clock.now() + size);
}

/** All that may only grow. */
type Totals = {
	readonly now: number;
	readonly spent: number;
	/** Quantity of each charge. */
	readonly charged: ReadonlyMap<number, number>;
};

async function totalsOf(world: RestartedMarket): Promise<Totals> {
	const {headers} = await world.market().call('/api/v0/users/current/');
	const {credit = 0} = await world.renter().account.current();
	const rows = await world.database.selectFrom('charges').selectAll().execute();
	for (const row of rows) {
		expect(row.quantity).toBeGreaterThan(0);
		expect(row.amount_micros).toBeGreaterThanOrEqual(0);
		expect(row.last_at).toBeGreaterThanOrEqual(row.first_at);
	}
	const charged = rows.map(({id, quantity}) => [id, quantity] as const);
	return {
		now: Date.parse(headers.get('date') ?? '') / 1000,
		spent: -Number(credit),
		charged: new Map(charged),
	};
}

function expectGrown(before: Totals, after: Totals): void {
	expect(after.now).toBeGreaterThanOrEqual(before.now);
	expect(after.spent).toBeGreaterThanOrEqual(before.spent);
	const shrunk = [...before.charged].filter(([id, was]) => (after.charged.get(id) ?? 0) < was);
	expect(shrunk).toEqual([]);
}

/** Every number of a record can be one, and its times go together. */
function expectPossible(record: Instance | Volume, now: number): void {
	const {start_date: start, end_date: end} = record;
	expect(start).toBeGreaterThan(1e9);
	// Dates are told in whole seconds.
	expect(start).toBeLessThan(now + 1);
	expect(end).toBeGreaterThanOrEqual(Number(start));
	expect(end).toBeLessThan(1e11);
	const impossible = Object.entries(record).filter(([name, value]) => {
		const bound = /^(machine_dir|direct_port|disk_)/.test(name) ? -1 : 0;
		return typeof value === 'number' && !(Number.isFinite(value) && value >= bound);
	});
	expect(impossible).toEqual([]);
}

function expectPossibleTimes({duration, uptime_mins, ...record}: Instance, now: number): void {
	expect(duration).toBe(Math.max(0, Number(record.end_date) - Math.floor(now / 60) * 60));
	if (uptime_mins === null) return;
	expect(uptime_mins).toBeLessThanOrEqual((now + 1 - Number(record.start_date)) / 60);
}

/** What was paid, less what was charged, in micro-dollars. */
async function expectedCredit({database}: RestartedMarket): Promise<number> {
	const payments = await database.selectFrom('payments').select('amount_micros').execute();
	const charges = await database.selectFrom('charges').select('amount_micros').execute();
	const sum = (rows: typeof payments) => rows.reduce((all, row) => all + row.amount_micros, 0);
	return sum(payments) - sum(charges);
}

test('whatever happens, and however clocks jump, what is shown can be and nothing is given back', async () => {
	const seen = {running: 0, restarts: 0};
	await fc.assert(
		fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 15}), async story => {
			await using world = await openRestartedMarket();
			let before = await totalsOf(world);
			for (const one of story) {
				await take(world, one);
				const after = await totalsOf(world);
				expectGrown(before, after);
				before = after;
				const {instances} = await world.renter().instances.list();
				for (const instance of instances) {
					expectPossible(instance, after.now);
					expectPossibleTimes(instance, after.now);
					if (typeof instance.uptime_mins === 'number') seen.running++;
				}
				for (const volume of (await world.renter().volumes.list()).volumes) {
					expectPossible(volume, after.now);
				}
				if (one.kind === 'restart') seen.restarts++;
			}
			expect(await creditOf(world.database)).toBe(await expectedCredit(world));
		}),
		{numRuns: runs(30)},
	);
	// Proof that something was looked at.
	expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(least(1));
});
