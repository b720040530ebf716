/** Names of charged instances and volumes, destroyed ones included. */
import {sql} from 'kysely';
import type {Database} from '../database/database.ts';
import type {SourceFacts, BalancedInvoice} from '../database/account-tables.ts';
import type {ChargesTable, InstanceRow} from '../database/instance-tables.ts';
import type {InvoiceSearch} from '../../contract/nouns/billing-query.ts';

type Source = {readonly source: ChargesTable['source']; readonly source_id: number};

type FactsOf = (source: Source) => SourceFacts;

/** Ids of a statement, below any database's limit of values. */
const IDS_AT_ONCE = 1000;

/** Facts of the sources of some rows. A name is a label, or the instance's image. */
export async function findSourceFacts(
	database: Database,
	rows: readonly Source[],
): Promise<FactsOf> {
	const facts = new Map<string, SourceFacts>();
	const bySource = Map.groupBy(rows, ({source}) => source);
	for (const [source, theirs] of bySource) {
		const ids = [...new Set(theirs.map(row => row.source_id))];
		for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
			const some = ids.slice(start, start + IDS_AT_ONCE);
			const found = source === 'instance' ? instanceNames : volumeNames;
			for (const {id, label, image, template_id, gpu_name} of await found(database, some)) {
				const hasLabel = label !== null && label !== '';
				const name = hasLabel ? label : image;
				facts.set(`${source} ${id}`, {
					...(name !== null && {name}),
					...(hasLabel && {label}),
					...(template_id !== null && {template_id}),
					...(gpu_name !== null && {gpu_name}),
				});
			}
		}
	}
	return ({source, source_id}) => facts.get(`${source} ${source_id}`) ?? {};
}

type Named = Pick<InstanceRow, 'id' | 'label' | 'template_id'> & {
	readonly image: string | null;
	readonly gpu_name: string | null;
};

async function instanceNames(database: Database, ids: readonly number[]): Promise<Named[]> {
	return database
		.selectFrom('instances')
		.leftJoin('offers', 'offers.id', 'instances.ask_id')
		.select([
			'instances.id',
			'instances.label',
			'instances.image',
			'instances.template_id',
			'offers.gpu_name',
		])
		.where('instances.id', 'in', ids)
		.execute();
}

async function volumeNames(database: Database, ids: readonly number[]): Promise<Named[]> {
	const rows = await database
		.selectFrom('volumes')
		.select(['id', 'label'])
		.where('id', 'in', ids)
		.execute();
	return rows.map(row => ({...row, image: null, template_id: null, gpu_name: null}));
}

type ContractRow = Pick<
	InstanceRow,
	'id' | 'label' | 'image' | 'machine_id' | 'created_at' | 'destroyed_at'
>;

type Wanted = {
	readonly accountId: number;
	readonly label: string | undefined;
	readonly ids: readonly number[] | undefined;
	readonly most: number;
};

/** The instances of an account, destroyed ones too, the latest first. */
export async function findContracts(
	database: Database,
	{accountId, label, ids, most}: Wanted,
): Promise<readonly ContractRow[]> {
	return database
		.selectFrom('instances')
		.select(['id', 'label', 'image', 'machine_id', 'created_at', 'destroyed_at'])
		.where('account_id', '=', accountId)
		.where('default_job', '=', 0)
		.$if(label !== undefined, query => query.where('label', '=', label ?? null))
		.$if(ids !== undefined, query => query.where('id', 'in', ids ?? []))
		.orderBy('id', 'desc')
		.limit(most)
		.execute();
}

const signs = {gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`, eq: sql`=`} as const;

/** The latest payments and days, the latest first, without payouts, which do not change credit. */
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
