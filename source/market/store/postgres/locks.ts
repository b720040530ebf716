/**
 * Locks of those who write. All are taken at the beginning and in one order, so that nobody waits in
 * a ring: the market as a whole, machines by id, accounts by id, webhooks by id.
 */
import {CompiledQuery, type Kysely} from 'kysely';
import type {Tables} from '../schema.ts';

type Database = Kysely<Tables>;

/** Rows that a transaction reads in order to write. All others may change while it works. */
export type Held = {
	/** Machines with all that is on them, and the accounts that pay for it. */
	readonly machines?: readonly number[];
	/** Instances whose machines are held in the same way; the next ones likewise. */
	readonly instances?: readonly number[];
	readonly volumes?: readonly number[];
	readonly offers?: readonly number[];
	/** Accounts whose money is written, beside those that pay for what is on the machines. */
	readonly accounts?: readonly number[];
	readonly webhooks?: readonly number[];
	/** False where no account pays for what is done, or `holdPayers` follows. */
	readonly payers?: boolean;
};

/** Lock of the market: those who hold rows share it, and whoever writes anything has it alone. */
const MARKET = 0x52_4e_54_59;

/** Keeps all others from writing. */
export async function holdAll(transaction: Database): Promise<void> {
	await run(transaction, [`select pg_advisory_xact_lock(${MARKET})`]);
}

/** Keeps others from writing what stands on some rows. */
export async function hold(transaction: Database, held: Held): Promise<void> {
	const machines = machinesOf(held);
	const accounts = [
		...(held.payers === false ? [] : machines.flatMap(payersOf)),
		...idsOf(held.accounts),
	];
	await run(transaction, [
		`select pg_advisory_xact_lock_shared(${MARKET})`,
		...rowLocks('machines', machines),
		...rowLocks('accounts', accounts),
		...rowLocks('webhooks', idsOf(held.webhooks)),
	]);
}

/** Keeps others from writing the accounts that pay for what is on machines that are held already. */
export async function holdPayers(transaction: Database, machines: readonly number[]) {
	await run(transaction, rowLocks('accounts', idsOf(machines).flatMap(payersOf)));
}

/** Nothing that was read before it is the same after it: each statement sees what is committed by then. */
async function run(transaction: Database, statements: readonly string[]): Promise<void> {
	if (statements.length === 0) return;
	await transaction.executeQuery(CompiledQuery.raw(statements.join('; ')));
}

/** Locks rows in the order of their ids. References from new rows do not wait for them. */
function rowLocks(table: string, ids: readonly string[]): readonly string[] {
	if (ids.length === 0) return [];
	const all = ids.join(' union ');
	return [`select id from ${table} where id in (${all}) order by id for no key update`];
}

/** Where something stands never changes. */
function machinesOf({machines, instances, volumes, offers}: Held): readonly string[] {
	const places = Object.entries({instances, volumes, offers});
	return [
		...idsOf(machines),
		...places.flatMap(([table, ids]) =>
			idsOf(ids).map(list => `select machine_id from ${table} where id in (${list})`),
		),
	];
}

function payersOf(machines: string): readonly string[] {
	return ['instances', 'volumes'].map(
		table =>
			`select account_id from ${table} where machine_id in (${machines}) and destroyed_at is null`,
	);
}

/** A list as a query; none for an empty one. What is no id names nothing. */
function idsOf(ids: readonly number[] = []): readonly string[] {
	const known = ids.filter(id => Number.isSafeInteger(id));
	return known.length === 0 ? [] : [`select unnest(array[${known.join(',')}]::bigint[])`];
}
