import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {checkLedger, createLedgerWatch} from '../../../source/market/sweep/ledger.ts';
import {recordPayout, transferCredit} from '../../../source/market/accounts/payments.ts';
import {createTeam, endTeam} from '../../../source/market/teams/teams.ts';
import {Refusal} from '../../../source/market/base/refusal.ts';
import {addCredit, readBalances} from '../../../source/market/ledger/accounts-store.ts';
import {readEarnings, readOwed, bookSum} from '../../../source/market/ledger/store.ts';
import {balanceFaults, keepSums} from '../../../source/market/ledger/checks-store.ts';
import {
	openBilledWorld,
	OPENING,
	SHARE,
	TODAY,
	UNTIL_MIDNIGHT,
} from '../../helpers/market/billing.ts';
import {openTestMarketFile, readInstance} from '../../helpers/market/instances.ts';
import {allFaults, openAccount} from '../../helpers/market/ledger.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

test('a day that is over goes from who used it to who earned it, less the market’s share', async () => {
	await using world = await openBilledWorld();
	const {database, renter} = world;
	const {host_account_id: provider, machine_id: machineId} = await readInstance(database, world.id);
	await world.hear(TEST_NOW + UNTIL_MIDNIGHT - 1);
	await world.sweepAll(TEST_NOW + UNTIL_MIDNIGHT + 3599);
	expect(await bookSum(database, provider, 'earnings')).toBe(0);
	await world.sweepAll(TEST_NOW + UNTIL_MIDNIGHT + 3600);
	const spent = -((await bookSum(database, renter, 'credit')) - OPENING);
	const share = await bookSum(database, 0, 'share');
	expect(spent).toBeGreaterThan(0);
	expect(share).toBe(Math.round(spent * SHARE));
	expect((await readBalances(database, provider)).earnedMicros).toBe(spent - share);
	const earned = await readEarnings(database, provider, {first: TODAY, last: TODAY});
	expect(earned.map(row => [row.day, row.machineId, row.item])).toEqual([
		[TODAY, machineId, 'disk'],
		[TODAY, machineId, 'gpu'],
	]);
	expect(earned.reduce((sum, {micros}) => sum + micros, 0)).toBe(spent);
	const entries = await database.selectFrom('entries').selectAll().execute();
	expect(entries.map(({kind, day}) => [kind, day])).toEqual([
		['credit', null],
		['usage', TODAY],
	]);
	expect(await allFaults(database)).toEqual([]);
});

test('what is earned can be read before its day is over, and is the same afterwards', async () => {
	await using world = await openBilledWorld();
	const {database} = world;
	const {host_account_id: provider} = await readInstance(database, world.id);
	const days = {first: TODAY, last: TODAY + 9};
	await world.hear(TEST_NOW + UNTIL_MIDNIGHT - 1);
	await world.sweepAll(TEST_NOW + UNTIL_MIDNIGHT + 10);
	const before = await readEarnings(database, provider, {first: TODAY, last: TODAY});
	const owed = await readOwed(database, provider, SHARE);
	expect(before).not.toEqual([]);
	await world.sweepAll(TEST_NOW + UNTIL_MIDNIGHT + 3700);
	expect(await readEarnings(database, provider, {first: TODAY, last: TODAY})).toEqual(before);
	const all = await readEarnings(database, provider, days);
	const gross = all.reduce((sum, {micros}) => sum + micros, 0);
	const after = await readOwed(database, provider, SHARE);
	expect(after.grossMicros).toBe(gross);
	expect(after.grossMicros).toBeGreaterThanOrEqual(owed.grossMicros);
});

test('a payout takes no more than was earned on days that are over', async () => {
	await using world = await openBilledWorld();
	const {database} = world;
	const {host_account_id: accountId} = await readInstance(database, world.id);
	const now = TEST_NOW + UNTIL_MIDNIGHT + 4000;
	await world.hear(TEST_NOW + UNTIL_MIDNIGHT - 1);
	await world.sweepAll(now);
	const {earnedMicros: earned} = await readBalances(database, accountId);
	const payout = {accountId, description: 'bank', now};
	await expect(recordPayout(database, {...payout, micros: earned + 1})).rejects.toThrow(Refusal);
	await recordPayout(database, {...payout, micros: earned - 5});
	await recordPayout(database, {...payout, micros: 2, toCredit: true});
	expect(await readBalances(database, accountId)).toEqual({earnedMicros: 3, creditMicros: 2});
	expect(await bookSum(database, 0, 'outside')).toBe(earned - 5 - OPENING);
	expect(await allFaults(database)).toEqual([]);
});

test('a payment is entered once, however often it is told', async () => {
	await using world = await openBilledWorld();
	const payment = {micros: 7, description: 'card', now: TEST_NOW, reference: 'payment of a card 1'};
	const told = [1, 2, 3].map(async () => addCredit(world.database, world.renter, payment));
	expect((await Promise.all(told)).filter(Boolean)).toHaveLength(1);
	expect((await readBalances(world.database, world.renter)).creditMicros).toBe(OPENING + 7);
});

test('a sum that is wrong is said in the log and in the figures, until it is right', async () => {
	await using market = await openTestMarketFile({offers: 2, metricsPort: 0});
	const {database} = market;
	const faults = async () => {
		await market.pass(20);
		const reply = await fetch(`${market.metricsUrl}/metrics`);
		return /^rentty_ledger_faults (\d+)$/m.exec(await reply.text())?.[1];
	};
	expect(await faults()).toBe('0');
	const set = async (micros: number) =>
		database
			.updateTable('accounts')
			.set(({eb}) => ({credit_micros: eb('credit_micros', '+', micros)}))
			.where('role', '=', 'renter')
			.execute();
	await set(5);
	expect([await faults(), await faults()]).toEqual(['1', '1']);
	const told = market.log.filter(line => line.startsWith('ledger'));
	expect(told).toEqual(['ledger: credit of account 2: wrong by 5 micro-dollars']);
	await set(-5);
	expect(await faults()).toBe('0');
	const {id} = await database
		.insertInto('entries')
		.values({kind: 'credit', at: TEST_NOW, account_id: null, day: null, reference: null})
		.returning('id')
		.executeTakeFirstOrThrow();
	const day = {day: TODAY, machine_id: null, item: null};
	const lost = {entry_id: id, account_id: 0, book: 'outside', micros: 4, ...day} as const;
	await database.insertInto('postings').values(lost).execute();
	expect([await faults(), await faults()]).toEqual(['1', '1']);
	expect(market.log.at(-1)).toBe(`ledger: entry ${id}: wrong by 4 micro-dollars`);
	await database.deleteFrom('postings').where('entry_id', '=', id).execute();
	expect(await faults()).toBe('0');
});

test('what was checked is kept as a sum, and a whole check reads all of it again', async () => {
	await using world = await openBilledWorld();
	const {database, renter} = world;
	const all = {after: 0, most: 99};
	const pay = async () =>
		addCredit(database, renter, {micros: 7, description: 'card', now: TEST_NOW});
	await pay();
	await keepSums(database, all, 2);
	expect(await database.selectFrom('checked_books').selectAll().execute()).toEqual([]);
	await keepSums(database, all, 1);
	const sums = database.selectFrom('checked_books').selectAll();
	expect(await sums.execute()).toMatchObject([{account_id: renter, micros: OPENING + 7}]);
	await pay();
	expect(await allFaults(database)).toEqual([]);
	await keepSums(database, all, 0);
	expect(await sums.execute()).toMatchObject([{account_id: renter, micros: OPENING + 14}]);
	const first = database.selectFrom('postings').select('id').where('account_id', '=', renter);
	const {id} = await first.orderBy('id').executeTakeFirstOrThrow();
	await database.updateTable('postings').set({micros: 1}).where('id', '=', id).execute();
	expect((await balanceFaults(database, all)).faults).toEqual([]);
	expect(await checkLedger(database)).toEqual([
		{what: `credit of account ${renter}`, micros: OPENING - 1},
		{what: 'entry 1', micros: 1 - OPENING},
	]);
});

test('a watch looks at everything in turn', async () => {
	await using world = await openBilledWorld();
	const {database} = world;
	for (let count = 0; count < 50; count++) await openAccount(database, 'renter');
	await database.updateTable('accounts').set({earned_micros: 1}).where('id', '=', 45).execute();
	const log: string[] = [];
	const watch = createLedgerWatch(database, line => log.push(line));
	for (let round = 0; round < 6; round++) await watch.look();
	expect(log).toEqual(['ledger: earnings of account 45: wrong by 1 micro-dollars']);
	expect(watch.faults()).toBe(1);
});

test('credit that comes while a team ends goes to its owner, or is not taken', async () => {
	await using world = await openTestMarketFile();
	const {database} = world;
	const ownerId = await openAccount(database, 'renter');
	const now = TEST_NOW;
	await addCredit(database, ownerId, {micros: OPENING, description: 'all', now});
	const {teamId} = await createTeam(database, {ownerId, name: 'lab', micros: 5, now});
	const [from, to] = [
		{id: ownerId, name: 'owner'},
		{id: teamId, name: 'lab'},
	];
	const give = async () => transferCredit(database, {from, to, micros: 1, now});
	const gifts: Array<Promise<unknown>> = [];
	const ending = endTeam(database, teamId, now);
	for (let gift = 0; gift < 20; gift++) {
		gifts.push(Promise.allSettled([give()]));
		await setImmediate();
	}
	await ending;
	await Promise.all(gifts);
	await expect(give()).rejects.toMatchObject({reason: 'noSuchUser'});
	expect(await readBalances(database, teamId)).toMatchObject({creditMicros: 0});
	expect(await readBalances(database, ownerId)).toMatchObject({creditMicros: OPENING});
	expect(await allFaults(database)).toEqual([]);
});
