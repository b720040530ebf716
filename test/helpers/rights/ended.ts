/** Records of every kind that are over. */
import {sql} from 'kysely';
import {closeAccount} from '../../../source/market/accounts/people.ts';
import {withdrawMachine} from '../../../source/market/machines/upkeep.ts';
import {destroyInstances} from '../../../source/market/instances/destroy.ts';
import {addCredit} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {deleteKeyRow} from '../../../source/market/api-keys/store.ts';
import {readInstance, rentRunning} from '../market/instances.ts';
import {TEST_NOW as now} from '../market/market.ts';
import {addRecords, type Place} from './owned.ts';
import type {Records} from './records.ts';

/** Records that an account is to have had: `endAll` ends them, when no other can be given their numbers. */
export async function addEnding(
	database: Database,
	accountId: number,
	place: Place | undefined,
): Promise<Records> {
	if (place === undefined) throw new Error('too few machines');
	await addCredit(database, accountId, {micros: 1e9, description: 'test', now});
	const rental = {account_id: accountId, ask_id: place.offer};
	const {id: instance} = await rentRunning(database, rental);
	const of = await addRecords(database, {accountId, own: place, instance, name: 'ended'});
	// The account's other records have the same names.
	await database.deleteFrom('secrets').where('account_id', '=', accountId).execute();
	await database.updateTable('team_roles').set({name: 'over'}).where('id', '=', of.role).execute();
	return {...of, hosted: instance, account: of.idle, member: of.idle};
}

/** Destroys, deletes, closes and answers them. */
export async function endAll(database: Database, accountId: number, of: Records): Promise<void> {
	for (const id of [of.instance, of.bid]) {
		await destroyInstances(database, [await readInstance(database, id)], now);
	}
	await deleteKeyRow(database, {accountId, memberId: 'anybody', id: of.apiKey}, now);
	await database.updateTable('copies').set({ended_at: now}).where('id', '=', of.copy).execute();
	await withdrawMachine(database, {id: of.machine, accountId}, now);
	await closeAccount(database, of.idle, now);
	const deleted = {
		ssh_keys: of.sshKey,
		templates: of.template,
		webhooks: of.webhook,
		scheduled_jobs: of.job,
		team_roles: of.role,
		price_increases: of.priceIncrease,
		tasks: of.task,
		relays: of.relay,
	};
	for (const [table, id] of Object.entries(deleted)) {
		await sql`delete from ${sql.table(table)} where id = ${id}`.execute(database);
	}
}
