import type {Database} from '../database/database.ts';
import {
	chargeKey,
	chargeKeyOf,
	mostDebtMicros,
	pricedCharge,
	sumOf,
	together,
	usagesOf,
	withinMeans,
	type Bill,
	type ChargedUsage,
	type ChargedSum,
	type PricedCharge,
} from './charge-prices-store.ts';

/**
 * Adds usage to charges, and takes its cost from the accounts. The amount of a charge is computed from
 * its whole quantity each time, so that small steps cost the same as one large step. Call it in a
 * transaction.
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
		const spent = theirs.reduce(
			(sum, charge) => sum + charge.addedMicros - charge.prepaidMicros,
			0,
		);
		if (spent > 0) await spend(database, accountId, spent);
	}
	for (const charge of charges.filter(({prepaidMicros}) => prepaidMicros > 0)) {
		await takeFromDeposit(database, charge);
	}
}

/** Charges that bills would make, without writing them. */
export async function priceBills(
	database: Database,
	bills: readonly Bill[],
): Promise<readonly PricedCharge[]> {
	const used = bills.filter(({usages}) => usages.length > 0);
	const known = await readCharges(database, used);
	const credits = await readCredits(database, used);
	const charges = new Map<string, PricedCharge>();
	for (const bill of used) {
		const {accountId} = bill;
		let deposit = bill.deposit?.micros ?? 0;
		for (const usage of usagesOf(bill, known)) {
			const key = chargeKeyOf(bill, usage);
			const name = chargeKey(key);
			const start = charges.get(name)?.row ?? known.get(name);
			const credit = credits.get(accountId) ?? 0;
			// A debt takes nothing from a deposit, which pays for its own instance alone.
			const means = deposit + Math.max(0, credit + mostDebtMicros(usage));
			const present = withinMeans(start, usage, means);
			if (present === undefined) continue;
			const priced = pricedCharge({key, accountId, deposit}, usage, {start, present});
			deposit -= priced.prepaidMicros;
			credits.set(accountId, credit - priced.addedMicros + priced.prepaidMicros);
			charges.set(name, together(charges.get(name), priced));
		}
	}
	return [...charges.values()];
}

type PricedUsage = {readonly usage: ChargedUsage; readonly charge: PricedCharge};

/** Charges of bills with each of their usages, as if there were money for all. */
export async function priceWhole(
	database: Database,
	bills: readonly Bill[],
): Promise<ReadonlyArray<readonly PricedUsage[]>> {
	const known = await readCharges(
		database,
		bills.filter(({usages}) => usages.length > 0),
	);
	return bills.map(bill => {
		const rows = new Map<string, ChargedSum>();
		let deposit = bill.deposit?.micros ?? 0;
		return usagesOf(bill, known).map(usage => {
			const key = chargeKeyOf(bill, usage);
			const name = chargeKey(key);
			const start = rows.get(name) ?? known.get(name);
			const sums = {start, present: sumOf(start, usage)};
			const charge = pricedCharge({key, accountId: bill.accountId, deposit}, usage, sums);
			deposit -= charge.prepaidMicros;
			rows.set(name, charge.row);
			return {usage, charge};
		});
	});
}

/** Rows of a statement, below any database's limit of values. */
const ROWS_AT_ONCE = 500;

async function readCharges(database: Database, bills: readonly Bill[]) {
	const charges = new Map<string, ChargedSum>();
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
				.select(['quantity', 'amount_micros', 'prepaid_micros', 'first_at', 'last_at'])
				.where('source', '=', source)
				.where('source_id', 'in', some)
				.where('day', '>=', firstDay)
				.execute();
			for (const row of rows) charges.set(chargeKey(row), row);
		}
	}
	return charges;
}

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
				prepaid_micros: eb.ref('excluded.prepaid_micros'),
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

/**
 * Deletes a volume's charges that are not posted, and returns the sum of the others. Call it in a
 * transaction.
 */
export async function takeOpenCharges(
	database: Database,
	{account, volumeId}: {readonly account: number; readonly volumeId: number},
): Promise<number> {
	const {settled_day: settled} = await database
		.selectFrom('accounts')
		.select('settled_day')
		.where('id', '=', account)
		.executeTakeFirstOrThrow();
	const open = await database
		.deleteFrom('charges')
		.where('source', '=', 'volume')
		.where('source_id', '=', volumeId)
		.where('day', '>', settled)
		.returning('amount_micros')
		.execute();
	const sum = open.reduce((total, {amount_micros: micros}) => total + micros, 0);
	if (sum > 0) await spend(database, account, -sum);
	const {posted} = await database
		.selectFrom('charges')
		.select(({fn}) => fn.sum<number | null>('amount_micros').as('posted'))
		.where('source', '=', 'volume')
		.where('source_id', '=', volumeId)
		.executeTakeFirstOrThrow();
	return posted ?? 0;
}

async function takeFromDeposit(
	database: Database,
	{row: {source_id: id}, prepaidMicros, discountMicros}: PricedCharge,
): Promise<void> {
	await database
		.updateTable('instances')
		.set(({eb}) => ({
			deposit_micros: eb('deposit_micros', '-', prepaidMicros),
			discount_micros: eb('discount_micros', '+', discountMicros),
		}))
		.where('id', '=', id)
		.execute();
}

function inParts<Item>(items: readonly Item[], size: number): ReadonlyArray<readonly Item[]> {
	return Array.from({length: Math.ceil(items.length / size)}, (_, i) =>
		items.slice(i * size, (i + 1) * size),
	);
}
