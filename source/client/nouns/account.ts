import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import type {
	NotificationKind,
	Preferences,
	Webhook,
	WebhookWithSecret,
} from '../../contract/nouns/notifications.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';

const {account, notifications, operator, secrets} = contract;

export function accountCalls(call: CallEndpoint) {
	return {
		/** Addresses from which the account's keys called. */
		addresses: async (options?: CallOptions) =>
			call(account.addresses, {params: {user_id: 'me'}}, options),
	};
}

export function secretCalls(call: CallEndpoint) {
	return {
		delete: async (key: string, options?: CallOptions) =>
			call(secrets.delete, {body: {key}}, options),
	};
}

/** Calls of the market's operator, by an operator's key. */
export function operatorCalls(call: CallEndpoint) {
	return {
		/** A thousand accounts at most, behind one of them. */
		accounts: async (after: number | undefined, options?: CallOptions) =>
			call(operator.accounts, {query: {after}}, options),
		addKey: async (id: number, name: string, options?: CallOptions) =>
			call(operator.addKey, {params: {id}, body: {name}}, options),
		/** A thousand machines at most, behind one of them. */
		machines: async (after: number | undefined, options?: CallOptions) =>
			call(operator.machines, {query: {after}}, options),
	};
}

/** A webhook as it is asked for: the keys of `kinds`, and an address. */
type WebhookOrder = {
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
			const {notification_types, unreadable} = await call(notifications.kinds, {}, options);
			return {kinds: notification_types, unreadable};
		},
		/** Notification preferences of an account; only its own id is accepted. */
		async preferences(userId: number, options?: CallOptions): Promise<Preferences> {
			const reply = await call(
				notifications.preferences,
				{params: {user_id: String(userId)}},
				options,
			);
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
			return (await call(notifications.changePreferences, parts, options)).notification_preferences;
		},
		/** Its secret is in this answer alone. */
		createWebhook: async (order: WebhookOrder, options?: CallOptions): Promise<WebhookWithSecret> =>
			(await call(notifications.createWebhook, {body: order}, options)).webhook,
		changeWebhook: async (
			id: number,
			change: Partial<WebhookOrder>,
			options?: CallOptions,
		): Promise<Webhook> =>
			(await call(notifications.changeWebhook, {params: {id}, body: change}, options)).webhook,
		/** Another secret: the one before signs nothing from then on. */
		rotateSecret: async (id: number, options?: CallOptions): Promise<WebhookWithSecret> =>
			(await call(notifications.rotateSecret, {params: {id}}, options)).webhook,
	};
}
