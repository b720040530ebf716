/** Credit that an account needs before it may rent, start or bid more. */
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {readCover, type Covering} from './cover-store.ts';

/** Cost of a disk, in micro-dollars an hour. */
export function diskMicros(gb: number, monthlyMicros: number): number {
	return (gb * monthlyMicros) / HOURS_PER_MONTH;
}

/** True if the credit covers an account's rentals and its request. */
export async function isCovered(database: Database, covering: Covering): Promise<boolean> {
	const {creditMicros, neededMicros} = await readCover(database, covering);
	return creditMicros > 0 && creditMicros >= neededMicros;
}

/**
 * Call it in a transaction that holds the account.
 *
 * @param undone The outcome of a refusal, such as "nothing was rented"
 * @throws Refusal if the credit does not cover the account's rentals and its request
 */
export async function refuseUncovered(
	database: Database,
	covering: Covering,
	undone: string,
): Promise<void> {
	const {creditMicros, neededMicros} = await readCover(database, covering);
	if (creditMicros > 0 && creditMicros >= neededMicros) return;
	throw new Refusal('noCredit', `${creditText(creditMicros, neededMicros)}: ${undone}`);
}

function creditText(credit: number, needed: number): string {
	if (credit <= 0) return 'the account has no credit left';
	const has = `the account has ${dollars(credit)} of credit`;
	return `${has}, and a minute of all that it rents needs ${dollars(needed)}`;
}

function dollars(micros: number): string {
	return `$${Number((micros / MICROS_PER_DOLLAR).toFixed(4))}`;
}
