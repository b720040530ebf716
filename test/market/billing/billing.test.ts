import * as fc from 'fast-check';
import {expect, test, vi} from 'vitest';
import {createBalances} from '../../../source/market/billing/balance.ts';
import {charge, chargedSourceOf} from '../../../source/market/lifecycle/bills.ts';
import {billInstance, changeInstance} from '../../../source/market/lifecycle/change.ts';
import {billVolumesOn} from '../../../source/market/volumes/volumes.ts';
import type {HostStatus, LifecycleEvent} from '../../../source/market/lifecycle/rules.ts';
import {
	amountMicros,
	meterTraffic,
	meterUsage,
	type MeteredUsage,
} from '../../../source/market/ledger/metering-rules.ts';
import {readAccount} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {
	openBilledWorld,
	OPENING,
	rates,
	setCredit,
	volumeRates,
	type BilledWorld,
} from '../../helpers/market/billing.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {slowness} from '../../helpers/market/postgres.ts';
import {runs} from '../../helpers/property.ts';

vi.setConfig({testTimeout: 60_000 * slowness});

type Action =
	| {readonly kind: 'heartbeat'}
	/** The market was away meanwhile. */
	| {readonly kind: 'restart'}
	| {readonly kind: 'nothing'}
	| {readonly kind: 'stop' | 'start'}
	| {readonly kind: 'report'; readonly status: Exclude<HostStatus, 'failed'>}
	| {readonly kind: 'traffic'; readonly bytes: number};

/** Time that passes, and what happens then. */
type Step = {readonly seconds: number; readonly action: Action};

async function act(world: BilledWorld, action: Action, now: number): Promise<void> {
	const {database, id} = world;
	if (action.kind === 'heartbeat') return world.hear(now);
	if (action.kind === 'restart') return world.reopen(now);
	if (action.kind === 'nothing') return;
	await database.transaction().execute(async transaction => {
		const row = await readInstance(transaction, id);
		if (action.kind === 'traffic') {
			await charge(
				transaction,
				chargedSourceOf(row),
				meterTraffic('bwu', action.bytes, 20_011, now),
			);
		} else {
			await changeInstance(transaction, row, eventOf(action, row.boot), now);
		}
	});
}

type Change = Extract<Action, {readonly kind: 'report' | 'stop' | 'start'}>;

function eventOf(action: Change, boot: number): LifecycleEvent {
	if (action.kind === 'report') return {...action, boot};
	return action.kind === 'start' ? {kind: 'start', hasGpus: true} : {kind: 'stop'};
}

/** Does all steps, and sweeps before each, and as often between them as a list of parts says. */
async function play(world: BilledWorld, steps: readonly Step[], parts: readonly number[]) {
	let now = TEST_NOW;
	for (const [index, {seconds, action}] of steps.entries()) {
		const count = parts[index % parts.length] ?? 1;
		const sweeps = action.kind === 'restart' ? 0 : count;
		for (let part = 1; part <= sweeps; part++) await world.sweep(now + (seconds * part) / count);
		now += seconds;
		await act(world, action, now);
	}
	await chargeEverything(world, now + 5);
	return now + 5;
}

type Told = {readonly heardAt: number; readonly isWanted: boolean; readonly said: string};

/** What should be charged for: told by the steps alone, a stretch in one state at a time. */
function expectedUsages(steps: readonly Step[]): readonly MeteredUsage[] {
	const usages: MeteredUsage[] = [];
	let now = TEST_NOW;
	let told: Told = {heardAt: TEST_NOW, isWanted: true, said: 'running'};
	for (const {seconds, action} of [...steps, {seconds: 5, action: {kind: 'nothing'}} as const]) {
		usages.push(...expectedBetween(now, now + seconds, told));
		now += seconds;
		told = toldAfter(told, action, now);
		if (action.kind === 'traffic') usages.push(...meterTraffic('bwu', action.bytes, 20_011, now));
	}
	return usages;
}

function expectedBetween(
	now: number,
	end: number,
	{heardAt, isWanted, said}: Told,
): readonly MeteredUsage[] {
	const bounds = [heardAt + 45, heardAt + 600].filter(at => at > now && at < end);
	return [now, ...bounds].flatMap((from, index) => {
		const until = bounds[index] ?? end;
		const compute = isWanted && said === 'running' && from - heardAt < 45;
		const disk = from - heardAt < 600;
		return [
			...meterUsage(from, until, {compute, disk}, rates),
			...meterUsage(from, until, {compute: false, disk}, volumeRates),
		];
	});
}

function toldAfter(told: Told, action: Action, now: number): Told {
	switch (action.kind) {
		case 'heartbeat':
			return {...told, heardAt: now};
		case 'stop':
			return {...told, isWanted: false, said: 'exited'};
		case 'start':
			return told.isWanted ? told : {...told, isWanted: true, said: 'exited'};
		case 'report':
			return told.isWanted ? {...told, said: action.status} : told;
		case 'nothing':
		case 'restart':
		case 'traffic':
			return told;
	}
}

async function chargeTable(database: Database) {
	const rows = await database.selectFrom('charges').selectAll().execute();
	const lines = rows.map(
		({item, day, rate_micros, quantity, amount_micros}) =>
			[`${item} ${day} ${rate_micros}`, {quantity, amount: amount_micros}] as const,
	);
	return Object.fromEntries(lines);
}

function tableOf(usages: readonly MeteredUsage[]) {
	const groups = Map.groupBy(usages, ({item, day, rateMicros}) => `${item} ${day} ${rateMicros}`);
	const lines = [...groups].map(([name, [first, ...others]]) => {
		const quantity = others.reduce((sum, usage) => sum + usage.quantity, first?.quantity ?? 0);
		const amount = first === undefined ? 0 : amountMicros(first.item, quantity, first.rateMicros);
		return [name, {quantity, amount}] as const;
	});
	return Object.fromEntries(lines);
}

async function creditOf({database, renter}: BilledWorld): Promise<number> {
	return (await readAccount(database, renter)).creditMicros;
}

async function sumOfCharges(database: Database): Promise<number> {
	const rows = await database.selectFrom('charges').select('amount_micros').execute();
	return rows.reduce((sum, row) => sum + row.amount_micros, 0);
}

const actions: fc.Arbitrary<Action> = fc.oneof(
	{weight: 4, arbitrary: fc.constant<Action>({kind: 'heartbeat'})},
	fc.constantFrom<Action>({kind: 'nothing'}, {kind: 'restart'}, {kind: 'stop'}, {kind: 'start'}),
	fc.constantFrom<Action>(
		{kind: 'report', status: 'running'},
		{kind: 'report', status: 'loading'},
		{kind: 'report', status: 'exited'},
	),
	fc.nat(10_000_000_000).map((bytes): Action => ({kind: 'traffic', bytes})),
);

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
	fc.record({
		seconds: fc.oneof(
			{weight: 5, arbitrary: fc.integer({min: 1, max: 100_000}).map(ms => ms / 1000)},
			fc.constantFrom(44.999, 45, 45.001, 600, 3600, 90_000),
		),
		action: actions,
	}),
	{minLength: 1, maxLength: 12},
);

const sweepCounts = fc.array(fc.integer({min: 1, max: 7}), {minLength: 1, maxLength: 5});

test('whatever happens, and however often the market is swept, time costs what it should', async () => {
	await fc.assert(
		fc.asyncProperty(steps, sweepCounts, async (story, parts) => {
			await using world = await openBilledWorld();
			await play(world, story, parts);
			expect(await chargeTable(world.database)).toEqual(tableOf(expectedUsages(story)));
			expect(await creditOf(world)).toBe(OPENING - (await sumOfCharges(world.database)));
		}),
		{numRuns: runs(60)},
	);
});

test('a balance is at every moment what charging for everything would leave', async () => {
	await fc.assert(
		fc.asyncProperty(
			steps,
			sweepCounts,
			fc.integer({min: 0, max: 700_000}),
			async (story, parts, laterMs) => {
				await using world = await openBilledWorld();
				await world.rentAlike();
				const balances = createBalances(world.database, world.changes);
				const played = await play(world, story, parts);
				const now = played + laterMs / 1000;
				const before = await chargeTable(world.database);
				const {renter, patience} = world;
				// What was read before is kept, for as long as it holds.
				await balances.read(renter, {patience, now: played});
				const {creditMicros} = await balances.read(renter, {patience, now});
				expect(await chargeTable(world.database)).toEqual(before);
				await chargeEverything(world, now);
				expect(creditMicros).toBe(await creditOf(world));
			},
		),
		{numRuns: runs(40)},
	);
});

/** Cost of the disks of this world in five seconds. */
const DISK_UNTIL_LOOK_MICROS = 20;

test('a balance is what charging would leave, however near an account is to the most that it can owe', async () => {
	await fc.assert(
		fc.asyncProperty(
			steps,
			fc.oneof(fc.integer({min: 0, max: 700_000}), fc.constant(172_800_000)),
			fc.oneof(
				fc.integer({min: -100_000_000, max: -99_900_000}),
				fc.integer({min: -100_000_000, max: 1_000_000}),
			),
			async (story, laterMs, credit) => {
				await using world = await openBilledWorld();
				const balances = createBalances(world.database, world.changes);
				const played = await play(world, story, [1]);
				await setCredit(world.database, credit);
				const now = played + laterMs / 1000;
				const {renter, patience} = world;
				await balances.read(renter, {patience, now: played});
				const {creditMicros, open} = await balances.read(renter, {patience, now});
				await chargeEverything(world, now);
				const apart = Math.abs(creditMicros - (await creditOf(world)));
				// What disks cost in the seconds in which GPUs may leave a debt is before or behind that.
				expect(apart).toBeLessThanOrEqual(creditMicros < 0 ? DISK_UNTIL_LOOK_MICROS : 0);
				expect(creditMicros).toBeGreaterThanOrEqual(-100_000_000);
				expect(credit - open.reduce((sum, {micros}) => sum + micros, 0)).toBe(creditMicros);
			},
		),
		{numRuns: runs(40)},
	);
});

/** Charges until a moment, even what was charged a moment before. */
async function chargeEverything({database, sweepAll}: BilledWorld, now: number): Promise<void> {
	await sweepAll(now);
	await database.transaction().execute(async transaction => {
		const rows = await transaction.selectFrom('instances').selectAll().execute();
		for (const row of rows) await billInstance(transaction, row, now);
		const machines = await transaction.selectFrom('machines').selectAll().execute();
		for (const machine of machines) await billVolumesOn(transaction, machine, now);
	});
}
