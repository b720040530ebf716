/** Names of charged instances and volumes, destroyed ones included. */
import type {Database} from '../database/database.ts';
import type {SourceFacts} from '../database/account-tables.ts';
import type {ChargesTable, InstanceRow} from '../database/instance-tables.ts';

type Source = {readonly source: ChargesTable['source']; readonly source_id: number};

type FactsOf = (source: Source) => SourceFacts;

/** Few enough that a database takes them at once. */
const IDS_AT_ONCE = 1000;

/** Facts of what some rows are for. A name is a label, or what the instance was made of. */
export async function factsOf(database: Database, rows: readonly Source[]): Promise<FactsOf> {
	const facts = new Map<string, SourceFacts>();
	const bySource = Map.groupBy(rows, ({source}) => source);
	for (const [source, theirs] of bySource) {
		const ids = [...new Set(theirs.map(row => row.source_id))];
		for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
			const some = ids.slice(start, start + IDS_AT_ONCE);
			const found = source === 'instance' ? instanceNames : volumeNames;
			for (const {id, label, image, template_id} of await found(database, some)) {
				const hasLabel = label !== null && label !== '';
				const name = hasLabel ? label : image;
				facts.set(`${source} ${id}`, {
					...(name !== null && {name}),
					...(hasLabel && {label}),
					...(template_id !== null && {template_id}),
				});
			}
		}
	}
	return ({source, source_id}) => facts.get(`${source} ${source_id}`) ?? {};
}

type Named = Pick<InstanceRow, 'id' | 'label' | 'template_id'> & {readonly image: string | null};

async function instanceNames(database: Database, ids: readonly number[]): Promise<Named[]> {
	return database
		.selectFrom('instances')
		.select(['id', 'label', 'image', 'template_id'])
		.where('id', 'in', ids)
		.execute();
}

async function volumeNames(database: Database, ids: readonly number[]): Promise<Named[]> {
	const rows = await database
		.selectFrom('volumes')
		.select(['id', 'label'])
		.where('id', 'in', ids)
		.execute();
	return rows.map(row => ({...row, image: null, template_id: null}));
}

export type ContractRow = Pick<
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
