/** The relay in the market's own process, which reads the database. */
import type {IncomingMessage} from 'node:http';
import {RELAY_PATH} from '../../contract/rules/relay.ts';
import {authenticate, authorize} from '../api-keys/auth.ts';
import type {Log} from '../base/log.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import type {TakeUpgrade} from '../http/listen.ts';
import {relayedInside} from '../lifecycle/instance-rules.ts';
import {machinesNamed} from '../lifecycle/machines-store.ts';

import {openRelay, type Relay, type RelayedPort, type RelayOptions} from './relay.ts';
import type {OwnRelayRange} from './relays.ts';
import {MOST_MACHINES, portsOf} from './rules.ts';
import {
	findRelayed,
	firstRelayedPortOf,
	relayPorts,
	type NumberedRelay,
	type RelayRange,
} from './store.ts';
import {createUpgrade} from './upgrade.ts';

export type OwnRelayOptions = RelayRange & Pick<RelayOptions, 'limits' | 'pingSeconds'>;

type Surroundings = {readonly database: Database; readonly address: string; readonly log: Log};

type OwnRelay = Relay & {readonly upgrade: TakeUpgrade; readonly place: OwnRelayRange};

export async function openOwnRelay(
	range: OwnRelayOptions,
	{database, address, log}: Surroundings,
): Promise<OwnRelay> {
	const own = {...range, id: null};
	const relay = await openRelay({
		...range,
		address,
		log,
		ports: async () => portsOf(await relayPorts(database, own)),
		find: async port => find(database, own, port),
	});
	const machinesOf = async (request: IncomingMessage) => machinesOfAgent(database, request);
	const open = async (first: number) => relay.open(portsOf([first]));
	return {...relay, upgrade: createUpgrade({machinesOf, relay}), place: {...range, open}};
}

async function find(
	database: Database,
	relay: NumberedRelay,
	port: number,
): Promise<RelayedPort | undefined> {
	const row = await findRelayed(database, relay, port);
	if (row === undefined) return undefined;
	const inside = relayedInside(row)[port - firstRelayedPortOf(relay, port)] ?? 0;
	if (inside === 0) return undefined;
	return {
		instanceId: row.id,
		machineId: row.machine_id,
		accountId: row.account_id,
		port: inside,
	};
}

/** Machines named by an agent that belong to its account. @throws Refusal */
async function machinesOfAgent(
	database: Database,
	{headers, url = ''}: IncomingMessage,
): Promise<readonly number[]> {
	const caller = await authenticate(database, {header: headers.authorization, query: undefined});
	authorize(caller, {permission: 'machine_write', path: RELAY_PATH}, undefined);
	const [, query = ''] = url.split('?', 2);
	const named = new URLSearchParams(query).get('machines') ?? '';
	if (!/^\d{1,15}(,\d{1,15})*$/.test(named)) {
		throw new Refusal('badArguments', 'machines must say for which ones this is offered.');
	}
	const ids = named.split(',').slice(0, MOST_MACHINES).map(Number);
	const own = await machinesNamed(database, caller.accountId, ids);
	if (own.length === 0) throw new Refusal('badArguments', 'None of these machines is yours.');
	return own.map(({id}) => id);
}
