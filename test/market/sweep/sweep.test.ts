import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createWorkSignal} from '../../../source/market/base/work-signal.ts';
import {sweepMarket} from '../../../source/market/sweep/sweep.ts';
import {messages} from '../../../source/market/lifecycle/rules.ts';
import {addCredit, readAccount} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {insertMaintenance} from '../../../source/market/machines/maintenance-store.ts';
import {afterRead} from '../../helpers/market/after-read.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';
import {insertInstance} from '../../../source/market/lifecycle/instances-store.ts';
import {chargesIn, creditOf, insertVolume, setCredit} from '../../helpers/market/billing.ts';
import {
	hearMachines,
	openTestMarketFile,
	readInstance,
	rentDirectly,
	rentRunning,
} from '../../helpers/market/instances.ts';
import {openTestMarket, TEST_NOW} from '../../helpers/market/market.ts';

/** A dollar an hour, and a disk of 10 GB for a dollar per GB and month. */
const prices = {gpu_micros: 1_000_000, storage_micros: 1_000_000, disk_gb: 10};

const tight = {offers: 20, patience: {silentAfter: 1e9, lostAfter: 2e9}};

test('who has no credit left has what runs and what waits stopped, and nothing else', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const running = await rentRunning(database, prices);
	const waiting = await rentDirectly(database, {
		...prices,
		intended: 'running',
		current: 'stopped',
		next: 'running',
		message: messages.queued,
		waiting_since: TEST_NOW,
	});
	const stopped = await rentDirectly(database, {
		...prices,
		intended: 'stopped',
		current: 'stopped',
		next: 'stopped',
		message: 'as it was',
	});
	const {id: other} = await database
		.insertInto('accounts')
		.values({created_at: TEST_NOW, credit_micros: 9_000_000})
		.returning('id')
		.executeTakeFirstOrThrow();
	const theirs = await rentRunning(database, {...prices, account_id: other});
	await setCredit(database, 1000);
	await market.pass(5);
	const gone = {
		actual: 'exited',
		intended: 'stopped',
		current: 'stopped',
		next: 'stopped',
		message: messages.noCredit,
		running_since: null,
		waiting_since: null,
		destroyed_at: null,
	};
	expect(await readInstance(database, running.id)).toMatchObject(gone);
	const {actual: _, ...never} = gone;
	expect(await readInstance(database, waiting.id)).toMatchObject(never);
	expect(await readInstance(database, stopped.id)).toMatchObject({message: 'as it was'});
	expect(await readInstance(database, theirs.id)).toMatchObject({actual: 'running'});
});

test('without credit the disk still costs, and computing does not', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	await rentRunning(database, prices);
	await setCredit(database, 1);
	await market.pass(5);
	const after = await creditOf(database);
	expect(after).toBe(1 - 1389 - 19);
	await market.pass(3600);
	// Ten GB for an hour of the 720 of a month, to the micro-dollar from the first second on.
	expect(await creditOf(database)).toBe(1 - 1389 - 13_908);
});

test('what was stopped for want of credit waits for its renter, not for credit', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const {id} = await rentRunning(database, prices);
	const renter = await setCredit(database, 0);
	await market.pass(1);
	await addCredit(database, renter, {micros: 50_000_000, description: 'more', now: TEST_NOW});
	await market.pass(60);
	expect(await readInstance(database, id)).toMatchObject({
		intended: 'stopped',
		current: 'stopped',
		message: messages.noCredit,
	});
});

test('the hosts of what is stopped are told at once', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const {host_account_id: hosts} = await rentRunning(database, prices);
	await setCredit(database, 0);
	const signalled: number[] = [];
	const workSignal = {...createWorkSignal(), send: (name: number) => signalled.push(name)};
	await sweepMarket({database, patience: tight.patience, workSignal, share: 0}, TEST_NOW + 1);
	expect(signalled).toEqual([hosts]);
});

test('whose machines are rented has the credit that they had', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const {host_account_id: hosts} = await rentRunning(database, prices);
	await market.pass(3600);
	expect(await readAccount(database, hosts)).toMatchObject({creditMicros: 0});
	expect(await creditOf(database)).toBe(100_000_000 - 1_000_000 - 13_889);
});

test('an instance at the end of its contract is stopped, and its disk still costs', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const {id, ask_id} = await rentRunning(database, {...prices, end_date: TEST_NOW + 60});
	// An offer for longer would lengthen the contract.
	const end_date = TEST_NOW + 60;
	await database.updateTable('offers').set({end_date}).where('id', '=', ask_id).execute();
	await market.pass(59);
	expect(await readInstance(database, id)).toMatchObject({actual: 'running'});
	await market.pass(1);
	expect(await readInstance(database, id)).toMatchObject({
		intended: 'stopped',
		message: messages.ended,
	});
	const before = await creditOf(database);
	await market.pass(3600);
	expect(before - (await creditOf(database))).toBe(13_889);
});

type Rented = Awaited<ReturnType<typeof rentRunning>>;

type Sooner = {
	readonly what: string;
	/** A field of the rows that are due, by which their read is known. */
	readonly field: string;
	readonly prepare: (database: Database, rented: Rented) => Promise<unknown>;
	readonly act: (database: Database, rented: Rented) => Promise<unknown>;
};

const endContract = async (database: Database, {id, ask_id}: Rented, end_date: number) => {
	await database.updateTable('offers').set({end_date}).where('id', '=', ask_id).execute();
	await database.updateTable('instances').set({end_date}).where('id', '=', id).execute();
};

const sooner: readonly Sooner[] = [
	{
		what: 'credit arrives for what is to stop without',
		field: 'intended',
		prepare: async database => setCredit(database, 0),
		act: async database => setCredit(database, 50_000_000),
	},
	{
		what: 'a contract is lengthened that has ended',
		field: 'intended',
		prepare: async (database, rented) => endContract(database, rented, TEST_NOW),
		act: async (database, rented) => endContract(database, rented, TEST_NOW + 9999),
	},
	{
		what: 'maintenance is cancelled that is to begin',
		field: 'is_told',
		async prepare(database, {machine_id}) {
			const span = {start_at: TEST_NOW, end_at: TEST_NOW + 60, reason: null, category: null};
			await insertMaintenance(database, {...span, machine_id});
		},
		act: async database => database.deleteFrom('maintenance').execute(),
	},
];

test.each(sooner)('nothing comes of it where $what', async ({field, prepare, act}) => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const beside = await openDatabase(market.file);
	try {
		const rented = await rentRunning(database, prices);
		await prepare(database, rented);
		const swept = {
			database: afterRead(database, {of: field, act: async () => act(beside, rented)}),
			workSignal: createWorkSignal(),
			patience: tight.patience,
			share: 0,
		};
		await sweepMarket(swept, TEST_NOW);
		expect(await readInstance(database, rented.id)).toMatchObject({intended: 'running'});
		const machine = database.selectFrom('machines').where('id', '=', rented.machine_id);
		expect(await machine.select('in_maintenance').execute()).toEqual([{in_maintenance: 0}]);
	} finally {
		await beside.destroy();
	}
});

test('sweeping twice charges once', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	await rentRunning(database, prices);
	await market.pass(3600);
	const once = await chargesIn(database);
	await market.sweep();
	await market.pass(4);
	await market.sweep();
	expect(await chargesIn(database)).toEqual(once);
});

test('many instances are charged at once, each for itself', async () => {
	await using market = await openTestMarketFile(tight);
	const {database} = market;
	const {id: first, ...alike} = await rentRunning(database, prices);
	await database.transaction().execute(async transaction => {
		for (let count = 1; count < 1200; count++) await insertInstance(transaction, alike);
	});
	await setCredit(database, 10_000_000_000);
	await market.pass(3600);
	await market.pass(3600);
	const rows = await database.selectFrom('charges').selectAll().execute();
	expect(rows).toHaveLength(2400);
	expect(new Set(rows.map(row => row.source_id)).size).toBe(1200);
	expect(rows.find(row => row.source_id === first && row.item === 'gpu')).toMatchObject({
		quantity: 7_200_000,
		amount_micros: 2_000_000,
		first_at: TEST_NOW,
		last_at: TEST_NOW + 7200,
	});
	expect(await creditOf(database)).toBe(10_000_000_000 - 1200 * (2_000_000 + 27_778));
});

test('a volume costs its space while its machine is there', async () => {
	await using market = await openTestMarketFile({offers: 1});
	const {database} = market;
	await hearMachines(database);
	const {id: machine_id} = await database
		.selectFrom('machines')
		.select('id')
		.executeTakeFirstOrThrow();
	await insertVolume(database, {machine_id, ask_id: 1, size_gb: 100, storage_micros: 720_000});
	await market.pass(3600);
	const day = Math.floor(TEST_NOW / 86_400);
	const untilLost = [['disk', day, 600 * 1000 * 100, 16_667]];
	expect(await chargesIn(database, 'volume')).toEqual(untilLost);
	await hearMachines(database, TEST_NOW + 3600);
	await market.pass(400);
	expect(await chargesIn(database, 'volume')).toEqual([['disk', day, 100_000_000, 27_778]]);
});

test.each([
	['closed', 30, 30, 30],
	['closed for longer than machines may be silent', 300, 45, 300],
	['closed for a day', 86_400, 45, 600],
	['closed for a year', 365 * 86_400, 45, 600],
])('a market that was %s settles when it opens', async (_, seconds, computing, disk) => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-sweep-'));
	const file = join(folder, 'market.db');
	const first = await openTestMarket({file, offers: 1});
	const database = await openDatabase(file);
	try {
		const {id} = await rentRunning(database, prices);
		// It ends without a word: what was charged last is long ago.
		await first.close();
		const second = await openTestMarket({file, now: TEST_NOW + seconds});
		await second.sweep();
		await second.close();
		const day = Math.floor(TEST_NOW / 86_400);
		expect(await chargesIn(database)).toEqual([
			['gpu', day, computing * 1000, Math.round((computing * 1_000_000) / 3600)],
			['disk', day, disk * 10_000, Math.round((disk * 10_000_000) / (720 * 3600))],
		]);
		expect(await readInstance(database, id)).toMatchObject({billed_until: TEST_NOW + seconds});
	} finally {
		await database.destroy();
		rmSync(folder, {recursive: true});
	}
});
