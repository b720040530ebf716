import {join} from 'node:path';
import {expect, test} from 'vitest';
import {copyDatabase} from '../../../source/market/database/copy.ts';
import {openDatabase} from '../../../source/market/database/database.ts';
import {nextRevision} from '../../../source/market/database/numbering.ts';
import {addSshKey} from '../../../source/market/ssh-keys/store.ts';
import {addSecret} from '../../../source/market/secrets/store.ts';
import {writeLease} from '../../../source/market/leases/store.ts';
import {openUsedMarket} from '../../helpers/market/billing.ts';
import {openFolder} from '../../helpers/folder.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {noPostgres} from '../../helpers/market/postgres-server.ts';
import {databaseOnPostgres} from '../../helpers/market/postgres.ts';

/** A market in which something is rented, paid and charged, with secrets and keys. */
async function openFull() {
	const market = await openUsedMarket();
	const {database, account_id: accountId, id} = market;
	await addSecret(database, {accountId, name: 'TOKEN', value: 'ü\n"'});
	const key = {text: 'ssh-ed25519 AAAA me', blob: 'AAAA', type: 'ssh-ed25519', comment: 'me'};
	await addSshKey(database, {accountId, key, now: TEST_NOW});
	await writeLease(database, {
		instance_id: id,
		ends_at: TEST_NOW + 1e6 + 0.1,
		max_cost_micros: null,
		action: 'stop',
		grace_seconds: 0.25,
		keep: 1,
		changed_at: TEST_NOW,
	});
	return market;
}

test.skipIf(noPostgres !== undefined)(
	'a market goes to PostgreSQL and back, and is the same, and counts on',
	async () => {
		using folder = openFolder();
		await using market = await openFull();
		const middle = await openDatabase(await databaseOnPostgres());
		const back = await openDatabase(join(folder.path, 'back.db'));
		const first = await copyDatabase(market.database, middle);
		expect(first.find(({table}) => table === 'offers')?.rows).toBe(5);
		const {micros = 0} = first.find(({table}) => table === 'charges') ?? {};
		expect(micros).toBeGreaterThan(0);
		expect(await copyDatabase(middle, back)).toEqual(first);
		const last = await middle
			.selectFrom('accounts')
			.select(({fn}) => fn.max('id').as('id'))
			.executeTakeFirstOrThrow();
		const added = await middle
			.insertInto('accounts')
			.values({created_at: 1})
			.returning('id')
			.executeTakeFirstOrThrow();
		expect(added.id).toBe(last.id + 1);
		const {host_account_id: host, revision} = await middle
			.selectFrom('instances')
			.select(['host_account_id', 'revision'])
			.orderBy('revision', 'desc')
			.executeTakeFirstOrThrow();
		expect(await nextRevision(middle, host)).toBeGreaterThan(revision);
		await back.updateTable('accounts').set({work_revision: 0}).execute();
		const again = await openDatabase(':memory:');
		await copyDatabase(back, again);
		expect(await nextRevision(again, host)).toBeGreaterThan(revision);
		await again.destroy();
		await middle.destroy();
		await back.destroy();
	},
);

test('a market is not copied to where there is one, and nothing is changed there', async () => {
	await using market = await openFull();
	await using other = await openUsedMarket();
	const accounts = async () => other.database.selectFrom('accounts').selectAll().execute();
	const before = await accounts();
	const copying = copyDatabase(market.database, other.database);
	await expect(copying).rejects.toThrow('There is a market already');
	expect(await accounts()).toEqual(before);
});
