/** Caps of keys: what they use, and the refusal of more. */
import {capProblem, type CapUse} from '../../contract/grammar/caps.ts';
import type {Capped} from '../base/api-key.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {capUseOf, leaseProblem} from './caps-rules.ts';
import {readCapFacts} from './caps-store.ts';

type Change = {
	readonly capped: Capped | undefined;
	/** Instance whose lease was set or changed; undefined if no lease changed. */
	readonly leaseOf?: number;
	readonly now: number;
};

/**
 * Refuses a change beyond the cap of its key. Call it in the transaction that changes something, after
 * the change, with the account held: a refusal undoes it.
 *
 * @throws Refusal if the key's instances now use more than its cap
 */
export async function refuseBeyondCap(
	database: Database,
	{capped, leaseOf, now}: Change,
): Promise<void> {
	if (capped === undefined) return;
	const facts = await readCapFacts(database, capped.keyId, now);
	const changed = facts.instances.find(({id}) => id === leaseOf);
	const problem =
		(changed && leaseProblem(capped.cap, changed.lease, now)) ??
		capProblem(capped.cap, capUseOf(facts), 'The cap of this key');
	if (problem !== undefined) {
		throw new Refusal('beyondCap', `${problem} Nothing was changed.`);
	}
}

export async function readCapUse(
	database: Database,
	{keyId}: Capped,
	now: number,
): Promise<CapUse> {
	return capUseOf(await readCapFacts(database, keyId, now));
}
