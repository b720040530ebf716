/** Authentication of a relay by its own key, which belongs to no account. */
import {sentKey, type Credentials} from '../api-keys/auth.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import type {RelayRow} from '../database/relay-tables.ts';
import {findRelayByKey} from './relays-store.ts';

/** @throws Refusal unless the key belongs to a present relay */
export async function authenticateRelay(
	database: Database,
	{header}: Credentials,
): Promise<RelayRow> {
	if (header === undefined) throw new Refusal('loginRequired', 'This action requires login.');
	const value = sentKey({header, query: undefined});
	const relay = value === undefined ? undefined : await findRelayByKey(database, value);
	if (relay === undefined) throw new Refusal('unknownKey', 'This is not the key of a relay.');
	return relay;
}
