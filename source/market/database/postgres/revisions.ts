/**
 * Revisions of work, from one sequence, so that writers need no lock on a host's row. Revisions are
 * not committed in order, so a reader waits for writers that drew earlier ones.
 */
import {setTimeout as sleep} from 'node:timers/promises';
import {sql, type Kysely} from 'kysely';
import type {Tables} from '../schema.ts';

type Database = Kysely<Tables>;

type WorkTable = {
	[Name in keyof Tables]: 'revision' | 'host_account_id' extends keyof Tables[Name] ? Name : never;
}[keyof Tables];

/** Tables of work, with the condition for rows that hosts get. */
const conditions: Readonly<Record<WorkTable, string>> = {
	instances: 'true',
	volumes: 'true',
	tasks: 'answer is null',
	copies: 'true',
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the tables
export const workTables = Object.keys(conditions) as readonly WorkTable[];

/** Shared locks by host of writers that drew a number, which readers see without waiting. */
const DRAWN = 0x52_4e_57_4b;

const WAIT_MS = 3;

/** Makes the sequence, which begins after all present numbers. Call it in a transaction. */
export async function createRevisions(database: Database): Promise<void> {
	await sql`create sequence if not exists work_revisions`.execute(database);
	await sql`
		select setval('work_revisions', greatest(
			(select last_value from work_revisions),
			(select max(work_revision) from accounts),
			${sql.join(workTables.map(name => sql`(select max(revision) from ${sql.table(name)})`))},
			(select max(source_revision) from copies)
		))`.execute(database);
}

/** Next number, for one change of a host's work. */
export async function drawRevision(transaction: Database, accountId: number): Promise<number> {
	const {rows} = await sql<{readonly revision: number}>`
		with drawn as materialized (select pg_advisory_xact_lock_shared(${DRAWN}, ${lockOf(accountId)}))
		select nextval('work_revisions') as revision from drawn`.execute(transaction);
	return rows[0]?.revision ?? 0;
}

/** Last revision of a host's work up to which everything is committed; at least the host's own. */
export async function settledRevision(
	database: Database,
	accountId: number,
	after: number,
): Promise<number> {
	// Read the number first: revisions drawn later do not matter to this reader.
	const {rows} = await sql<{readonly last: number; readonly drawing: readonly string[]}>`
		with known as materialized (select last_value as last from work_revisions)
		select last, array(${drawing(accountId)}) as drawing from known`.execute(database);
	const {last = 0, drawing: others = []} = rows[0] ?? {};
	await ended(database, accountId, others);
	const parts = workTables.map(
		name => sql`
			select max(revision) as revision from ${sql.table(name)}
			where host_account_id = ${accountId} and revision <= ${last}
				and ${sql.raw(conditions[name])}`,
	);
	const doors = sql`
			select max(source_revision) as revision from copies
			where source_host_account_id = ${accountId} and source_revision <= ${last}`;
	const {rows: found} = await sql<{readonly revision: number | null}>`
		select max(revision) as revision from (${sql.join([...parts, doors], sql` union all `)}) as revisions
	`.execute(database);
	const revision = found[0]?.revision ?? 0;
	// A host that is ahead got its number from an earlier market.
	return after > last ? revision : Math.max(revision, after);
}

/** Waits until transactions have ended, without waiting for new ones. */
async function ended(
	database: Database,
	accountId: number,
	transactions: readonly string[],
): Promise<void> {
	let left = new Set(transactions);
	while (left.size > 0) {
		await sleep(WAIT_MS);
		const {rows} = await drawing(accountId).execute(database);
		left = left.intersection(new Set(rows.map(({name}) => name)));
	}
}

function drawing(accountId: number) {
	return sql<{readonly name: string}>`
		select virtualtransaction as name from pg_locks
		where locktype = 'advisory' and classid = ${DRAWN} and objid = ${lockOf(accountId)}
			and database = (select oid from pg_database where datname = current_database())`;
}

/** Lock number of an account; accounts with the same one wait for each other. */
function lockOf(accountId: number): number {
	return accountId % 2 ** 31;
}
