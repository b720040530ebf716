/** The operator's actions on relays beside the market. */
import {RELAY_PORT} from '../../contract/nouns/relays.ts';
import {hashOf, newKeyValue} from '../api-keys/store.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import type {RelayRow} from '../database/relay-tables.ts';
import {writing} from '../database/writing.ts';
import {
	updateRelayRow,
	countRelayed,
	findRelay,
	insertRelay,
	listRelays,
	type NewRelay,
} from './relays-store.ts';

type Adding = Omit<NewRelay, 'url'> & {readonly url?: string | undefined};

type Changing = {
	readonly id: number;
	readonly is_open?: boolean | undefined;
	readonly new_key?: boolean | undefined;
};

export function relayCalls(database: Database, now: () => number) {
	return {
		async relays() {
			const counts = await countRelayed(database);
			const rows = await listRelays(database);
			return {relays: rows.map(row => recordOf(row, counts.get(row.id) ?? 0))};
		},
		async addRelay({url, ...adding}: Adding) {
			const written = url ?? `https://${hostInUrl(adding.host)}:${RELAY_PORT}`;
			const relay = {...adding, url: written.replace(/\/$/, '')};
			const {id, key} = await writing(database, async transaction => {
				refuseOverlap(relay, await listRelays(transaction));
				return insertRelay(transaction, relay, now());
			});
			return {success: true, id, api_key: key} as const;
		},
		async changeRelay({id, is_open: isOpen, new_key: isRenewed = false}: Changing) {
			const key = newKeyValue();
			const {name} = await writing(database, async transaction => {
				const relay = await presentRelay(transaction, id);
				const fields = {
					...(isOpen !== undefined && {is_open: isOpen ? (1 as const) : (0 as const)}),
					...(isRenewed && {hash: hashOf(key)}),
				};
				if (Object.keys(fields).length > 0) await updateRelayRow(transaction, id, fields);
				return relay;
			});
			const msg: string = `Relay ${name} is changed.`;
			const shown: {readonly api_key?: string | undefined} = isRenewed ? {api_key: key} : {};
			return {success: true as const, msg, ...shown};
		},
		async removeRelay(id: number) {
			const {name} = await writing(database, async transaction => {
				const relay = await presentRelay(transaction, id);
				await updateRelayRow(transaction, id, {removed_at: now()});
				return relay;
			});
			const msg: string = `Relay ${name} is removed: its key has ended.`;
			return {success: true as const, msg};
		},
	};
}

function hostInUrl(host: string): string {
	return host.includes(':') ? `[${host}]` : host;
}

/** @throws Refusal for a name that is taken, or ports of another relay at the same host */
function refuseOverlap({name, host, ...ports}: Adding, others: readonly RelayRow[]): void {
	for (const other of others) {
		if (other.name === name) throw new Refusal('badArguments', `There is a relay ${name} already.`);
		const isApart =
			other.host !== host ||
			other.last_port < ports.first_port ||
			other.first_port > ports.last_port;
		if (!isApart) throw new Refusal('badArguments', `Relay ${other.name} has some of these ports.`);
	}
}

async function presentRelay(database: Database, id: number): Promise<RelayRow> {
	const relay = await findRelay(database, id);
	if (relay === undefined) throw new Refusal('noSuchRelay', `There is no relay ${id}.`);
	return relay;
}

function recordOf({is_open: isOpen, ...row}: RelayRow, instances: number) {
	const {hash: _hash, created_at: _created, removed_at: _removed, ...shown} = row;
	return {...shown, is_open: isOpen === 1, instances};
}
