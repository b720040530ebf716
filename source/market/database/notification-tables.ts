/** Tables of notifications: webhooks, their deliveries, and accounts' preferences. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {Channel} from '../../contract/nouns/notifications.ts';
import type {Flag} from './instance-tables.ts';

export type NotificationTables = {
	readonly webhooks: WebhooksTable;
	readonly notification_preferences: NotificationPreferencesTable;
	readonly deliveries: DeliveriesTable;
};

type WebhooksTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly url: string;
	readonly name: string | null;
	/** A JSON list of keys of kinds. */
	readonly event_types: string;
	/** Secret that signs deliveries, in clear: only its owner may read the database file. */
	readonly secret: string;
	readonly created_at: number;
	readonly updated_at: number;
	/** Count of failed events in a row. */
	readonly failures: Generated<number>;
	readonly disabled_at: number | null;
};

/** Preferences that accounts have set; all others are the default. */
type NotificationPreferencesTable = {
	readonly account_id: number;
	readonly kind: string;
	readonly channel: Channel;
	readonly is_on: Flag;
};

type DeliveriesTable = {
	readonly webhook_id: number;
	/** Id of the event, the same for all webhooks and attempts. */
	readonly event_id: string;
	readonly slug: string;
	readonly subject: string;
	readonly message: string;
	readonly happened_at: number;
	/** Count of attempts begun. */
	readonly attempts: Generated<number>;
	readonly due_at: number;
};

export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<DeliveriesTable>;
