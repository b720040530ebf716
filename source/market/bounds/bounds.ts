/** Bounds of what accounts have and make, by the one table of the contract. */
import {bounds, holders, type Bound, type Made} from '../../contract/grammar/bounds.ts';
import {Refusal} from '../base/refusal.ts';
import {countMade, countPresent} from './store.ts';
import type {Database} from '../database/database.ts';
import {accountsOfPerson} from '../ledger/accounts-store.ts';

const DAY = 86_400;

type Making = {
	/** Account that makes it, or the team that it is of. */
	readonly accountId: number;
	/** Instance or machine that it belongs to, for kinds that are counted by it. */
	readonly at?: number;
	readonly now: number;
};

/**
 * Refuses one thing too many. Call it in the transaction that makes the thing, behind that: what was
 * there already is no other one, and what is refused is undone.
 *
 * @throws Refusal where there are more than the table allows
 */
export async function refuseTooMany(
	database: Database,
	kind: Made,
	{accountId, at, now}: Making,
): Promise<void> {
	const bound: Bound = bounds[kind];
	const {name, most = Infinity, aDay = Infinity, reason = 'badArguments'} = bound;
	const holder = holders[bound.counts].replace(/^a/, 'A');
	const isPersons = bound.counts === 'person';
	const accountIds = isPersons ? await accountsOfPerson(database, accountId) : [accountId];
	const whose = {accountIds, at};
	if (most < Infinity && (await countPresent(database, kind, whose, now)) > most) {
		throw new Refusal(reason, `${holder} has at most ${most} ${name}.`);
	}
	if (aDay < Infinity && (await countMade(database, kind, whose, now - DAY)) > aDay) {
		const text = `${holder} makes at most ${aDay} ${name} in 24 hours.`;
		throw new Refusal('tooManyRequests', text, {headers: {'retry-after': '3600'}});
	}
}
