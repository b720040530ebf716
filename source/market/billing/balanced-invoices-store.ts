/** Reads payments and charged days with the credit that each left. */
import {sql} from 'kysely';
import type {InvoiceSearch} from '../../contract/nouns/billing-query.ts';
import type {BalancedInvoice} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';

const signs = {gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`, eq: sql`=`} as const;

/** The latest payments and days, the latest first. Payouts are of earnings, and leave credit as it is. */
export async function balancedInvoices(
	database: Database,
	{accountId, bounds, services, most}: InvoiceSearch & {accountId: number; most: number},
): Promise<readonly BalancedInvoice[]> {
	const wanted = [
		sql`1 = 1`,
		...bounds
			.filter(({column}) => column === 'when')
			.map(
				({comparison, value}) => sql`at ${signs[comparison]} cast(${value} as double precision)`,
			),
		...(services === undefined ? [] : [sql`service in (${sql.join(['', ...services])})`]),
	];
	const {rows} = await sql<BalancedInvoice>`
		select at, number as id, kind, service, description, micros, balance from (
			select lines.*, sum(case when kind = 'payout' then 0 else micros end)
				over (order by at, kind_order, number) as balance
			from (
				select at, 1 as kind_order, id as number, kind, service, description,
					amount_micros as micros
				from payments where account_id = ${accountId}
				union all
				select day * 86400.0, 0, day, 'usage', 'usage', cast(null as text),
					sum(prepaid_micros) - sum(amount_micros)
				from charges where account_id = ${accountId} group by day
			) as lines
		) as invoices
		where ${sql.join(wanted, sql` and `)}
		order by at desc, kind_order desc, number desc
		limit ${most}`.execute(database);
	return rows;
}
