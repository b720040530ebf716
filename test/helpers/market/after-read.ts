/** What happens between the read of a row and its use, as another process does it. */
import {sql} from 'kysely';
import type {Database} from '../../../source/market/database/database.ts';
import {openDatabase} from './postgres.ts';
import {openUnder} from '../rights/copy.ts';
import {waitFor} from '../wait-for.ts';

type Row = Readonly<Record<string, unknown>>;

type Read = {
	/** A field of the row, by which its read is known, or a test of the row. */
	readonly of: string | ((row: Row) => boolean);
	readonly act: () => Promise<unknown>;
};

/** A database on which something is done once, after such a read and before its reader has it. */
export function afterRead(database: Database, {of, act}: Read): Database {
	const isIt = typeof of === 'string' ? (row: Row) => of in row : of;
	let isDone = false;
	return database.withPlugin({
		transformQuery: ({node}) => node,
		async transformResult({result}) {
			if (!isDone && result.rows[0] !== undefined && isIt(result.rows[0])) {
				isDone = true;
				await act();
			}
			return result;
		},
	});
}

/** A field of the row by which a call's key is known. */
const OF_KEYS = 'cappedBy';

type Late = {
	/** File of the market's database. */
	readonly file: string;
	readonly key: string;
	/** @default the key of the call */
	readonly of?: Read['of'];
	readonly act: Read['act'];
};

/** Makes a call. Something is done once its key was read, or another row. */
export async function callLate(
	{file, key, of = OF_KEYS, act}: Late,
	...[method, path, body]: readonly [string, string, unknown?]
) {
	const database = await openDatabase(file);
	try {
		const {app} = openUnder(afterRead(database, {of, act}));
		const response = await app.request(`http://market/api/v0${path}`, {
			method,
			headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
		const reply: unknown = await response.json();
		return {status: response.status, body: reply};
	} finally {
		await database.destroy();
	}
}

/** Waits until something is done, or waits for a lock of PostgreSQL. */
export async function doneOrHeld(database: Database, doing: Promise<unknown>): Promise<void> {
	let isDone = false;
	void doing.finally(() => (isDone = true));
	await waitFor(async () => {
		const {rows} = await sql`select pid from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
		if (!isDone && rows.length === 0) throw new Error('neither done nor held');
	});
}
