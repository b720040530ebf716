/** Counts of accounts' records, by kind. */
import {sql} from 'kysely';
import type {CreatedKind} from '../../contract/grammar/bounds.ts';
import type {Database} from '../database/database.ts';
import type {Tables} from '../database/schema.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Place = {
	readonly table: keyof Tables;
	/** Column of the account. */
	readonly account?: string;
	/** Column of the instance or machine. */
	readonly at?: string;
	/** Condition for rows of this kind. */
	readonly only?: string;
	/** Condition for present rows, and the column of their end. */
	readonly present?: string;
	readonly until?: string;
	/**
	 * Column of the creation time, of kinds that keep rows; others are counted as they are created.
	 */
	readonly made?: string;
};

const byAccount = {account: 'account_id'};
const created = {made: 'created_at'};
const undeleted = 'deleted_at is null';

const places: Readonly<Record<CreatedKind, Place>> = {
	apiKey: {
		table: 'api_keys',
		...byAccount,
		only: 'instance_id is null',
		present: undeleted,
		...created,
	},
	copy: {table: 'copies', ...byAccount, present: 'ended_at is null'},
	instance: {table: 'instances', ...byAccount, present: 'destroyed_at is null'},
	instanceKey: {
		table: 'ssh_keys',
		...byAccount,
		at: 'instance_id',
		present: undeleted,
		...created,
	},
	invitation: {
		table: 'invitations',
		account: 'team_id',
		present: 'used_at is null',
		until: 'expires_at',
		...created,
	},
	machine: {table: 'machines', ...byAccount},
	machineReport: {table: 'machine_reports', ...byAccount, at: 'machine_id', ...created},
	machineTest: {
		table: 'machine_tests',
		at: 'machine_id',
		only: "reason = 'asked'",
		made: 'started_at',
	},
	maintenance: {table: 'maintenance', at: 'machine_id', until: 'end_at'},
	member: {table: 'team_members', account: 'team_id'},
	question: {table: 'tasks', at: 'instance_id'},
	role: {table: 'team_roles', account: 'team_id'},
	scheduledJob: {table: 'scheduled_jobs', ...byAccount},
	secret: {table: 'secrets', ...byAccount},
	sshKey: {
		table: 'ssh_keys',
		...byAccount,
		only: 'instance_id is null',
		present: undeleted,
		...created,
	},
	subaccount: {table: 'accounts', account: 'parent_id', present: 'closed_at is null', ...created},
	team: {table: 'accounts', account: 'owner_id', present: 'closed_at is null', ...created},
	template: {table: 'templates', account: 'creator_id', present: undeleted, ...created},
	volume: {table: 'volumes', ...byAccount, present: 'destroyed_at is null'},
	webhook: {table: 'webhooks', ...byAccount},
};

type Whose = {
	readonly accountIds: readonly number[];
	readonly at: number | undefined;
};

export async function countPresent(
	database: Database,
	kind: CreatedKind,
	whose: Whose,
	now: number,
): Promise<number> {
	const {present, until} = places[kind];
	return count(database, kind, whose, [
		...(present === undefined ? [] : [sql.raw(present)]),
		...(until === undefined ? [] : [sql`${sql.ref(until)} > ${now}`]),
	]);
}

/** Counts the records of a kind created within a day, including the newest and deleted ones. */
export async function countMade(
	database: Database,
	kind: CreatedKind,
	whose: Whose,
	now: number,
): Promise<number> {
	const {made} = places[kind];
	if (made === undefined) return tally(database, kind, whose.at ?? whose.accountIds[0] ?? 0, now);
	return count(database, kind, whose, [sql`${sql.ref(made)} > ${now - DAY}`]);
}

/** Counts one more; the count restarts a day after its first one. */
async function tally(
	database: Database,
	kind: CreatedKind,
	holder: number,
	now: number,
): Promise<number> {
	const isOver = sql`tallies.since <= ${now - DAY}`;
	const {rows} = await sql<{readonly count: number}>`
		insert into tallies (kind, holder, since, count) values (${kind}, ${holder}, ${now}, 1)
		on conflict (kind, holder) do update set
			since = case when ${isOver} then excluded.since else tallies.since end,
			count = case when ${isOver} then 1 else tallies.count + 1 end
		returning count`.execute(database);
	return rows[0]?.count ?? 0;
}

async function count(
	database: Database,
	kind: CreatedKind,
	{accountIds, at}: Whose,
	conditions: readonly unknown[],
): Promise<number> {
	const {table, account, at: place, only} = places[kind];
	const all = [
		...(account === undefined ? [] : [sql`${sql.ref(account)} in (${sql.join(accountIds)})`]),
		...(place === undefined ? [] : [sql`${sql.ref(place)} = ${at}`]),
		...(only === undefined ? [] : [sql.raw(only)]),
		...conditions,
	];
	const {rows} = await sql<{count: number}>`
		select count(*) as count from ${sql.table(table)} where ${sql.join(all, sql` and `)}`.execute(
		database,
	);
	return rows[0]?.count ?? 0;
}
