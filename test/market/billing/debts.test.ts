import {expect, test} from 'vitest';
import {checkLedger} from '../../../source/market/sweep/ledger.ts';
import {
	enterCredit,
	recordPayout,
	transferCredit,
} from '../../../source/market/accounts/payments.ts';
import {closeAccount, openAccount} from '../../../source/market/accounts/people.ts';
import {createTeam, endTeam} from '../../../source/market/teams/teams.ts';
import {addCredit, readBalances} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {bookSum, insertEntry} from '../../../source/market/ledger/store.ts';
import {
	openBilledWorld,
	SHARE,
	UNTIL_MIDNIGHT,
	type BilledWorld,
} from '../../helpers/market/billing.ts';
import {
	destroyAll,
	hearMachines,
	readInstance,
	rentRunning,
} from '../../helpers/market/instances.ts';
import {allFaults} from '../../helpers/market/ledger.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

const DAY = 86_400;
/** Ten thousand dollars an hour. */
const DEAR = 10_000_000_000;
const CENT = 10_000;
/** What five seconds cost at that price: how often credit is looked at. */
const INTERVAL = Math.ceil((DEAR * 5) / 3600);

async function give(database: Database, id: number, micros: number): Promise<void> {
	await addCredit(database, id, {micros, description: 'card', now: TEST_NOW});
}

/** The world, with an account that has made another one and has nothing, and a provider. */
async function openFamily() {
	const world = await openBilledWorld();
	const {database} = world;
	const {ask_id, host_account_id: provider} = await readInstance(database, world.id);
	await destroyAll(database, TEST_NOW);
	await database.deleteFrom('volumes').execute();
	const {id: parent} = await openAccount(database, {kind: 'both', now: TEST_NOW});
	const opening = {kind: 'both', parentId: parent, now: TEST_NOW} as const;
	const {id: child} = await openAccount(database, opening);
	return {
		...world,
		ask_id,
		provider,
		parent,
		child,
		[Symbol.asyncDispose]: world[Symbol.asyncDispose],
	};
}

type Family = Awaited<ReturnType<typeof openFamily>>;

/** An account with a cent rents at ten thousand dollars an hour until it is stopped; it answers when. */
async function overspend({database, ask_id, sweep}: Family, id: number): Promise<number> {
	await give(database, id, CENT);
	const dear = {ask_id, account_id: id, gpu_micros: DEAR, storage_micros: 0, up_micros: 0};
	await rentRunning(database, dear);
	for (let second = 1; second < 12; second++) {
		await hearMachines(database, TEST_NOW + second);
		await sweep(TEST_NOW + second);
	}
	await destroyAll(database, TEST_NOW + 12);
	return TEST_NOW + 12;
}

/** Closes the day. */
async function settle({database, sweepAll}: Pick<BilledWorld, 'database' | 'sweepAll'>) {
	const now = TEST_NOW + UNTIL_MIDNIGHT + DAY;
	await sweepAll(now);
	await sweepAll(now + 1);
	expect(await allFaults(database)).toEqual([]);
	return now + 1;
}

test('a provider earns what was covered, whatever a debtor used of its machine', async () => {
	await using world = await openFamily();
	const {database, provider, child} = world;
	await overspend(world, child);
	const now = await settle(world);
	const {earnedMicros} = await readBalances(database, provider);
	expect(earnedMicros).toBe(CENT * (1 - SHARE));
	const more = {accountId: provider, micros: earnedMicros + 1, description: 'bank', now};
	await expect(recordPayout(database, more)).rejects.toThrow('nothing was moved');
	const debt = -(await readBalances(database, child)).creditMicros;
	expect(debt).toBeGreaterThan(0);
	expect(await bookSum(database, child, 'unpaid')).toBe(debt);
});

test('use of GPUs leaves no more debt than one look at credit is late, at any price', async () => {
	await using world = await openFamily();
	const {database, child} = world;
	await overspend(world, child);
	expect((await readBalances(database, child)).creditMicros).toBeGreaterThanOrEqual(-INTERVAL);
	await using slept = await openFamily();
	await give(slept.database, slept.child, CENT);
	const {ask_id, child: account_id} = slept;
	await rentRunning(slept.database, {ask_id, account_id, gpu_micros: DEAR, storage_micros: 0});
	await hearMachines(slept.database, TEST_NOW + 3600);
	await slept.sweepAll(TEST_NOW + 3600);
	// Time is counted in milliseconds.
	const {creditMicros} = await readBalances(slept.database, account_id);
	expect(creditMicros).toBeGreaterThanOrEqual(-INTERVAL);
	expect(creditMicros).toBeLessThan(-INTERVAL + DEAR / 3_600_000 + 1);
});

test('a debt that is paid later is earned then, by who had provided for it', async () => {
	await using world = await openFamily();
	const {database, provider, child, sweepAll} = world;
	await overspend(world, child);
	const now = await settle(world);
	const debt = -(await readBalances(database, child)).creditMicros;
	await give(database, child, 1000);
	await sweepAll(now + 1);
	expect((await readBalances(database, provider)).earnedMicros).toBe((CENT + 1000) * (1 - SHARE));
	await give(database, child, debt);
	await sweepAll(now + 2);
	expect(await bookSum(database, child, 'unpaid')).toBe(0);
	expect((await readBalances(database, child)).creditMicros).toBe(1000);
	expect((await readBalances(database, provider)).earnedMicros).toBeCloseTo(
		(CENT + debt) * (1 - SHARE),
		-1,
	);
	expect(await allFaults(database)).toEqual([]);
});

test('credit that is taken back after it was spent is owed to the market, and is a fault of nobody', async () => {
	await using world = await openFamily();
	const {database, child, sweep} = world;
	const now = await overspend(world, child);
	const later = await settle(world);
	const debt = -(await readBalances(database, child)).creditMicros;
	const share = await bookSum(database, 0, 'share');
	await enterCredit(database, child, {micros: -500, description: 'charged back', now});
	expect(await bookSum(database, 0, 'share')).toBe(share - 500);
	expect(await allFaults(database)).toEqual([]);
	await give(database, child, debt + 500);
	await sweep(later + 1);
	expect(await bookSum(database, child, 'unpaid')).toBe(0);
	expect(await bookSum(database, 0, 'share')).toBeCloseTo((CENT + debt) * SHARE, -1);
	expect(await allFaults(database)).toEqual([]);
});

test('a check of the ledger names who has a debt that somebody has earned', async () => {
	await using world = await openFamily();
	const {database, provider, child} = world;
	await insertEntry(database, {kind: 'transfer', at: TEST_NOW}, [
		{account: child, book: 'credit', micros: -5},
		{account: provider, book: 'earnings', micros: 5},
	]);
	const [fault] = await checkLedger(database);
	expect(fault).toEqual({what: `debts of account ${child}`, micros: -5});
});

test('whoever made an account pays nothing for its debts, and may take out what is its own', async () => {
	await using world = await openFamily();
	const {database, parent, child, provider, sweep} = world;
	const team = {ownerId: parent, name: 'lab', micros: 0, now: TEST_NOW};
	const {teamId} = await createTeam(database, team);
	const own = 5_000_000;
	await give(database, parent, own);
	const earned = [{account: parent, book: 'earnings', micros: own} as const];
	const outside = {account: 0, book: 'outside', micros: -own} as const;
	await insertEntry(database, {kind: 'credit', at: TEST_NOW}, [...earned, outside]);
	for (const id of [child, teamId]) {
		const now = await overspend(world, id);
		expect((await readBalances(database, id)).creditMicros).toBeLessThan(-CENT);
		await sweep(now + 1);
		expect(await readBalances(database, parent)).toEqual({creditMicros: own, earnedMicros: own});
	}
	const now = TEST_NOW + 20;
	await recordPayout(database, {accountId: parent, micros: own, description: 'bank', now});
	const [from, to] = [
		{id: parent, name: 'parent'},
		{id: provider, name: 'provider'},
	];
	await transferCredit(database, {from, to, micros: own, now});
	expect(await readBalances(database, parent)).toEqual({creditMicros: 0, earnedMicros: 0});
});

test('who has a debt gives no credit away, and is paid nothing out, before it is paid', async () => {
	await using world = await openFamily();
	const {database, parent, child} = world;
	const now = await overspend(world, child);
	const debt = -(await readBalances(database, child)).creditMicros;
	const [from, to] = [
		{id: child, name: 'child'},
		{id: parent, name: 'parent'},
	];
	const transfer = transferCredit(database, {from, to, micros: 1, now});
	await expect(transfer).rejects.toThrow(/^The account has -\d+\.\d\d dollars of credit/);
	const accounts = database.updateTable('accounts').set({earned_micros: debt});
	await accounts.where('id', '=', child).execute();
	const payout = {accountId: child, micros: debt, description: 'bank', now};
	await expect(recordPayout(database, payout)).rejects.toThrow(/owes \d+\.\d\d dollars/);
});

test('no account with a debt is closed, and no team ended, before somebody has paid it', async () => {
	await using world = await openFamily();
	const {database, parent, child} = world;
	const team = {ownerId: parent, name: 'lab', micros: 0, now: TEST_NOW};
	const {teamId} = await createTeam(database, team);
	for (const [id, close] of [
		[child, closeAccount],
		[teamId, endTeam],
	] as const) {
		const now = await overspend(world, id);
		const debt = -(await readBalances(database, id)).creditMicros;
		await expect(close(database, id, now)).rejects.toThrow('nothing was closed');
		await expect(closeAccount(database, parent, now)).rejects.toThrow('nothing was closed');
		await give(database, id, debt);
		await close(database, id, now);
		expect((await readBalances(database, id)).creditMicros).toBe(0);
	}
	expect(await allFaults(database)).toEqual([]);
});
