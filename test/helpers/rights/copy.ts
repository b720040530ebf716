/** Markets that begin with the same content, which are cheap to make. */
import {DatabaseSync} from 'node:sqlite';
import {Kysely} from 'kysely';
import {createApp} from '../../../source/market/server.ts';
import type {Tables} from '../../../source/market/database/schema.ts';
import {createDialect} from '../../../source/market/database/sqlite-dialect.ts';
import {createHandClock, testServices, TEST_NOW} from '../market.ts';

const nothing = async () => undefined;

/** A market without a socket, in a database of its own with this content. */
export function openCopy(content: Uint8Array) {
	const sqlite = new DatabaseSync(':memory:');
	sqlite.deserialize(content);
	const database = new Kysely<Tables>({dialect: createDialect(sqlite)});
	let posts = 0;
	const post = async () => void posts++;
	const services = {
		...testServices(database, createHandClock(TEST_NOW)),
		signUp: 'open' as const,
		// What is kept of calls comes a moment later, and sends go nowhere.
		history: {see: () => undefined, note: () => undefined, flush: nothing, stop: nothing},
		poster: {objection: () => undefined, post},
	};
	const counted = sqlite.prepare('select total_changes() as count');
	return {
		app: createApp(services, () => undefined),
		changes: () => posts + Number(counted.get()?.['count'] ?? 0),
		close: async () => database.destroy(),
	};
}
