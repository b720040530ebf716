import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {charge, chargedSourceOf} from '../../../source/market/lifecycle/bills.ts';
import {payDeposit} from '../../../source/market/instances/deposits.ts';
import {destroyInstances} from '../../../source/market/instances/destroy.ts';
import {recordPayout, transferCredit} from '../../../source/market/accounts/payments.ts';
import {Refusal} from '../../../source/market/base/refusal.ts';
import {meterTraffic} from '../../../source/market/ledger/metering-rules.ts';
import {addCredit} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {bookSum} from '../../../source/market/ledger/store.ts';
import {keepSums} from '../../../source/market/ledger/checks-store.ts';
import {insertVolume, openBilledWorld, OPENING} from '../../helpers/market/billing.ts';
import {hearMachines, rentRunning} from '../../helpers/market/instances.ts';
import {allFaults, allMoney, openAccount} from '../../helpers/market/ledger.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {runs} from '../../helpers/property.ts';

const DAY = 86_400;

type Doing = {
	readonly database: Database;
	readonly account: number;
	readonly other: number;
	readonly instance: InstanceRow;
	readonly micros: number;
	readonly now: number;
};

/** What can happen; each answers what came into the market by it. */
const deeds = {
	async rent({database, account, instance: {ask_id}, micros, now}: Doing) {
		const price = {gpu_micros: micros, disk_gb: 11.1};
		await rentRunning(database, {ask_id, account_id: account, created_at: now, ...price});
		return 0;
	},
	async volume({database, instance: {machine_id, ask_id}, micros, now}: Doing) {
		const volume = {machine_id, ask_id, size_gb: 7.7, storage_micros: micros};
		await insertVolume(database, {...volume, created_at: now});
		return 0;
	},
	async destroy({database, instance, now}: Doing) {
		if (instance.destroyed_at !== null) return 0;
		await destroyInstances(database, [instance], now);
		return 0;
	},
	async prepay({database, instance, micros, now}: Doing) {
		if (instance.destroyed_at !== null) return 0;
		await database.updateTable('offers').set({credit_discount_max: 0.4}).execute();
		await payDeposit(database, instance, {micros, now});
		return 0;
	},
	async traffic({database, instance, micros, now}: Doing) {
		if (instance.destroyed_at !== null) return 0;
		await charge(
			database,
			chargedSourceOf(instance),
			meterTraffic('bwu', micros * 99, 20_011, now),
		);
		return 0;
	},
	async credit({database, account, micros, now}: Doing) {
		await addCredit(database, account, {micros, description: 'more', now});
		return micros;
	},
	async transfer({database, account, other, micros, now}: Doing) {
		const [from, to] = [
			{id: account, name: 'one'},
			{id: other, name: 'other'},
		];
		if (account !== other) await transferCredit(database, {from, to, micros, now});
		return 0;
	},
	async payout({database, instance: {host_account_id: accountId}, micros, now}: Doing) {
		await recordPayout(database, {accountId, micros, description: 'bank', now});
		return -micros;
	},
};

const names = [
	'rent',
	'volume',
	'prepay',
	'destroy',
	'traffic',
	'credit',
	'transfer',
	'payout',
] as const;

const lives = fc.array(
	fc.record({
		name: fc.constantFrom(...names),
		seconds: fc.oneof(fc.integer({min: 0, max: 5000}), fc.integer({min: 0, max: 2 * DAY})),
		who: fc.nat({max: 2}),
		which: fc.nat({max: 3}),
		micros: fc.integer({min: 1, max: 30_000_000}),
	}),
	{minLength: 1, maxLength: 14},
);

test('whatever accounts do, nothing is created and nothing is lost', async () => {
	await fc.assert(
		fc.asyncProperty(lives, fc.integer({min: 1, max: 3}), async (steps, sweeps) => {
			await using world = await openBilledWorld();
			const {database, renter} = world;
			const accounts = [renter];
			for (const kind of ['renter', 'both'] as const) {
				accounts.push(await openAccount(database, kind));
			}
			let [now, money] = [TEST_NOW, OPENING];
			for (const {name, seconds, who, which, micros} of steps) {
				for (let sweep = 1; sweep <= sweeps; sweep++) {
					await world.sweep(now + (seconds * sweep) / sweeps);
				}
				now += seconds;
				await hearMachines(database, now);
				const instances = await database.selectFrom('instances').selectAll().execute();
				const instance = instances[which % instances.length];
				if (instance === undefined) throw new Error('there is one from the beginning');
				const [account = 0, other = 0] = [accounts[who], accounts[which % accounts.length]];
				const doing = {database, account, other, instance, micros, now};
				money += await deeds[name](doing).catch((error: unknown) => {
					if (error instanceof Refusal) return 0;
					throw error;
				});
				if (which === 0) await keepSums(database, {after: 0, most: 99}, who);
				expect(await allFaults(database)).toEqual([]);
				expect(await allMoney(database)).toBe(money);
				expect(await bookSum(database, 0, 'outside')).toBe(-money);
			}
			await world.sweepAll(now + 3 * DAY);
			expect(await allFaults(database)).toEqual([]);
			expect(await allMoney(database)).toBe(money);
		}),
		{numRuns: runs(25)},
	);
});
