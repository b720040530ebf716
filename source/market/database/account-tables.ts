/** Tables of accounts: keys, people and money, jobs that they schedule, and what they are told. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {ChargeItem, Flag} from './instance-tables.ts';
import type {AccountKind} from '../base/api-key.ts';
import type {Frequency, JobKind} from '../../contract/nouns/scheduled-jobs.ts';
import type {Channel} from '../../contract/nouns/notifications.ts';

/** Whoever rents, offers machines, owes money or runs the market. */
export type AccountsTable = {
	readonly id: GeneratedAlways<number>;
	readonly created_at: number;
	readonly email: Generated<string | null>;
	/** Number 1 where the email was shown to be the account's: by an invitation to it, or by the operator. */
	readonly email_proven: Generated<number>;
	readonly username: Generated<string | null>;
	readonly fullname: Generated<string | null>;
	/** Spendable credit in micro-dollars. */
	readonly credit_micros: Generated<number>;
	/** Accounts that the market opens itself: its first one, and that of made-up machines. */
	readonly role: Generated<'renter' | 'host' | 'member'>;
	readonly kind: Generated<AccountKind>;
	readonly closed_at: Generated<number | null>;
	/** Earnings in micro-dollars that are not paid out: the sum of their postings. */
	readonly earned_micros: Generated<number>;
	/** Posted use that nobody has paid for, in micro-dollars: the sum of its postings. */
	readonly unpaid_micros: Generated<number>;
	/** Charges until the end of this day are posted, and no others. */
	readonly settled_day: Generated<number>;
	/** The account of which it is a subaccount. */
	readonly parent_id: Generated<number | null>;
	/** The owner of a team: an account with an owner is a team. */
	readonly owner_id: Generated<number | null>;
	/** Salt and hash of the password, of which only sign-up knows. */
	readonly password: Generated<string | null>;
	/** JSON: what its owner has set about it beside the columns. */
	readonly details: Generated<string | null>;
	/** Counts the changes of the work that its machines have. */
	readonly work_revision: Generated<number>;
};
export type AccountRow = Selectable<AccountsTable>;

export type ApiKeysTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly name: string;
	/** SHA-256 of the key, in hexadecimal: the key itself is kept nowhere. */
	readonly hash: string;
	readonly last_four: string;
	/** JSON, as it was given; null where the key may do everything. */
	readonly permissions: string | null;
	readonly created_at: number;
	readonly deleted_at: number | null;
	/** The instance whose own key it is; null for the keys of people. */
	readonly instance_id: Generated<number | null>;
	/** The member whose key of a team it is: it does what the member's role does, and no more. */
	readonly member_id: Generated<number | null>;
};

/** Roles of a team. Those that it begins with are rows like the others. */
export type TeamRolesTable = {
	readonly id: GeneratedAlways<number>;
	readonly team_id: number;
	readonly name: string;
	/** JSON, as it was given; null for everything. */
	readonly permissions: string | null;
};
export type TeamRoleRow = Selectable<TeamRolesTable>;

export type TeamMembersTable = {
	readonly team_id: number;
	readonly account_id: number;
	readonly role_id: number;
	readonly joined_at: number;
};

/** Invitations to the market, or to a team: what they promise goes to who has their word. */
export type InvitationsTable = {
	readonly id: GeneratedAlways<number>;
	readonly token_hash: string;
	readonly team_id: Generated<number | null>;
	readonly role_id: Generated<number | null>;
	/** Address of the invited person; null for anybody. */
	readonly email: string | null;
	readonly kind: Generated<AccountKind | null>;
	readonly created_at: number;
	readonly expires_at: number;
	readonly used_at: Generated<number | null>;
};

/** Payments as an account sees them. Their entries hold where the money comes from. */
export type PaymentsTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly at: number;
	readonly amount_micros: number;
	readonly description: string;
	/** A payout is of earnings; all others are of credit. */
	readonly kind: Generated<PaymentKind>;
	/** Maker of the payment: the operator, a payment service, or another account by a transfer. */
	readonly service: Generated<string>;
	/** The other side, as its account is shown it. */
	readonly source: Generated<string | null>;
	readonly entry_id: Generated<number | null>;
};
export type PaymentKind = 'credit' | 'transfer' | 'payout' | 'reserved' | 'refund';
export type PaymentRow = Selectable<PaymentsTable>;

/** A payment, or the charges of a day less what was paid ahead, and the credit with it. */
export type BalancedInvoice = {
	readonly at: number;
	readonly id: number;
	readonly service: string;
	readonly description: string | null;
	/** Less than nothing where it was taken. */
	readonly micros: number;
	/** Credit after it. */
	readonly balance: number;
	readonly kind: PaymentKind | 'usage';
};

/** What is known of what is charged for: its name, its label, and the template that it was made of. */
export type SourceFacts = {
	readonly name?: string;
	readonly label?: string;
	readonly template_id?: number;
};

/** An entry of the ledger: its postings come to nothing together. */
export type EntriesTable = {
	readonly id: GeneratedAlways<number>;
	readonly kind: PaymentKind | 'usage';
	readonly at: number;
	/** For usage: who is charged. */
	readonly account_id: number | null;
	/** For usage: the day that it is all of. */
	readonly day: number | null;
	/** Name that no other entry has, so that nothing is entered twice. */
	readonly reference: string | null;
};

/**
 * Books of an account: credit is for renting, deposits are paid ahead for instances, earnings are a
 * provider's, and unpaid is what a renter used and owes, which nobody has earned yet. The market
 * (account 0) has its share, and the outside, where money comes from and goes to.
 */
type Book = 'credit' | 'deposit' | 'earnings' | 'unpaid' | 'share' | 'outside';

/** Postings are only ever added. */
export type PostingsTable = {
	readonly id: GeneratedAlways<number>;
	readonly entry_id: number;
	readonly account_id: number;
	readonly book: Book;
	readonly day: number;
	readonly machine_id: number | null;
	/** Used item of a machine, the market's share, or use by the machine's owner. */
	readonly item: ChargeItem | 'share' | 'own' | null;
	readonly micros: number;
};

/**
 * Sums that were checked, so that a look need not read what they are of: of the postings of a book
 * until one of them, or of the entries until one, which come to nothing.
 */
export type CheckedBooksTable = {
	readonly account_id: number;
	readonly book: Book | 'entries';
	readonly through: number;
	readonly micros: number;
};

/** The market's own number in the ledger: no account has it. */
export const MARKET = 0;

export type Posting = {
	readonly account: number;
	readonly book: Book;
	readonly micros: number;
	readonly machineId?: number | null;
	readonly item?: PostingsTable['item'] | undefined;
};

/** Cost of what a renter used of a machine on a day. */
export type Used = {
	/** The account of its provider. */
	readonly provider: number;
	readonly machineId: number;
	readonly item: ChargeItem;
	readonly micros: number;
	/** The part of it that was paid ahead. */
	readonly prepaid?: number;
};

/** Use that nobody has paid for; without a machine it is owed to the market. */
export type UnpaidUse = Pick<Posting, 'item'> & {
	readonly provider: number | null;
	readonly machineId: number | null;
	readonly micros: number;
};

/** Changes that keys of accounts made, or tried to make. */
export type AccountChangesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** The member of a team whose key it was. */
	readonly member_id: number | null;
	readonly key_id: number | null;
	/** Nothing where the market made a call that was scheduled. */
	readonly address: string;
	readonly at: number;
	/** Method and path. */
	readonly route: string;
	/** JSON without anything that may be secret. */
	readonly arguments: string;
	/** Status of the answer. */
	readonly status: number;
};
export type AccountChangeRow = Selectable<AccountChangesTable>;

/** Addresses that keys of accounts called from. */
export type AccountAddressesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly address: string;
	readonly first_at: number;
	/** To the hour. */
	readonly last_at: number;
};
export type AccountAddressRow = Selectable<AccountAddressesTable>;

/** Calls about instances that are made at set times, in UTC. */
export type ScheduledJobsTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** The key that made it, with which it runs. */
	readonly key_id: number;
	readonly instance_id: number;
	/** The call that it makes: an instance has one job for each. */
	readonly kind: JobKind;
	readonly api_endpoint: string;
	readonly request_method: string;
	/** JSON, as it was given. */
	readonly request_body: string;
	readonly start_at: number;
	readonly end_at: number;
	/** Sunday is 0; null where it runs on all days. */
	readonly day: number | null;
	readonly hour: number | null;
	readonly minute: number;
	readonly frequency: Frequency;
	/** Null once it has ended. */
	readonly next_at: number | null;
	readonly last_at: number | null;
	readonly last_result: string | null;
};
export type ScheduledJobRow = Selectable<ScheduledJobsTable>;

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
	/** Signs what is sent. The file that holds it is for its owner alone. */
	readonly secret: string;
	readonly created_at: number;
	readonly updated_at: number;
	/** Events in a row that were not taken. */
	readonly failures: Generated<number>;
	/** Since when it is told nothing. */
	readonly disabled_at: number | null;
};

/** Preferences that accounts have set; all others are the default. */
type NotificationPreferencesTable = {
	readonly account_id: number;
	readonly kind: string;
	readonly channel: Channel;
	readonly is_on: Flag;
};

/** An event on its way to a webhook. */
type DeliveriesTable = {
	readonly webhook_id: number;
	/** The same for all webhooks and in all attempts. */
	readonly event_id: string;
	readonly slug: string;
	readonly subject: string;
	readonly message: string;
	readonly happened_at: number;
	/** Those that were begun. */
	readonly attempts: Generated<number>;
	readonly due_at: number;
};

export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<DeliveriesTable>;
