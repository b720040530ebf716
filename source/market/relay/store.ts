/** Ports of relays in the table of instances. */
import {PORTS_OF_RELAYED} from '../../contract/rules/relay.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {tryHold} from '../database/writing.ts';

/** The ports of a relay, and the host name or address that renters are shown. */
export type RelayRange = {readonly host: string; readonly first: number; readonly last: number};

/** A relay by its number; null for the market's own. */
export type NumberedRelay = RelayRange & {readonly id: number | null};

/** First port of the instance range that a port belongs to. */
export function firstRelayedPortOf({first}: RelayRange, port: number): number {
	return port - ((port - first) % PORTS_OF_RELAYED);
}

/** Assigns a relay's ports to a new instance, none if all are taken. Call it in a transaction. */
export async function takeRelayPorts(
	database: Database,
	relay: NumberedRelay,
	instanceId: number,
): Promise<number | undefined> {
	const taken = new Set(await relayPorts(database, relay));
	const count = Math.floor((relay.last - relay.first + 1) / PORTS_OF_RELAYED);
	// Start from the instance's id: two new instances rarely try the same ports, and freed ports
	// stay unused for long.
	for (let step = 0; step < count; step += 1) {
		const port = relay.first + ((instanceId + step) % count) * PORTS_OF_RELAYED;
		if (taken.has(port) || !(await isFree(database, relay, port))) continue;
		await database
			.updateTable('instances')
			.set({relay: relay.host, relay_port: port, relay_id: relay.id})
			.where('id', '=', instanceId)
			.execute();
		return port;
	}
	return undefined;
}

/** True if this transaction holds the ports; another one at the same moment gets others. */
async function isFree(database: Database, relay: NumberedRelay, port: number): Promise<boolean> {
	if (!(await tryHold(database, `relay ${relay.host}`, port))) return false;
	// Read again: the former holder may have taken the ports back since.
	const other = database
		.selectFrom('instances')
		.select('id')
		.where('relay', '=', relay.host)
		.where('relay_port', '=', port)
		.where('destroyed_at', 'is', null);
	return (await other.executeTakeFirst()) === undefined;
}

function relayed(database: Database, {id, host}: Pick<NumberedRelay, 'id' | 'host'>) {
	return database
		.selectFrom('instances')
		.where('relay', '=', host)
		.where('relay_id', id === null ? 'is' : '=', id)
		.where('destroyed_at', 'is', null);
}

export async function relayPorts(
	database: Database,
	relay: NumberedRelay,
): Promise<readonly number[]> {
	const rows = await relayed(database, relay).select('relay_port').execute();
	return rows.flatMap(row => row.relay_port ?? []);
}

type RelayedRow = Pick<
	InstanceRow,
	'id' | 'machine_id' | 'account_id' | 'settings' | 'access' | 'relay_port'
>;

/** The running instance behind a port of a relay. */
export async function findRelayed(
	database: Database,
	relay: NumberedRelay,
	port: number,
): Promise<RelayedRow | undefined> {
	return relayed(database, relay)
		.select(['id', 'machine_id', 'account_id', 'settings', 'access', 'relay_port'])
		.where('relay_port', '=', firstRelayedPortOf(relay, port))
		.where('current', '=', 'running')
		.executeTakeFirst();
}

/** All instances of a relay, with the targets of their ports. */
export async function relayedInstances(
	database: Database,
	relay: NumberedRelay,
): Promise<ReadonlyArray<RelayedRow & Pick<InstanceRow, 'current'>>> {
	return relayed(database, relay)
		.select(['id', 'machine_id', 'account_id', 'settings', 'access', 'relay_port', 'current'])
		.orderBy('relay_port')
		.execute();
}
