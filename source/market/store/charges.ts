import type {Database} from './database.ts';
import {
	chargeKey,
	mostDebtMicros,
	sumOf,
	withinMeans,
	type Bill,
	type PricedCharge,
} from './charge-prices.ts';
import type {ChargeRow} from './instance-tables.ts';

/**
 * Adds to what was used, and takes what it costs from the accounts. The amount of a charge is made
 * from its whole quantity each time, so that adding in small steps costs the same as at once. Call
 * it in a transaction.
 */
export async function chargeBills(database: Database, bills: readonly Bill[]): Promise<void> {
	const charges = await priceBills(database, bills);
	for (const some of inParts(charges, ROWS_AT_ONCE)) {
		await writeCharges(
			database,
			some.map(({row}) => row),
		);
	}
	const byAccount = Map.groupBy(charges, ({row}) => row.account_id);
	for (const [accountId, theirs] of byAccount) {
		const spent = theirs.reduce((sum, {addedMicros}) => sum + addedMicros, 0);
		if (spent > 0) await spend(database, accountId, spent);
	}
}

/** Charges that bills would make; nothing is written. */
export async function priceBills(
	database: Database,
	bills: readonly Bill[],
): Promise<readonly PricedCharge[]> {
	const used = bills.filter(({usages}) => usages.length > 0);
	const known = await readCharges(database, used);
	const credits = await readCredits(database, used);
	const charges = new Map<string, PricedCharge>();
	for (const {usages, accountId, source, sourceId} of used) {
		for (const usage of usages) {
			const {item, day, rateMicros: rate_micros} = usage;
			const key = {source, source_id: sourceId, item, day, rate_micros};
			const name = chargeKey(key);
			const before = known.get(name);
			const start = charges.get(name)?.row ?? before;
			const credit = credits.get(accountId) ?? 0;
			const present = withinMeans(start, usage, credit + mostDebtMicros(item));
			if (present === undefined) continue;
			credits.set(accountId, credit - present.amount_micros + (start?.amount_micros ?? 0));
			charges.set(name, {
				row: {...key, account_id: accountId, ...present},
				addedMicros: present.amount_micros - (before?.amount_micros ?? 0),
			});
		}
	}
	return [...charges.values()];
}

/** Charges of bills, one for each usage, if there is money for all of it. */
export async function priceWhole(
	database: Database,
	bills: readonly Bill[],
): Promise<readonly PricedCharge[]> {
	const known = await readCharges(
		database,
		bills.filter(({usages}) => usages.length > 0),
	);
	return bills.flatMap(({usages, accountId, source, sourceId}) =>
		usages.map(usage => {
			const {item, day, rateMicros: rate_micros} = usage;
			const key = {source, source_id: sourceId, item, day, rate_micros};
			const before = known.get(chargeKey(key));
			const whole = sumOf(before, usage);
			return {
				row: {...key, account_id: accountId, ...whole},
				addedMicros: whole.amount_micros - (before?.amount_micros ?? 0),
			};
		}),
	);
}

/** Few enough that their values are fewer than a database takes at once. */
const ROWS_AT_ONCE = 500;

/** Charges already made for these sources on the days of these bills. */
async function readCharges(database: Database, bills: readonly Bill[]) {
	const charges = new Map<string, Omit<ChargeRow, 'id' | 'account_id'>>();
	const firstDay = bills.reduce(
		(least, {usages}) => usages.reduce((day, usage) => Math.min(day, usage.day), least),
		Infinity,
	);
	for (const [source, theirs] of Map.groupBy(bills, bill => bill.source)) {
		const ids = [...new Set(theirs.map(({sourceId}) => sourceId))];
		for (const some of inParts(ids, ROWS_AT_ONCE)) {
			const rows = await database
				.selectFrom('charges')
				.select(['source', 'source_id', 'item', 'day', 'rate_micros'])
				.select(['quantity', 'amount_micros', 'first_at', 'last_at'])
				.where('source', '=', source)
				.where('source_id', 'in', some)
				.where('day', '>=', firstDay)
				.execute();
			for (const row of rows) charges.set(chargeKey(row), row);
		}
	}
	return charges;
}

/** Credit of the charged accounts. */
async function readCredits(database: Database, bills: readonly Bill[]) {
	const credits = new Map<number, number>();
	const ids = [...new Set(bills.map(({accountId}) => accountId))];
	for (const some of inParts(ids, ROWS_AT_ONCE)) {
		const rows = await database
			.selectFrom('accounts')
			.select(['id', 'credit_micros'])
			.where('id', 'in', some)
			.execute();
		for (const {id, credit_micros: micros} of rows) credits.set(id, micros);
	}
	return credits;
}

async function writeCharges(
	database: Database,
	rows: ReadonlyArray<PricedCharge['row']>,
): Promise<void> {
	await database
		.insertInto('charges')
		.values(rows)
		.onConflict(conflict =>
			conflict.columns(['source', 'source_id', 'day', 'item', 'rate_micros']).doUpdateSet(eb => ({
				quantity: eb.ref('excluded.quantity'),
				amount_micros: eb.ref('excluded.amount_micros'),
				last_at: eb.ref('excluded.last_at'),
			})),
		)
		.execute();
}

async function spend(database: Database, accountId: number, micros: number): Promise<void> {
	await database
		.updateTable('accounts')
		.set(({eb}) => ({credit_micros: eb('credit_micros', '-', micros)}))
		.where('id', '=', accountId)
		.execute();
}

function inParts<Item>(items: readonly Item[], size: number): ReadonlyArray<readonly Item[]> {
	return Array.from({length: Math.ceil(items.length / size)}, (_, i) =>
		items.slice(i * size, (i + 1) * size),
	);
}
