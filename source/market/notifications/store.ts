/** Webhooks of accounts, their preferences, and deliveries. */
import {randomBytes} from 'node:crypto';
import {sql, type SqlBool} from 'kysely';
import {MOST_DELIVERIES} from '../../contract/grammar/bounds.ts';
import type {Database} from '../database/database.ts';
import type {DeliveryRow, WebhookRow} from '../database/notification-tables.ts';
import {statement} from '../database/statement.ts';
import {writingOn} from '../database/writing.ts';

type NewEvent = {
	readonly accountId: number;
	/** `client:outbid`, and the slug after the colon. */
	readonly kind: string;
	readonly slug: string;
	readonly subject: string;
	readonly message: string;
	readonly at: number;
};

const findListening = statement<
	{accountId: number; kind: string},
	Pick<WebhookRow, 'id' | 'event_types'>
>((database, value) =>
	database
		.selectFrom('webhooks')
		.innerJoin('notification_preferences', join =>
			join
				.onRef('notification_preferences.account_id', '=', 'webhooks.account_id')
				.on('notification_preferences.kind', '=', value('kind'))
				.on('notification_preferences.channel', '=', 'webhooks')
				.on('notification_preferences.is_on', '=', 1),
		)
		.select(['webhooks.id', 'webhooks.event_types'])
		.where('webhooks.account_id', '=', value('accountId'))
		.where('webhooks.disabled_at', 'is', null)
		.where(
			sql<SqlBool>`(
				select count(*) from deliveries where deliveries.webhook_id = webhooks.id
			) < ${MOST_DELIVERIES}`,
		),
);

/** Queues an event for the account's webhooks of its kind. Call it in the event's transaction. */
export async function noteEvent(database: Database, event: NewEvent): Promise<void> {
	const {accountId, kind, slug, subject, message, at} = event;
	const webhooks = await findListening(database, {accountId, kind});
	const wanting = webhooks.filter(({event_types}) => readKinds(event_types).includes(kind));
	if (wanting.length === 0) return;
	const event_id = randomBytes(16).toString('hex');
	const waiting = {event_id, slug, subject, message, happened_at: at, due_at: at};
	await database
		.insertInto('deliveries')
		.values(wanting.map(({id}) => ({webhook_id: id, ...waiting})))
		.execute();
}

export function readKinds(eventTypes: string): readonly string[] {
	const kinds: unknown = JSON.parse(eventTypes);
	return Array.isArray(kinds) ? kinds.map(String) : [];
}

export type DueWebhook = {
	readonly webhookId: number;
	/** First account of the person whose it is: subaccounts and teams have the one above them. */
	readonly personId: number;
};

/** Webhooks with due deliveries, the longest waiting first. */
export async function dueWebhooks(database: Database, now: number): Promise<readonly DueWebhook[]> {
	const {rows} = await sql<DueWebhook>`
		with recursive due (webhook_id, due_at) as (
			select webhook_id, min(due_at) from deliveries where due_at <= ${now} group by webhook_id
		), above (webhook_id, due_at, id, next) as (
			select due.webhook_id, due.due_at, accounts.id, coalesce(parent_id, owner_id)
			from due join webhooks on webhooks.id = due.webhook_id
			join accounts on accounts.id = webhooks.account_id
			union all
			select above.webhook_id, above.due_at, accounts.id, coalesce(parent_id, owner_id)
			from above join accounts on accounts.id = above.next
		)
		select webhook_id as "webhookId", id as "personId" from above
		where next is null order by due_at, webhook_id`.execute(database);
	return rows;
}

export type Delivery = DeliveryRow & Pick<WebhookRow, 'account_id' | 'url' | 'secret'>;

type Claim = {
	readonly webhookId: number;
	readonly most: number;
	readonly now: number;
	/** Time of the next attempt if no result is written. */
	readonly again: number;
};

/** Claims due deliveries of a webhook, the oldest first, so that no other process sends them. */
export async function claimDeliveries(
	database: Database,
	{webhookId, most, now, again}: Claim,
): Promise<readonly Delivery[]> {
	return writingOn(database, {webhooks: [webhookId]}, async transaction => {
		const due = await transaction
			.selectFrom('deliveries')
			.innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
			.selectAll('deliveries')
			.select(['webhooks.account_id', 'webhooks.url', 'webhooks.secret'])
			.where('deliveries.webhook_id', '=', webhookId)
			.where('deliveries.due_at', '<=', now)
			.orderBy('deliveries.due_at')
			.orderBy('deliveries.happened_at')
			.limit(most)
			.execute();
		await transaction
			.updateTable('deliveries')
			.set(({eb}) => ({attempts: eb('attempts', '+', 1), due_at: again}))
			.where('webhook_id', '=', webhookId)
			.where(
				'event_id',
				'in',
				due.map(({event_id}) => event_id),
			)
			.execute();
		return due.map(delivery => ({...delivery, attempts: delivery.attempts + 1}));
	});
}

type Named = Pick<Delivery, 'webhook_id' | 'event_id'>;

export async function putOffDelivery(
	database: Database,
	{webhook_id, event_id}: Named,
	due: number,
): Promise<void> {
	await database
		.updateTable('deliveries')
		.set({due_at: due})
		.where('webhook_id', '=', webhook_id)
		.where('event_id', '=', event_id)
		.execute();
}

/** Failed events in a row after which a webhook is turned off. */
const MOST_FAILURES = 50;

/** Deletes a delivery that has succeeded or is given up. */
export async function endDelivery(
	database: Database,
	{webhook_id: webhookId, event_id: eventId}: Named,
	{isTaken, now}: {readonly isTaken: boolean; readonly now: number},
): Promise<void> {
	await writingOn(database, {webhooks: [webhookId]}, async transaction => {
		await transaction
			.deleteFrom('deliveries')
			.where('webhook_id', '=', webhookId)
			.where('event_id', '=', eventId)
			.execute();
		const changed = await transaction
			.updateTable('webhooks')
			.set(({eb}) => ({failures: isTaken ? 0 : eb('failures', '+', 1)}))
			.where('id', '=', webhookId)
			.$if(isTaken, query => query.where('failures', '>', 0))
			.returning('failures')
			.executeTakeFirst();
		if ((changed?.failures ?? 0) < MOST_FAILURES) return;
		await transaction
			.updateTable('webhooks')
			.set({disabled_at: now})
			.where('id', '=', webhookId)
			.execute();
		await forgetDeliveries(transaction, webhookId);
	});
}

async function forgetDeliveries(database: Database, webhookId: number): Promise<void> {
	await database.deleteFrom('deliveries').where('webhook_id', '=', webhookId).execute();
}

export type OfAccount = {readonly id: number; readonly accountId: number};

export async function findWebhooks(
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

/** Changes a webhook; undefined if it is not the account's. */
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

/** Deletes a webhook; false if there was none. Call it in a transaction. */
export async function deleteWebhookRow(
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
