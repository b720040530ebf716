/** Tests of machines, open and ended. */
import {sql, type Insertable, type RawBuilder} from 'kysely';
import type {Database} from '../database/database.ts';
import type {
	MachineCheckRow,
	MachineTestRow,
	MachineTestsTable,
} from '../database/provider-tables.ts';

export async function insertTest(
	database: Database,
	test: Insertable<MachineTestsTable>,
): Promise<MachineTestRow> {
	return database.insertInto('machine_tests').values(test).returningAll().executeTakeFirstOrThrow();
}

/** Open tests of all machines, or of one. */
export async function openTests(
	database: Database,
	machineId?: number,
): Promise<readonly MachineTestRow[]> {
	const open = database.selectFrom('machine_tests').selectAll().where('ended_at', 'is', null);
	return (machineId === undefined ? open : open.where('machine_id', '=', machineId)).execute();
}

export type EndOfTest = Pick<MachineTestRow, 'ended_at' | 'outcome' | 'note'>;

/** Ends a test with its checks; false if it has ended already. */
export async function endTest(
	database: Database,
	id: number,
	end: EndOfTest,
	checks: ReadonlyArray<Omit<MachineCheckRow, 'test_id'>>,
): Promise<boolean> {
	const {numUpdatedRows} = await database
		.updateTable('machine_tests')
		// The secret is no longer needed.
		.set({...end, secret: ''})
		.where('id', '=', id)
		.where('ended_at', 'is', null)
		.executeTakeFirst();
	if (numUpdatedRows === 0n) return false;
	const rows = checks.map(check => ({...check, test_id: id}));
	if (rows.length > 0) await database.insertInto('machine_checks').values(rows).execute();
	return true;
}

/** The last tests of a machine, the newest first. */
export async function findMachineTests(database: Database, machineId: number, limit: number) {
	const all = database
		.selectFrom('machine_tests')
		.select(['id', 'machine_id', 'instance_id', 'reason', 'started_at', 'ended_at'])
		.select(['outcome', 'note'])
		.where('machine_id', '=', machineId);
	const tests = await all.orderBy('id', 'desc').limit(limit).execute();
	if (tests.length === 0) return [];
	const ids = tests.map(({id}) => id);
	const found = database.selectFrom('machine_checks').selectAll().where('test_id', 'in', ids);
	const checks = Map.groupBy(await found.orderBy('name').execute(), check => check.test_id);
	return tests.map(test => ({...test, checks: (checks.get(test.id) ?? []).map(shownCheck)}));
}

/** Count of a machine's latest consecutive tests with a late answer. */
export async function lateInARow(
	database: Database,
	machineId: number,
	most: number,
): Promise<number> {
	const ended = database
		.selectFrom('machine_tests')
		.select(query =>
			query
				.exists(
					query
						.selectFrom('machine_checks')
						.select('name')
						.whereRef('test_id', '=', 'machine_tests.id')
						.where('machine_checks.outcome', '=', 'late'),
				)
				.as('late'),
		)
		.where('machine_id', '=', machineId)
		.where('ended_at', 'is not', null);
	const last = await ended.orderBy('id', 'desc').limit(most).execute();
	const first = last.findIndex(({late}) => !late);
	return first < 0 ? last.length : first;
}

function shownCheck({name, outcome, said_by, detail, value}: MachineCheckRow) {
	return {name, outcome, said_by, detail, value};
}

export async function dueForTest(database: Database, now: number): Promise<readonly number[]> {
	const due = database.selectFrom('machines').select('id').where('test_due_at', '<=', now);
	const found = await due
		.where('removed_at', 'is', null)
		.orderBy('test_due_at')
		.limit(20)
		.execute();
	return found.map(({id}) => id);
}

/** The most machines that are tested together with another. */
const MOST_COMPANIONS = 64;

/**
 * Machines with GPUs that were tested before and belong to a test: of the same provider, with the
 * same claimed GPU, and, if it is due, of the same model.
 */
export async function companionsOf(
	database: Database,
	machineId: number,
	reason: MachineTestRow['reason'],
): Promise<readonly number[]> {
	const ofModel = sql`id in (
		select machine_id from offers where listed = 1 and gpu_key in (
			select gpu_key from offers where listed = 1 and machine_id = ${machineId}
		)
	)`;
	const {rows} = await sql<{readonly id: number}>`
		select id from machines
		where id <> ${machineId} and num_gpus > 0 and removed_at is null and test_due_at is not null
			and (
				account_id = (select account_id from machines where id = ${machineId})
				or id in (
					select machine_id from machine_gpus where uuid in (
						select uuid from machine_gpus where machine_id = ${machineId}
					)
				)
				${reason === 'due' ? sql`or ${ofModel}` : sql``}
			)
		order by id
		limit ${MOST_COMPANIONS}`.execute(database);
	return rows.map(({id}) => id);
}

/** Start of the last test of a machine; undefined for none. */
export async function lastTestAt(
	database: Database,
	machineId: number,
): Promise<number | undefined> {
	const tests = database.selectFrom('machine_tests').select('started_at');
	const last = tests.where('machine_id', '=', machineId).orderBy('id', 'desc').limit(1);
	return (await last.executeTakeFirst())?.started_at;
}

/** The most tests of a search, few enough not to delay other calls. */
const LATEST_TESTS = 10_000;
const CHECKS_PER_TEST = 16;

/** Measures in the order of their numbers. */
const measured = [
	'gpu_busy',
	'disk',
	'memory',
	'inet_up',
	'inet_down',
	'gpu_memory',
	'gpu_int8',
	'gpu_bandwidth',
];

type BenchmarkQuery = {
	readonly where: ReadonlyArray<RawBuilder<unknown>>;
	readonly orderBy: ReadonlyArray<RawBuilder<unknown>>;
};

export async function findBenchmarks(
	database: Database,
	{where, orderBy}: BenchmarkQuery,
	limit: number,
): Promise<readonly BenchmarkRow[]> {
	const numbers = measured.map((name, at) => sql`when ${sql.lit(name)} then ${sql.lit(at)}`);
	const {rows} = await sql<BenchmarkRow>`
		select * from (
			select machine_tests.id * ${sql.lit(CHECKS_PER_TEST)}
					+ case machine_checks.name ${sql.join(numbers, sql` `)} end as id,
				machine_tests.instance_id as contract_id, machine_tests.machine_id as machine_id,
				offers.gpu_name as gpu_name, offers.gpu_key as gpu_key, offers.num_gpus as num_gpus,
				instances.image as image, cast(null as text) as launch_args,
				machine_tests.ended_at as last_update, instances.template_hash as template_hash,
				instances.template_id as template_id, cast(null as text) as model,
				case machine_checks.name when 'gpu_busy' then 'perf' else machine_checks.name end as type,
				machine_checks.value as value
			from machine_tests
			join machine_checks on machine_checks.test_id = machine_tests.id
			join instances on instances.id = machine_tests.instance_id
			join offers on offers.id = instances.ask_id
			where machine_tests.id > (select max(id) from machine_tests) - ${sql.lit(LATEST_TESTS)}
				and machine_tests.ended_at is not null and machine_checks.value is not null
				and machine_checks.outcome = 'passed'
				and machine_checks.name in (${sql.join(measured.map(name => sql.lit(name)))})
		) as benchmarks
		where ${sql.join([sql`1 = 1`, ...where], sql` and `)}
		order by ${sql.join(orderBy)}
		limit ${limit}`.execute(database);
	return rows;
}

export type BenchmarkRow = {
	readonly id: number;
	readonly contract_id: number;
	readonly machine_id: number;
	readonly gpu_name: string;
	readonly gpu_key: string;
	readonly num_gpus: number;
	readonly image: string;
	readonly launch_args: null;
	readonly last_update: number;
	readonly template_hash: string | null;
	readonly template_id: number | null;
	readonly model: null;
	readonly type: string;
	readonly value: number;
};
