/**
 * Locks of writers. All are taken at the beginning and in one order, which prevents deadlocks: the
 * market as a whole, machines by id, accounts by id, webhooks by id.
 */
import {CompiledQuery, sql, type Kysely} from 'kysely';
import type {Tables} from '../schema.ts';

type Database = Kysely<Tables>;

/** Rows on which a transaction's writes depend. All others may change meanwhile. */
export type HeldRows = {
	/** Machines with their instances and volumes, and the accounts that pay for those. */
	readonly machines?: readonly number[];
	/** Instances whose machines are held in the same way; likewise the fields below. */
	readonly instances?: readonly number[];
	readonly volumes?: readonly number[];
	readonly offers?: readonly number[];
	/** Further accounts whose money is written. */
	readonly accounts?: readonly number[];
	readonly webhooks?: readonly number[];
	/** False if no account pays, or if `lockPayers` follows. */
	readonly payers?: boolean;
};

/** Lock of the market: shared by writers of held rows, exclusive for a writer of any row. */
const MARKET = 0x52_4e_54_59;

export async function holdAll(transaction: Database): Promise<void> {
	await run(transaction, 'pg_advisory_xact_lock', [String(MARKET)]);
}

/**
 * Functions that lock rows in the order of their ids. Plans of functions are cached, and each statement
 * sees the latest commits. References from new rows do not wait for these locks.
 */
const functions = [
	`create or replace function hold_payers(places bigint[], others bigint[]) returns void
	language plpgsql set plan_cache_mode = force_generic_plan as $$ begin
		perform 1 from accounts where id = any(array(
			select account_id from instances where machine_id = any(places) and destroyed_at is null
			union all
			select account_id from volumes where machine_id = any(places) and destroyed_at is null
			union all select unnest(others)
		)) order by id for no key update;
	end $$`,
	`create or replace function hold_rows(
		places bigint[], of_instances bigint[], of_volumes bigint[], of_offers bigint[],
		payers boolean, others bigint[], hooks bigint[]
	) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$ begin
		perform pg_advisory_xact_lock_shared(${MARKET});
		-- Where something stands never changes.
		if of_instances <> '{}' then
			places := places || array(select machine_id from instances where id = any(of_instances));
		end if;
		if of_volumes <> '{}' then
			places := places || array(select machine_id from volumes where id = any(of_volumes));
		end if;
		if of_offers <> '{}' then
			places := places || array(select machine_id from offers where id = any(of_offers));
		end if;
		if places <> '{}' then
			perform 1 from machines where id = any(places) order by id for no key update;
		end if;
		if (payers and places <> '{}') or others <> '{}' then
			perform hold_payers(case when payers then places else '{}' end, others);
		end if;
		if hooks <> '{}' then
			perform 1 from webhooks where id = any(hooks) order by id for no key update;
		end if;
	end $$`,
];

/** Makes the functions. Call it in a transaction. */
export async function createHolding(database: Database): Promise<void> {
	for (const text of functions) await database.executeQuery(CompiledQuery.raw(text));
}

export async function hold(transaction: Database, held: HeldRows): Promise<void> {
	const {machines, instances, volumes, offers, payers = true, accounts, webhooks} = held;
	const places = [machines, instances, volumes, offers].map(list);
	await run(transaction, 'hold_rows', [...places, String(payers), list(accounts), list(webhooks)]);
}

/** Locks the accounts that pay for instances and volumes on machines that are held already. */
export async function lockPayers(transaction: Database, machines: readonly number[]) {
	await run(transaction, 'hold_payers', [list(machines), list()]);
}

/** Takes a non-blocking lock on a number of a kind; false if another transaction holds it. */
export async function tryLock(
	transaction: Database,
	kind: string,
	number: number,
): Promise<boolean> {
	const {rows} = await sql<{readonly held: boolean}>`
		select pg_try_advisory_xact_lock(hashtext(${kind}), ${number}) as held`.execute(transaction);
	return rows[0]?.held === true;
}

/** Calls a function without parameters, so that it is sent in one message with the `begin`. */
async function run(transaction: Database, name: string, values: readonly string[]): Promise<void> {
	await transaction.executeQuery(CompiledQuery.raw(`select ${name}(${values.join(', ')})`));
}

/** Ids as an array literal, without invalid ids. */
function list(ids: readonly number[] = []): string {
	return `'{${ids.filter(id => Number.isSafeInteger(id)).join(',')}}'`;
}
