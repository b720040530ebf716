/** Tables of accounts: keys, people, money, scheduled jobs and history. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {ChargeItem} from './instance-tables.ts';
import type {AccountKind} from '../base/api-key.ts';
import type {Frequency, JobKind} from '../../contract/nouns/scheduled-jobs.ts';

export type AccountTables = {
	readonly accounts: AccountsTable;
	readonly account_addresses: AccountAddressesTable;
	readonly account_changes: AccountChangesTable;
	readonly api_keys: ApiKeysTable;
	readonly checked_books: CheckedBooksTable;
	readonly entries: EntriesTable;
	readonly invitations: InvitationsTable;
	readonly payments: PaymentsTable;
	readonly postings: PostingsTable;
	readonly scheduled_jobs: ScheduledJobsTable;
	readonly team_members: TeamMembersTable;
	readonly team_roles: TeamRolesTable;
};

export type AccountsTable = {
	readonly id: GeneratedAlways<number>;
	readonly created_at: number;
	readonly email: Generated<string | null>;
	/** 1 if the email is proven to be the account's, by an invitation to it or by the operator. */
	readonly email_proven: Generated<number>;
	readonly username: Generated<string | null>;
	readonly fullname: Generated<string | null>;
	/** Spendable credit in micro-dollars. */
	readonly credit_micros: Generated<number>;
	/**
	 * Role of accounts that the market opens itself: its first one, and that of made-up machines.
	 */
	readonly role: Generated<'renter' | 'host' | 'member'>;
	readonly kind: Generated<AccountKind>;
	readonly closed_at: Generated<number | null>;
	/** Earnings in micro-dollars that are not paid out: the sum of their postings. */
	readonly earned_micros: Generated<number>;
	/** Posted unpaid use in micro-dollars: the sum of its postings. */
	readonly unpaid_micros: Generated<number>;
	/** Last day whose charges are posted. */
	readonly settled_day: Generated<number>;
	readonly parent_id: Generated<number | null>;
	/** The owner of a team: an account with an owner is a team. */
	readonly owner_id: Generated<number | null>;
	/** Salt and hash of the password that was set at sign-up. */
	readonly password: Generated<string | null>;
	/** JSON of further facts that the owner has set. */
	readonly details: Generated<string | null>;
	/** Count of changes of its machines' work. */
	readonly work_revision: Generated<number>;
};
export type AccountRow = Selectable<AccountsTable>;

type ApiKeysTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly name: string;
	/** SHA-256 of the key in hexadecimal: the key itself is not stored. */
	readonly hash: string;
	readonly last_four: string;
	/** Given permissions as JSON; null for everything. */
	readonly permissions: string | null;
	readonly created_at: number;
	readonly deleted_at: number | null;
	/** Instance of an instance's own key; null for the keys of people. */
	readonly instance_id: Generated<number | null>;
	/** Member of a team's key, which has the permissions of the member's role. */
	readonly member_id: Generated<number | null>;
	/** JSON of the key's own cap, and the key whose cap it shares; null for none. */
	readonly cap: Generated<string | null>;
	readonly capped_by: Generated<number | null>;
};

/** Roles of a team, initial ones included. */
type TeamRolesTable = {
	readonly id: GeneratedAlways<number>;
	readonly team_id: number;
	readonly name: string;
	/** Given permissions of the role as JSON; null for everything. */
	readonly permissions: string | null;
};
export type TeamRoleRow = Selectable<TeamRolesTable>;
export type TeamMembersTable = {
	readonly team_id: number;
	readonly account_id: number;
	readonly role_id: number;
	readonly joined_at: number;
};

/** Invitations to the market or to a team, used by their token. */
export type InvitationsTable = {
	readonly id: GeneratedAlways<number>;
	readonly token_hash: string;
	readonly team_id: Generated<number | null>;
	readonly role_id: Generated<number | null>;
	/** Address of the invited person; null for anybody. */
	readonly email: string | null;
	/** Account that is invited, by its number; null for anybody. */
	readonly account_id: Generated<number | null>;
	/** Key that invited to a team; null for those of the operator. */
	readonly key_id: Generated<number | null>;
	readonly kind: Generated<AccountKind | null>;
	readonly created_at: number;
	readonly expires_at: number;
	readonly used_at: Generated<number | null>;
};

/** Payments as an account sees them. Ledger entries have their other side. */
export type PaymentsTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly at: number;
	readonly amount_micros: number;
	readonly description: string;
	/** Kind of the payment: a payout is of earnings, all others of credit. */
	readonly kind: Generated<PaymentKind>;
	/** Maker of the payment: the operator, a payment service, or another account by a transfer. */
	readonly service: Generated<string>;
	/** The other side, as shown to the account. */
	readonly source: Generated<string | null>;
	readonly entry_id: Generated<number | null>;
};
export type PaymentKind = 'credit' | 'transfer' | 'payout' | 'reserved' | 'refund';
export type PaymentRow = Selectable<PaymentsTable>;

/** A payment, or a day's charges without the part paid ahead, with the credit after it. */
export type BalancedInvoice = {
	readonly at: number;
	readonly id: number;
	readonly service: string;
	readonly description: string | null;
	/** Micro-dollars, negative for a charge. */
	readonly micros: number;
	/** Credit after the payment or day. */
	readonly balance: number;
	readonly kind: PaymentKind | 'usage';
};

export type SourceFacts = {
	readonly name?: string;
	readonly label?: string;
	readonly template_id?: number;
	readonly gpu_name?: string;
};

/** An entry of the ledger, whose postings sum to zero. */
export type EntriesTable = {
	readonly id: GeneratedAlways<number>;
	readonly kind: PaymentKind | 'usage';
	readonly at: number;
	/** Charged account of usage. */
	readonly account_id: number | null;
	/** Day of usage, all of which is in this entry. */
	readonly day: number | null;
	/** Unique name of the entry, so that no payment is entered twice. */
	readonly reference: string | null;
};

/**
 * Books of an account: credit for renting, deposits paid ahead for instances, earnings of a
 * provider, and unpaid use, which the renter owes and no provider has earned yet. The market
 * (account 0) has its share; `outside` is where money enters and leaves.
 */
type Book = 'credit' | 'deposit' | 'earnings' | 'unpaid' | 'share' | 'outside';

/** Postings, which are never changed or deleted. */
type PostingsTable = {
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
 * Checked sums, so that a check reads only later rows: of a book's postings up to one of them, or of
 * entries up to one, which sum to zero.
 */
type CheckedBooksTable = {
	readonly account_id: number;
	readonly book: Book | 'entries';
	readonly through: number;
	readonly micros: number;
};

/** The market's own id in the ledger, which no account has. */
export const MARKET = 0;

export type Posting = {
	readonly account: number;
	readonly book: Book;
	readonly micros: number;
	readonly machineId?: number | null;
	readonly item?: PostingsTable['item'] | undefined;
};

/** Cost of a renter's use of a machine on a day. */
export type Used = {
	/** Account of the machine's provider. */
	readonly provider: number;
	readonly machineId: number;
	readonly item: ChargeItem;
	readonly micros: number;
	readonly prepaid?: number;
};

/** Unpaid use; without a machine it is owed to the market. */
export type UnpaidUse = Pick<Posting, 'item'> & {
	readonly provider: number | null;
	readonly machineId: number | null;
	readonly micros: number;
};

/** Changes by keys of accounts, refused ones included. */
export type AccountChangesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** Member of a team whose key made the change. */
	readonly member_id: number | null;
	readonly key_id: number | null;
	/** Address of the caller; empty for a scheduled call, which the market made itself. */
	readonly address: string;
	readonly at: number;
	/** Method and path. */
	readonly route: string;
	/** JSON without possible secrets. */
	readonly arguments: string;
	readonly status: number;
};
export type AccountChangeRow = Selectable<AccountChangesTable>;

type AccountAddressesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly address: string;
	readonly first_at: number;
	/** Time of the last call, to the hour. */
	readonly last_at: number;
};
export type AccountAddressRow = Selectable<AccountAddressesTable>;

/** Scheduled calls about instances, at times in UTC. */
export type ScheduledJobsTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** Key that made the job, with which it runs. */
	readonly key_id: number;
	readonly instance_id: number;
	/** Kind of the call; an instance has at most one job of each. */
	readonly kind: JobKind;
	readonly api_endpoint: string;
	readonly request_method: string;
	/** Given arguments as JSON. */
	readonly request_body: string;
	readonly start_at: number;
	readonly end_at: number;
	/** Day of the week from Sunday, 0; null for all days. */
	readonly day: number | null;
	readonly hour: number | null;
	readonly minute: number;
	readonly frequency: Frequency;
	/** Time of the next run; null for an ended job. */
	readonly next_at: number | null;
	readonly last_at: number | null;
	readonly last_result: string | null;
};
export type ScheduledJobRow = Selectable<ScheduledJobsTable>;
