/** Limits on what an account may have, from the contract's table. */
import {bounds, holders, type Bound, type CreatedKind} from '../../contract/grammar/bounds.ts';
import {Refusal} from '../base/refusal.ts';
import {countMade, countPresent} from './store.ts';
import type {Database} from '../database/database.ts';
import {accountsOfPerson} from '../ledger/accounts-store.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Making = {
	/** Account that creates the record, or its team. */
	readonly accountId: number;
	/** Instance or machine of the record, for kinds counted by it. */
	readonly at?: number;
	readonly now: number;
};

/**
 * Refuses a record beyond its limit. Call it in the transaction that creates the record, after
 * creating it: a refusal rolls it back, and an existing record is not counted twice.
 *
 * @throws Refusal if there are more than the table allows
 */
export async function refuseTooMany(
	database: Database,
	kind: CreatedKind,
	{accountId, at, now}: Making,
): Promise<void> {
	const bound: Bound = bounds[kind];
	const {name, most = Infinity, aDay = Infinity, reason = 'badArguments'} = bound;
	const holder = holders[bound.counts].replace(/^a/, 'A');
	const isPersons = bound.counts === 'person';
	const accountIds = isPersons
		? await accountsOfPerson(database, accountId, now - DAY)
		: [accountId];
	const whose = {accountIds, at};
	// Count first: its lock serialises all who create such records.
	const made = aDay < Infinity ? await countMade(database, kind, whose, now) : 0;
	if (most < Infinity && (await countPresent(database, kind, whose, now)) > most) {
		throw new Refusal(reason, `${holder} has at most ${most} ${name}.`);
	}
	if (made > aDay) {
		const text = `${holder} makes at most ${aDay} ${name} in 24 hours.`;
		throw new Refusal('tooManyRequests', text, {headers: {'retry-after': '3600'}});
	}
}
