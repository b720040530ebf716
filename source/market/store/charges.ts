import type {Database} from './database.ts';
import type {ChargesTable} from './instance-tables.ts';

/** Something that is charged for. */
export type ChargedSource = {
	readonly accountId: number;
	readonly source: ChargesTable['source'];
	readonly sourceId: number;
};

export type ChargedUsage = Pick<ChargesTable, 'item' | 'day' | 'quantity'> & {
	readonly rateMicros: number;
	readonly from: number;
	readonly until: number;
	/** What a quantity of this costs in all. */
	readonly priceOf: (quantity: number) => number;
};

/**
 * Adds to what was used, and takes what it costs from the account. The amount of a charge is made
 * from its whole quantity each time, so that adding in small steps costs the same as at once. Call
 * it in a transaction.
 */
export async function chargeUsage(
	database: Database,
	{accountId, source, sourceId}: ChargedSource,
	usages: readonly ChargedUsage[],
): Promise<void> {
	let spent = 0;
	for (const {item, day, rateMicros, quantity, from, until, priceOf} of usages) {
		const known = await database
			.selectFrom('charges')
			.select(['id', 'quantity', 'amount_micros as amount'])
			.where('source', '=', source)
			.where('source_id', '=', sourceId)
			.where('item', '=', item)
			.where('day', '=', day)
			.where('rate_micros', '=', rateMicros)
			.executeTakeFirst();
		const total = (known?.quantity ?? 0) + quantity;
		const amount = priceOf(total);
		spent += amount - (known?.amount ?? 0);
		const present = {quantity: total, amount_micros: amount, last_at: until};
		await (known === undefined
			? database
					.insertInto('charges')
					.values({
						account_id: accountId,
						source,
						source_id: sourceId,
						item,
						day,
						rate_micros: rateMicros,
						first_at: from,
						...present,
					})
					.execute()
			: database.updateTable('charges').set(present).where('id', '=', known.id).execute());
	}
	if (spent === 0) return;
	await database
		.updateTable('accounts')
		.set(({eb}) => ({credit_micros: eb('credit_micros', '-', spent)}))
		.where('id', '=', accountId)
		.execute();
}
