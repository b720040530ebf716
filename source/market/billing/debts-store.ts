/** Debts of accounts, their causes, and who made those accounts. */
import {sql} from 'kysely';
import type {UnpaidUse} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';

/** Credit of an account by its postings, before charges that are not posted. */
const postedCredit = sql`(credit_micros + coalesce((
	select sum(amount_micros - prepaid_micros) from charges
	where charges.account_id = accounts.id and charges.day > accounts.settled_day
), 0))`;

/** Negative credit is its debt. */
export async function readDebt(database: Database, id: number) {
	const {rows} = await sql<{readonly credit: number; readonly unpaid: number}>`
		select ${postedCredit} as credit, unpaid_micros as unpaid
		from accounts where id = ${id}`.execute(database);
	return rows[0] ?? {credit: 0, unpaid: 0};
}

/** Accounts whose unpaid use differs from their debt, after a payment or a refund. */
export const unevenDebtors = sql<{readonly id: number}>`
	select id from (
		select id, unpaid_micros as unpaid, ${postedCredit} as credit from accounts
		where unpaid_micros > 0 or credit_micros <= 0
	) as debtors
	where unpaid <> (case when credit < 0 then -credit else 0 end)
	order by id`;

/** Unpaid use of an account, the oldest first. */
export async function unpaidUse(database: Database, id: number): Promise<readonly UnpaidUse[]> {
	const {rows} = await sql<UnpaidUse>`
		select machines.account_id as provider, machine_id as "machineId", item, sum(micros) as micros
		from postings left join machines on machines.id = machine_id
		where postings.account_id = ${id} and book = 'unpaid'
		group by machines.account_id, machine_id, item
		having sum(micros) > 0
		order by min(postings.id)`.execute(database);
	return rows;
}

/** Maker of an account: the parent of a subaccount, the owner of a team. */
const maker = sql`coalesce(owner_id, parent_id)`;

/** Makers of an account, the nearest first. */
async function makersOf(database: Database, id: number): Promise<readonly number[]> {
	const {rows} = await sql<{readonly id: number}>`
		with recursive makers (id, far) as (
			select ${maker}, 1 from accounts where id = ${id}
			union all
			select ${maker}, far + 1 from accounts join makers on accounts.id = makers.id
		)
		select id from makers where id is not null order by far`.execute(database);
	return rows.map(row => row.id);
}

/** The person's account behind an account: its maker's, or itself. */
export async function findPersonAccountId(database: Database, id: number): Promise<number> {
	return (await makersOf(database, id)).at(-1) ?? id;
}

type Debtor = {readonly id: number; readonly micros: number};

/** Accounts with debts among an account and those that it made. */
export async function debtorsOf(database: Database, id: number): Promise<readonly Debtor[]> {
	const {rows} = await sql<Debtor>`
		with recursive made (id, credit) as (
			select id, credit_micros from accounts where id = ${id}
			union all
			select accounts.id, credit_micros from accounts join made on ${maker} = made.id
		)
		select id, -credit as micros from made where credit < 0 order by id`.execute(database);
	return rows;
}
