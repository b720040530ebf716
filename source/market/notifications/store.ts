/** Webhooks of accounts, and what is set about them. */
import type {Database} from '../database/database.ts';
import {forgetDeliveries} from './deliveries-store.ts';
import type {WebhookRow} from '../database/notification-tables.ts';

export type OfAccount = {readonly id: number; readonly accountId: number};

export async function listWebhooks(
	database: Database,
	accountId: number,
): Promise<readonly WebhookRow[]> {
	return database
		.selectFrom('webhooks')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('id')
		.execute();
}

export async function findWebhook(
	database: Database,
	{id, accountId}: OfAccount,
): Promise<WebhookRow | undefined> {
	return database
		.selectFrom('webhooks')
		.selectAll()
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}

export async function insertWebhook(
	database: Database,
	webhook: Pick<WebhookRow, 'account_id' | 'url' | 'name' | 'event_types' | 'secret'>,
	now: number,
): Promise<WebhookRow> {
	return database
		.insertInto('webhooks')
		.values({...webhook, created_at: now, updated_at: now, disabled_at: null})
		.returningAll()
		.executeTakeFirstOrThrow();
}

type WebhookChange = Partial<
	Pick<WebhookRow, 'url' | 'name' | 'event_types' | 'secret' | 'failures' | 'disabled_at'>
>;

/** Undefined where it is not the account's. */
export async function updateWebhook(
	database: Database,
	{id, accountId}: OfAccount,
	change: WebhookChange & {readonly updated_at: number},
): Promise<WebhookRow | undefined> {
	return database
		.updateTable('webhooks')
		.set(change)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.returningAll()
		.executeTakeFirst();
}

/** Answers whether there was one. Call it in a transaction. */
export async function deleteWebhook(
	database: Database,
	{id, accountId}: OfAccount,
): Promise<boolean> {
	if ((await findWebhook(database, {id, accountId})) === undefined) return false;
	await forgetDeliveries(database, id);
	await database.deleteFrom('webhooks').where('id', '=', id).execute();
	return true;
}

export async function readPreferences(database: Database, accountId: number) {
	const rows = await database
		.selectFrom('notification_preferences')
		.select(['kind', 'channel', 'is_on'])
		.where('account_id', '=', accountId)
		.execute();
	return rows.map(({kind, channel, is_on}) => ({kind, channel, isOn: is_on === 1}));
}

type Preference = Awaited<ReturnType<typeof readPreferences>>[number];

export async function writePreferences(
	database: Database,
	accountId: number,
	preferences: readonly Preference[],
): Promise<void> {
	for (const {kind, channel, isOn} of preferences) {
		const is_on = isOn ? 1 : 0;
		await database
			.insertInto('notification_preferences')
			.values({account_id: accountId, kind, channel, is_on})
			.onConflict(conflict =>
				conflict.columns(['account_id', 'kind', 'channel']).doUpdateSet({is_on}),
			)
			.execute();
	}
}
