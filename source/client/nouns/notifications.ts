import {contract} from '../../contract/index.ts';
import type {
	NotificationKind,
	Preferences,
	Webhook,
	WebhookWithSecret,
} from '../../contract/nouns/notifications.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const calls = contract.notifications;

/** A webhook as it is asked for: the keys of `kinds`, and an address. */
export type WebhookOrder = {
	readonly webhook_url: string;
	readonly event_types: string[];
	readonly name?: string | null | undefined;
};

/** Notifications: which ones an account gets, and where they are sent. */
export function notificationCalls(call: CallEndpoint) {
	return {
		async kinds(options?: CallOptions): Promise<{
			readonly kinds: readonly NotificationKind[];
			readonly unreadable: Unreadable;
		}> {
			const {notification_types, unreadable} = await call(calls.kinds, {}, options);
			return {kinds: notification_types, unreadable};
		},
		/** Notification preferences of an account; only its own id is accepted. */
		async preferences(userId: number, options?: CallOptions): Promise<Preferences> {
			const reply = await call(calls.preferences, {params: {user_id: String(userId)}}, options);
			return reply.notification_preferences;
		},
		/** Sets those that are named, and answers all of them. */
		async changePreferences(
			userId: number,
			preferences: Preferences,
			options?: CallOptions,
		): Promise<Preferences> {
			const parts = {
				params: {user_id: String(userId)},
				body: {notification_preferences: preferences},
			};
			return (await call(calls.changePreferences, parts, options)).notification_preferences;
		},
		/** Its secret is in this answer alone. */
		createWebhook: async (order: WebhookOrder, options?: CallOptions): Promise<WebhookWithSecret> =>
			(await call(calls.createWebhook, {body: order}, options)).webhook,
		changeWebhook: async (
			id: number,
			change: Partial<WebhookOrder>,
			options?: CallOptions,
		): Promise<Webhook> =>
			(await call(calls.changeWebhook, {params: {id}, body: change}, options)).webhook,
		/** Another secret: the one before signs nothing from then on. */
		rotateSecret: async (id: number, options?: CallOptions): Promise<WebhookWithSecret> =>
			(await call(calls.rotateSecret, {params: {id}}, options)).webhook,
	};
}
