import {expect, test} from 'vitest';
import {readBalances} from '../../../source/market/ledger/accounts-store.ts';
import {noteCopy} from '../../../source/market/copies/copies.ts';
import {DAY} from '../../../source/contract/rules/durations.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {afterRead, doneOrHeld} from '../../helpers/market/after-read.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {openHostMarket} from '../../helpers/host/hosts.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {onPostgres, openDatabase} from '../../helpers/market/postgres.ts';
import {callVolumes, makeVolume, readVolume, searchRoom} from '../../helpers/market/volumes.ts';

/** A market with two clones in progress, on four machines of one provider. */
async function openTwoClones() {
	const patience = {silentAfter: 1e9, lostAfter: 2e9};
	const market = await openHostMarket({offers: 50, patience});
	await hearMachines(market.database);
	const rooms = await searchRoom(market, {limit: 100, disk_space: {gte: 100}});
	const byMachine = Map.groupBy(rooms, room => room.machine_id).values();
	const apart = [...byMachine].map(([first]) => first?.id);
	for (const [from, to] of [apart.slice(0, 2), apart.slice(2, 4)]) {
		const src_id = await makeVolume(market, {id: from, size: 40});
		const reply = await callVolumes(market, 'POST', {src_id, dst_id: to}, 'copy/');
		expect(reply.status).toBe(200);
	}
	await market.database.updateTable('copies').set({ends_at: null}).execute();
	return market;
}

/** Makes the second clone, with its source and its cost, another renter's, whom no lock of the first holds. */
async function moveSecond(database: Database) {
	const settled = {credit_micros: 9_000_000, settled_day: Math.floor(TEST_NOW / DAY) + 1};
	const {id: account_id} = await database
		.insertInto('accounts')
		.values({created_at: TEST_NOW, ...settled})
		.returning('id')
		.executeTakeFirstOrThrow();
	const copy = database.selectFrom('copies').selectAll().where('id', '=', 2);
	const {source_id, target_id} = await copy.executeTakeFirstOrThrow();
	const ids = [source_id, target_id];
	await database.updateTable('volumes').set({account_id}).where('id', 'in', ids).execute();
	await database.updateTable('copies').set({account_id}).where('id', '=', 2).execute();
	await database.updateTable('charges').set({account_id}).where('source_id', 'in', ids).execute();
	return target_id;
}

test.skipIf(!onPostgres)(
	'for clones that fail at once, a provider gives back no more than it has',
	async () => {
		await using market = await openTwoClones();
		const {database} = market;
		await market.pass(2 * DAY);
		const target = await moveSecond(database);
		const {host_account_id: provider} = await readVolume(database, target);
		const charged = database.selectFrom('charges').where('source_id', '=', target);
		const {cost} = await charged
			.select(({fn}) => fn.sum<number>('amount_micros').as('cost'))
			.executeTakeFirstOrThrow();
		// A payout left so much as one of them cost.
		await database
			.updateTable('accounts')
			.set({earned_micros: cost})
			.where('id', '=', provider)
			.execute();
		const failure = {ended: true, failed: true, fault: 'machine', message: 'broken'} as const;
		const note = {
			...failure,
			hostAccountId: provider,
			publicKey: undefined,
			now: TEST_NOW + 2 * DAY,
		};
		const beside = await openDatabase(market.file);
		let second: Promise<unknown> | undefined;
		const looked = afterRead(database, {
			of: 'earnedMicros',
			async act() {
				second = noteCopy(beside, {id: 2, ...note});
				await doneOrHeld(database, second);
			},
		});
		await noteCopy(looked, {id: 1, ...note});
		await second;
		await beside.destroy();
		expect((await readBalances(database, provider)).earnedMicros).toBe(0);
		const payments = database.selectFrom('payments').select('amount_micros');
		const refunds = await payments.where('kind', '=', 'refund').execute();
		expect(refunds.reduce((sum, {amount_micros: micros}) => sum + micros, 0)).toBe(cost);
	},
);
