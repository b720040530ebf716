/** Opens a market's database on PostgreSQL, for any number of processes. */
import {Kysely} from 'kysely';
import type {Changes} from '../changes.ts';
import {unreadable, DatabaseRefused} from '../database-file.ts';
import type {Tables} from '../schema.ts';
import {readAddress} from './address.ts';
import {openChangeLog} from './change-log.ts';
import {Pool} from './connections.ts';
import {createPostgresDialect} from './dialect.ts';
import {migratePostgres} from './migrate.ts';
import {joinPeers, type Peers} from './peers.ts';

/** Connections of one process. */
const MOST_CONNECTIONS = 10;

export async function openPostgres(place: string, changes?: Changes): Promise<Kysely<Tables>> {
	const address = readAddress(place);
	const pool = new Pool(address, MOST_CONNECTIONS);
	let peers: Peers | undefined;
	const dialect = createPostgresDialect(pool, {
		onWrite: () => peers?.tell(),
		onClose: async () => peers?.close(),
	});
	const database = new Kysely<Tables>({dialect});
	try {
		await migratePostgres(database, dialect, place);
		changes?.watch((note, back) => {
			const {others, catchUp} = openChangeLog(pool, note);
			// What fails is tried again by whoever wants to know.
			const heard = () => void catchUp().catch(() => undefined);
			peers = joinPeers(address, {heard, back});
			return {others, catchUp, leads: peers.leads, connections: () => pool.counts()};
		});
		return database;
	} catch (error) {
		await database.destroy();
		throw error instanceof DatabaseRefused ? error : unreadable(place, error);
	}
}
