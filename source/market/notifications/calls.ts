import {randomBytes} from 'node:crypto';
import type {Contract} from '../../contract/index.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {accountNamed} from '../ledger/accounts-store.ts';
import {Refusal} from '../base/refusal.ts';
import * as rules from './rules.ts';
import type {Preference} from './rules.ts';
import type {Database} from '../database/database.ts';
import {readKinds} from './store.ts';
import * as store from './store.ts';
import type {WebhookRow} from '../database/notification-tables.ts';
import {formatEventBody} from './deliveries.ts';
import type {Context, Handler} from '../http/handler.ts';
import {writing, writingOn} from '../database/writing.ts';
import type {Poster} from './posting.ts';

type Calls = Contract['notifications'];

type Needs = {readonly poster: Poster};
type Called = Context<Calls['webhooks']>;

export const kinds: Handler<Calls['kinds']> = () => ({
	success: true,
	notification_types: [...rules.kinds],
});

export const preferences: Handler<Calls['preferences']> = async ({params}, context) => {
	const {caller, database} = context;
	return shown(database, await accountNamed(database, params.user_id, caller.accountId));
};

export const changePreferences: Handler<Calls['changePreferences']> = async (request, context) => {
	const {caller, database} = context;
	const {accountId} = caller;
	if ((await accountNamed(database, request.params.user_id, accountId)) !== accountId) {
		throw new Refusal('lacksPermission', 'An account changes its own preferences alone.');
	}
	const wanted = rules.parsePreferences(request.body.notification_preferences);
	return writing(database, async transaction => {
		await store.writePreferences(transaction, accountId, wanted);
		return shown(transaction, accountId);
	});
};

async function shown(database: Database, accountId: number) {
	const set = await store.readPreferences(database, accountId);
	return {success: true, notification_preferences: rules.shownPreferences(set)};
}

export const webhooks: Handler<Calls['webhooks']> = async (_, {database, caller}) => ({
	success: true,
	webhooks: (await store.findWebhooks(database, caller.accountId)).map(recordOf),
});

export const createWebhook: Handler<Calls['createWebhook'], Needs> = async ({body}, context) => {
	const {database, caller, clock} = context;
	const {accountId} = caller;
	const {kept, unknown} = rules.partKinds(body.event_types);
	const event_types = JSON.stringify(kept);
	refuseAddress(body.webhook_url, context);
	return writing(database, async transaction => {
		const {webhook_url: url, name = null} = body;
		const made = {account_id: accountId, url, name, event_types, secret: newSecret()};
		const now = clock.now();
		const row = await store.insertWebhook(transaction, made, now);
		await refuseTooMany(transaction, 'webhook', {accountId, now});
		return {
			success: true,
			webhook: {...recordOf(row), webhook_secret: row.secret},
			enabled_notification_preferences: await switchOn(transaction, row),
			...leftOut(unknown),
		};
	});
};

export const changeWebhook: Handler<Calls['changeWebhook'], Needs> = async (request, context) => {
	const {webhook_url: url, event_types: kindsWanted, name} = request.body;
	const {database, clock} = context;
	if (url !== undefined) refuseAddress(url, context);
	const wanted = kindsWanted && rules.partKinds(kindsWanted);
	const change = {
		...(url !== undefined && {url}),
		...(name !== undefined && {name}),
		...(wanted !== undefined && {event_types: JSON.stringify(wanted.kept)}),
		// A change of a webhook turns its deliveries on again.
		failures: 0,
		disabled_at: null,
		updated_at: clock.now(),
	};
	return writing(database, async transaction => {
		const row = await store.updateWebhook(transaction, ofCaller(request.params, context), change);
		if (row === undefined) throw unknownWebhook();
		const enabled = wanted === undefined ? [] : await switchOn(transaction, row);
		return {
			success: true,
			webhook: recordOf(row),
			enabled_notification_preferences: enabled,
			...leftOut(wanted?.unknown ?? []),
		};
	});
};

export const deleteWebhook: Handler<Calls['deleteWebhook'], Needs> = async ({params}, context) => {
	const isDeleted = await writing(context.database, async transaction =>
		store.deleteWebhookRow(transaction, ofCaller(params, context)),
	);
	if (!isDeleted) throw unknownWebhook();
	return {success: true, msg: 'The webhook was deleted.'};
};

export const rotateSecret: Handler<Calls['rotateSecret'], Needs> = async ({params}, context) => {
	const change = {secret: newSecret(), updated_at: context.clock.now()};
	const held = {webhooks: [params.id]};
	const row = await writingOn(context.database, held, async transaction =>
		store.updateWebhook(transaction, ofCaller(params, context), change),
	);
	if (row === undefined) throw unknownWebhook();
	return {success: true, webhook: {...recordOf(row), webhook_secret: row.secret}};
};

export const testWebhook: Handler<Calls['testWebhook'], Needs> = async ({params}, context) => {
	const {database, clock, poster, signal} = context;
	const row = await store.findWebhook(database, ofCaller(params, context));
	if (row === undefined) throw unknownWebhook();
	const eventId = randomBytes(16).toString('hex');
	const now = clock.now();
	const body = formatEventBody({
		eventId,
		accountId: row.account_id,
		slug: 'webhook_test',
		at: now,
		subject: 'A test',
		message: 'Somebody has asked for a test of this webhook.',
	});
	const {url, secret} = row;
	const problem = await poster.post({url, secret, body, eventId, attempt: 1, now, signal});
	if (problem !== undefined) {
		throw new Refusal('webhookFailed', `The webhook did not take it: ${problem.why}.`);
	}
	return {success: true, msg: 'Test webhook delivered'};
};

function ofCaller({id}: {readonly id: number}, {caller: {accountId}}: Pick<Called, 'caller'>) {
	return {id, accountId};
}

/** Lists the requested kinds that do not exist, which the webhook will not receive. */
function leftOut(unknown: readonly string[]) {
	if (unknown.length === 0) return {};
	const msg = `Left out, for there are no such kinds of events: ${unknown.join(', ')}.`;
	return {unknown_event_types: [...unknown], msg};
}

function refuseAddress(url: string, {poster}: Needs): void {
	const why = poster.objection(url);
	if (why !== undefined) throw new Refusal('badArguments', `webhook_url: ${why}.`);
}

/** Turns on the webhook channel for a webhook's kinds, and returns the kinds that were off. */
async function switchOn(database: Database, row: WebhookRow): Promise<string[]> {
	const set = await store.readPreferences(database, row.account_id);
	const isOn = (kind: string) =>
		set.some(one => one.kind === kind && one.channel === 'webhooks' && one.isOn);
	const off = readKinds(row.event_types).filter(kind => !isOn(kind));
	const wanted = off.map((kind): Preference => ({kind, channel: 'webhooks', isOn: true}));
	await store.writePreferences(database, row.account_id, wanted);
	return off;
}

function unknownWebhook(): Refusal {
	return new Refusal('noSuchWebhook', 'Webhook not found.');
}

function newSecret(): string {
	return `whsec_${randomBytes(32).toString('hex')}`;
}

function recordOf(row: WebhookRow) {
	const {id, account_id: user_id, name, url, created_at, updated_at, disabled_at} = row;
	const event_types = [...readKinds(row.event_types)];
	return {id, user_id, name, webhook_url: url, event_types, created_at, updated_at, disabled_at};
}
