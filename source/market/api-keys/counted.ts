/** Calls that a key with a cap may make. */
import {isReading, type Endpoint} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import type {ApiKey} from '../base/api-key.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {notRentedBy} from './caps-store.ts';

/**
 * Parts of a call that name instances, by the position of their ids; `counted` for calls that name
 * none.
 */
type Named = 'id' | 'ids' | 'IDs' | 'instance_ids' | 'counted';

const {apiKeys, instances} = contract;

/**
 * Changing calls open to keys with a cap. The instances that they name must have been rented within
 * the cap; any other changing call is refused, because its cost would not count towards the cap.
 */
const allowed: ReadonlyMap<Endpoint, Named> = new Map<Endpoint, Named>([
	[instances.create, 'counted'],
	[instances.createMany, 'counted'],
	[instances.launch, 'counted'],
	[instances.change, 'id'],
	[instances.changeMany, 'ids'],
	[instances.startMany, 'IDs'],
	[instances.changeBid, 'id'],
	[instances.setLease, 'id'],
	[instances.destroy, 'id'],
	[instances.destroyMany, 'instance_ids'],
	[instances.reboot, 'id'],
	[instances.recycle, 'id'],
	[instances.rebuild, 'id'],
	[instances.execute, 'id'],
	[instances.attachSshKey, 'id'],
	[instances.detachSshKey, 'id'],
	// Limits apply only to keys of the same cap.
	[apiKeys.create, 'counted'],
	[apiKeys.delete, 'counted'],
	[apiKeys.reset, 'counted'],
]);

type Called = {
	readonly endpoint: Endpoint;
	readonly parts: {readonly params?: unknown; readonly body?: unknown};
};

/** @throws Refusal of a call that a key with a cap may not make */
export async function refuseUncounted(
	database: Database,
	caller: Pick<ApiKey, 'capped'> | undefined,
	{endpoint, parts}: Called,
): Promise<void> {
	const capped = caller?.capped;
	if (capped === undefined || isReading(endpoint)) return;
	const named = allowed.get(endpoint);
	if (named === undefined) {
		throw new Refusal(
			'beyondCap',
			'A key with a cap rents instances, and ends and enters its own: nothing else.',
		);
	}
	const [other] = await notRentedBy(database, capped.keyId, idsOf(named, parts));
	if (other === undefined) return;
	throw new Refusal(
		'beyondCap',
		`Instance ${other} was not rented within the cap of this key, which changes its own alone.`,
	);
}

function idsOf(named: Named, {params, body}: Called['parts']): readonly number[] {
	if (named === 'counted') return [];
	const place = named === 'id' ? params : body;
	const value = isRecord(place) ? place[named] : undefined;
	return [value].flat().map(Number);
}
