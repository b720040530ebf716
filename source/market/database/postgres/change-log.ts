/**
 * Change log of all processes, row by row. Triggers write it in the same transaction, so that no change
 * is missed when a process is killed. Readers compare snapshots: changes visible in one and not in
 * the one before were committed in between.
 */
import {CompiledQuery, type Kysely} from 'kysely';
import {notedRows, type NoteChange, type NotedRow, type ChangeFeed} from '../changes.ts';
import type {Tables} from '../schema.ts';
import type {Client, Pool} from './connections.ts';
import {workTables} from './revisions.ts';

/** Noted rows, with work, for which hosts wait in any process. */
const rows: readonly NotedRow[] = [
	...notedRows,
	...workTables.flatMap((table): readonly NotedRow[] => [
		[`insert on ${table}`, 'work', 'new.host_account_id'],
		[`update of revision on ${table}`, 'work', 'new.host_account_id'],
	]),
	['update of source_revision on copies', 'work', 'new.source_host_account_id'],
];

function statementsOf(): readonly string[] {
	return [
		// A crash empties an unlogged table, after which everything is read again anyway.
		`create unlogged table if not exists changes (
			tx xid8 not null, noted text not null, id bigint not null, primary key (tx, noted, id)
		)`,
		// Functions of another version, with their triggers.
		`do $$ declare known regprocedure; begin
			for known in select oid from pg_proc
				where pronamespace = current_schema()::regnamespace and starts_with(proname, 'note_row_')
			loop execute 'drop function ' || known || ' cascade'; end loop;
		end $$`,
		...rows.flatMap(([after, noted, id], index) => {
			const name = `note_row_${index}`;
			const [event, condition] = after.split(' when ');
			const when = condition === undefined ? '' : `when (${condition})`;
			return [
				`create or replace function ${name}() returns trigger language plpgsql as $$
				begin
					insert into changes values (pg_current_xact_id(), '${noted}', ${id})
						on conflict do nothing;
					return null;
				end $$`,
				`create or replace trigger ${name} after ${event}
					for each row ${when} execute function ${name}()`,
			];
		}),
	];
}

/** Makes the change log, from which on changes are noted. Call it in a transaction. */
export async function createChangeLog(database: Kysely<Tables>): Promise<void> {
	for (const text of statementsOf()) await database.executeQuery(CompiledQuery.raw(text));
}

/** Minimum time for which changes are kept. Any process may delete older ones. */
const KEPT_MS = 600_000;
/** Longest pause of a reader, after which it may have missed deleted changes. */
const LONGEST_PAUSE_MS = KEPT_MS / 2;
/** The most changed rows that are read one by one; above it, everything is read again. */
const MOST_ROWS = 20_000;

type Row = {
	readonly snapshot: string;
	/** Start of the server, because a restart after a crash empties the log. */
	readonly started: string;
	readonly noted: Parameters<NoteChange>[0] | null;
	readonly id: number;
};

const MOMENT = `pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as started`;
const FIRST = `select ${MOMENT}, null as noted, 0 as id`;
const NEXT = `
	select ${MOMENT}, found.noted, found.id
	from (select $1::text::pg_snapshot as before) as known
	left join lateral (
		select noted, id from changes
		where tx >= pg_snapshot_xmin(before) and not pg_visible_in_snapshot(tx, before)
		limit ${MOST_ROWS + 1}
	) as found on true`;

/** Deletes changes with future transaction ids, from a backup of another server. */
const FORGET_FOREIGN = 'delete from changes where tx >= pg_snapshot_xmax(pg_current_snapshot())';
const FORGET = 'delete from changes where tx < $1::text::xid8';

/** Reads the changes of all processes on demand. */
export function openChangeLog(
	pool: Pool,
	note: NoteChange,
	keptMs = KEPT_MS,
): Required<Pick<ChangeFeed, 'others' | 'catchUp'>> {
	let known: {readonly snapshot: string; readonly started: string; readonly at: number} | undefined;
	let oldest = {tx: '0', at: -Infinity};
	let gaps = 0;
	let reading: Promise<void> | undefined;
	let next: Promise<void> | undefined;

	async function ask(): Promise<readonly Row[]> {
		const client = await pool.take();
		try {
			const found = await (known === undefined
				? client.query<Row>({name: 'changes', text: FIRST})
				: client.query<Row>({name: 'next_changes', text: NEXT, values: [known.snapshot]}));
			await forget(client, found.rows[0]?.snapshot ?? '');
			pool.give(client, false);
			return found.rows;
		} catch (error) {
			pool.give(client, true);
			throw error;
		}
	}

	async function forget(client: Client, snapshot: string): Promise<void> {
		const at = performance.now();
		if (at - oldest.at < keptMs) return;
		await (known === undefined
			? client.query(FORGET_FOREIGN)
			: client.query({text: FORGET, values: [oldest.tx]}));
		// Transactions before the snapshot's minimum have ended, so every reader sees them.
		oldest = {tx: snapshot.split(':')[0] ?? '0', at};
	}

	async function read(): Promise<void> {
		const before = known;
		const at = performance.now();
		const found = await ask();
		const {snapshot = '', started = ''} = found[0] ?? {};
		known = {snapshot, started, at};
		const isWhole =
			before?.started === started && at - before.at < LONGEST_PAUSE_MS && found.length <= MOST_ROWS;
		if (!isWhole) gaps += 1;
		for (const {noted, id} of found) if (noted !== null) note(noted, id);
	}

	/** Reads changes. A call during a read waits for another, which has later commits too. */
	async function catchUp(): Promise<void> {
		if (reading === undefined) {
			reading = read().finally(() => (reading = undefined));
			return reading;
		}
		const present = reading;
		next ??= (async () => {
			await present.catch(() => undefined);
			next = undefined;
			return catchUp();
		})();
		return next;
	}

	return {others: () => gaps, catchUp};
}
