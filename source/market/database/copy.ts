/** Copies a market's database to another one, and compares them row by row. */
import {createHash} from 'node:crypto';
import {CompiledQuery, sql} from 'kysely';
import {DatabaseRefused} from './database-file.ts';
import type {Database} from './database.ts';
import {continueIds, isOnPostgres, lastNumber} from './numbering.ts';
import {holdAll} from './postgres/locks.ts';
import {createRevisions, workTables} from './postgres/revisions.ts';
import type {Tables} from './schema.ts';

/** Key columns per table, with referenced tables first. */
const keys = {
	accounts: ['id'],
	api_keys: ['id'],
	account_changes: ['id'],
	account_addresses: ['id'],
	ssh_keys: ['id'],
	secrets: ['account_id', 'name'],
	machines: ['id'],
	listings: ['machine_id'],
	default_jobs: ['machine_id'],
	machine_gpus: ['account_id', 'uuid'],
	maintenance: ['id'],
	machine_reports: ['id'],
	machine_silences: ['id'],
	failed_starts: ['id'],
	machine_days: ['machine_id', 'day'],
	machine_marks: ['id'],
	machine_tests: ['id'],
	machine_checks: ['test_id', 'name'],
	offers: ['id'],
	templates: ['id'],
	template_versions: ['template_id', 'hash_id'],
	template_uses: ['id'],
	relays: ['id'],
	instances: ['id'],
	instance_ssh_keys: ['instance_id', 'ssh_key_id'],
	price_increases: ['id'],
	volumes: ['id'],
	mounts: ['instance_id', 'volume_id'],
	leases: ['instance_id'],
	charges: ['id'],
	team_roles: ['id'],
	team_members: ['team_id', 'account_id'],
	invitations: ['id'],
	entries: ['id'],
	postings: ['id'],
	checked_books: ['account_id', 'book'],
	payments: ['id'],
	tasks: ['id'],
	copies: ['id'],
	scheduled_jobs: ['id'],
	moments: ['name'],
	gpu_samples: ['gpu_name', 'at'],
	webhooks: ['id'],
	notification_preferences: ['account_id', 'kind', 'channel'],
	deliveries: ['webhook_id', 'event_id'],
	tallies: ['kind', 'holder'],
} as const satisfies Readonly<Record<keyof Tables, readonly string[]>>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the tables
const tables = Object.keys(keys) as ReadonlyArray<keyof Tables>;

/** Columns that the databases compute themselves. */
const generated: ReadonlySet<string> = new Set([
	'default_dph_total',
	'default_dlperf_per_dph',
	'default_flops_per_dph',
]);

/** Values of a statement, below any database's limit. */
const VALUES_AT_ONCE = 5000;
const ROWS_AT_ONCE = 500;

type CopiedTable = {
	readonly table: string;
	readonly rows: number;
	/** Sum of the table's columns of money, in micro-dollars. */
	readonly micros: number;
};

/**
 * Copies the whole database as of a moment, or nothing.
 *
 * @throws DatabaseRefused for a target that is not empty, or a copy that differs.
 */
export async function copyDatabase(from: Database, to: Database): Promise<readonly CopiedTable[]> {
	const reading = from
		.transaction()
		.setIsolationLevel('repeatable read')
		.setAccessMode('read only');
	const read = isOnPostgres(from) ? reading : from.transaction();
	return read.execute(async source =>
		to.transaction().execute(async target => {
			if (isOnPostgres(target)) await holdAll(target);
			for (const table of tables) await refuseFilled(target, table);
			const copied: CopiedTable[] = [];
			for (const table of tables) copied.push(await copyTable(source, target, table));
			await countRevisionsOn(target);
			return copied;
		}),
	);
}

/** Makes new revisions follow the copied ones. */
async function countRevisionsOn(database: Database): Promise<void> {
	if (isOnPostgres(database)) return createRevisions(database);
	const kept = workTables.map(table => [table, 'revision', 'host_account_id'] as const);
	const doors = ['copies', 'source_revision', 'source_host_account_id'] as const;
	const last = [...kept, doors].map(
		([table, revision, host]) => sql`coalesce((
			select max(${sql.ref(revision)}) from ${sql.table(table)} where ${sql.ref(host)} = accounts.id
		), 0)`,
	);
	await sql`update accounts set work_revision = max(work_revision, ${sql.join(last)})`.execute(
		database,
	);
}

async function refuseFilled(database: Database, table: keyof Tables): Promise<void> {
	const {rows} = await sql`select 1 from ${sql.table(table)} limit 1`.execute(database);
	if (rows.length === 0) return;
	throw new DatabaseRefused(
		`There is a market already where it shall be copied to: ${table} has rows.`,
	);
}

async function copyTable(
	source: Database,
	target: Database,
	table: keyof Tables,
): Promise<CopiedTable> {
	const before = createSum();
	for await (const rows of pagesOf(source, table)) {
		before.add(rows);
		await insert(target, table, rows);
	}
	const after = createSum();
	for await (const rows of pagesOf(target, table)) after.add(rows);
	const [one, other] = [before.read(), after.read()];
	if (one.digest !== other.digest) {
		throw new DatabaseRefused(
			`${table} was not copied as it is: ${one.rows} rows and ${one.micros} micro-dollars became ${other.rows} and ${other.micros}.`,
		);
	}
	const [key] = keys[table];
	if (key === 'id' && table !== 'offers') {
		await continueIds(target, table, await lastNumber(source, table));
	}
	return {table, rows: one.rows, micros: one.micros};
}

type Row = Readonly<Record<string, unknown>>;

/** Rows of a table in the order of their keys, some at a time. */
async function* pagesOf(database: Database, table: keyof Tables): AsyncGenerator<readonly Row[]> {
	const names: readonly string[] = keys[table];
	const columns = sql.join(names.map(name => sql.ref(name)));
	let last: Row | undefined;
	for (;;) {
		const where: ReturnType<typeof sql> =
			last === undefined
				? sql`1 = 1`
				: sql`(${columns}) > (${sql.join(names.map(name => last?.[name]))})`;
		const {rows} = await sql<Row>`
			select * from ${sql.table(table)} where ${where} order by ${columns} limit ${ROWS_AT_ONCE}
		`.execute(database);
		if (rows.length === 0) return;
		yield rows.map(withoutGenerated);
		last = rows.at(-1);
	}
}

function withoutGenerated(row: Row): Row {
	const known = Object.entries(row).filter(([name]) => !generated.has(name));
	// Sorted, because databases differ in the order of their columns.
	return Object.fromEntries(known.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

async function insert(
	database: Database,
	table: keyof Tables,
	rows: readonly Row[],
): Promise<void> {
	const columns = Object.keys(rows[0] ?? {});
	const size = Math.max(1, Math.floor(VALUES_AT_ONCE / columns.length));
	const names = sql.join(columns.map(name => sql.ref(name)));
	for (let start = 0; start < rows.length; start += size) {
		const some = rows.slice(start, start + size);
		const lines = some.map(() => sql`(${sql.join(columns.map(() => null))})`);
		const {sql: text} = sql`
			insert into ${sql.table(table)} (${names}) values ${sql.join(lines)}
		`.compile(database);
		const values = some.flatMap(row => columns.map(name => row[name]));
		await database.executeQuery(CompiledQuery.raw(text, values));
	}
}

function createSum() {
	const digest = createHash('sha256');
	let [count, sum] = [0, 0];
	return {
		add(rows: readonly Row[]): void {
			for (const row of rows) {
				digest.update(JSON.stringify(row));
				count += 1;
				for (const [name, value] of Object.entries(row)) {
					if (name.endsWith('_micros') && typeof value === 'number') sum += value;
				}
			}
		},
		read: () => ({digest: digest.digest('hex'), rows: count, micros: sum}),
	};
}
