/** Notifications that the service sends: kinds, preferences, and signed webhooks. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {id, instant, pathUser, text, pathWithId} from '../grammar/values.ts';

export const channels = ['email', 'webhooks'] as const;

export type Channel = (typeof channels)[number];

const preferences = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.boolean())));

/** On or off, by context, slug and channel. */
export type Preferences = z.output<typeof preferences>;

const kind = tolerant(
	/** `client:outbid`: its context and its slug. */
	{key: z.string()},
	{
		slug: z.string(),
		context: z.string(),
		topic: z.string(),
		category: z.string(),
		display_name: z.string(),
		default_preferences: z.record(z.string(), z.boolean()),
		mandatory_email: z.boolean(),
	},
);

export type NotificationKind = z.output<typeof kind>;

const webhookFields = {
	user_id: id,
	name: z.string(),
	webhook_url: z.string(),
	/** Keys of kinds. */
	event_types: z.array(z.string()),
	created_at: instant,
	updated_at: instant,
	/** Time at which deliveries were turned off, after too many had failed. */
	disabled_at: instant,
};

const webhook = tolerant({id}, webhookFields);

export type Webhook = z.output<typeof webhook>;

/** A webhook with the secret that signs its deliveries, which is shown once. */
const webhookWithSecret = tolerant({id, webhook_secret: z.string()}, webhookFields);

const enabled = {
	/** Kinds whose webhooks were off before. */
	enabled_notification_preferences: z.optional(z.array(z.string())),
	/**
	 * Kinds that were left out, because the service does not have these keys; and a sentence that
	 * names them.
	 */
	unknown_event_types: z.optional(z.array(z.string())),
	msg: z.nullish(z.string()),
};

const fields = {
	webhook_url: text(2048).check(
		z.refine(value => URL.canParse(value), 'must be an address that begins with https://'),
	),
	event_types: z
		.array(z.string('must be text'), 'must be a list of keys')
		.check(z.minLength(1, 'must have at least one key'), z.maxLength(100, 'is too long')),
	name: z.optional(
		z.nullable(
			text(120).check(
				z.refine(value => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value), {
					error: 'must have no control characters',
				}),
			),
		),
	),
};

const done = z.looseObject({success: z.boolean()});
const preferencesReply = z.looseObject({notification_preferences: preferences});

export const kinds = endpoint({
	method: 'GET',
	path: '/api/v0/notification-types/',
	summary: 'List the kinds of events that the service tells of',
	replies: {
		200: listReply(z.looseObject({notification_types: z.array(kind)}), {
			name: 'notification_types',
			record: kind,
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 1,
});

export const showPreferences = endpoint({
	method: 'GET',
	path: '/api/v0/users/{user_id}/notification-prefs/',
	summary: 'Show which kinds of events are sent by which channel',
	params: pathUser,
	replies: {200: preferencesReply, ...recordRefusals},
	permission: 'user_read',
	thresholdSeconds: 1,
});

export const changePreferences = endpoint({
	method: 'PUT',
	path: '/api/v0/users/{user_id}/notification-prefs/',
	summary: 'Change which kinds of events are sent; those that are not named stay',
	params: pathUser,
	body: z.object({notification_preferences: preferences}),
	replies: {200: preferencesReply, ...recordRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
});

export const listWebhooks = endpoint({
	method: 'GET',
	path: '/api/v0/webhooks/',
	summary: 'List the webhooks of the account',
	replies: {
		200: listReply(z.looseObject({webhooks: z.array(webhook)}), {
			name: 'webhooks',
			record: webhook,
			hasIds: true,
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 1,
});

export const createWebhook = endpoint({
	method: 'POST',
	path: '/api/v0/webhooks/',
	summary: 'Have events sent to an address; the secret that signs them is shown once',
	makes: ['webhook'],
	body: z.object(fields),
	replies: {200: z.looseObject({webhook: webhookWithSecret, ...enabled}), ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
});

export const changeWebhook = endpoint({
	method: 'PUT',
	path: '/api/v0/webhooks/{id}/',
	summary: 'Change the address, the kinds or the name of a webhook',
	params: pathWithId,
	body: z.partial(z.object(fields)),
	same: {'params.id': 'webhook.id'},
	replies: {200: z.looseObject({webhook, ...enabled}), ...recordRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
});

export const deleteWebhook = endpoint({
	method: 'DELETE',
	path: '/api/v0/webhooks/{id}/',
	summary: 'Delete a webhook, and what waits for it',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'user_write',
	thresholdSeconds: 1,
});

export const rotateSecret = endpoint({
	method: 'POST',
	path: '/api/v0/webhooks/{id}/rotate-secret/',
	summary: 'Give a webhook another secret: the one before signs nothing from then on',
	params: pathWithId,
	same: {'params.id': 'webhook.id'},
	replies: {200: z.looseObject({webhook: webhookWithSecret}), ...recordRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
});

export const testWebhook = endpoint({
	method: 'POST',
	path: '/api/v0/webhooks/{id}/test/',
	summary: 'Send an event to a webhook now, once, and say whether it was taken',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'user_write',
	thresholdSeconds: 3,
});
