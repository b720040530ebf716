/** Every call is made with a key that ends once it was read, while the call waits for its turn. */
import type {Updateable} from 'kysely';
import {expect, test} from 'vitest';
import {hashOf} from '../../source/market/api-keys/store.ts';
import type {Tables} from '../../source/market/database/schema.ts';
import {afterRead} from '../helpers/market/after-read.ts';
import {
	changesBetween,
	changingOperations,
	makeCall,
	wholeCall,
	world,
} from '../helpers/rights/changing.ts';
import {databaseWith, rowsOf} from '../helpers/rights/copy.ts';
import type {Operation} from '../helpers/rights/records.ts';
import type {pairs} from '../helpers/rights/world.ts';
import {TEST_NOW} from '../helpers/market/market.ts';

/** Calls that are carried out all the same, and why. */
const carriedOut: ReadonlySet<string> = new Set([
	// Agents say what is so, thousands of them every second, and get no rights by it.
	'hosts.answer',
	'hosts.disconnect',
	'hosts.heartbeat',
	'hosts.publish',
	'hosts.report',
	'hosts.reportCopy',
	'hosts.reportCopyDoor',
	'hosts.withdraw',
	// It writes nothing.
	'notifications.testWebhook',
	// No key of an account is sent.
	'payments.receive',
	'relays.ports',
]);

/** Whoever changes something by a call, by the hash of the key. */
async function callerOf(operation: Operation, content: Uint8Array) {
	const database = await databaseWith(content);
	try {
		const call = async (pair: (typeof pairs)[number]) => makeCall(database, operation, pair);
		return (await wholeCall(operation, database, call)).pair;
	} finally {
		await database.destroy();
	}
}

const ends: ReadonlyArray<Updateable<Tables['api_keys']>> = [
	{deleted_at: TEST_NOW},
	{hash: hashOf('another value')},
	{permissions: JSON.stringify({api: {misc: {}}})},
];

test.each(changingOperations)(
	'$name goes no further where its key was deleted, reset or limited while it waited',
	async operation => {
		const {content, keys} = await world;
		const pair = await callerOf(operation, content);
		const hash = hashOf(keys[pair[0]] ?? '');
		for (const end of ends) {
			const database = await databaseWith(content);
			try {
				let before = await rowsOf(database);
				const late = afterRead(database, {
					of: 'cappedBy',
					async act() {
						await database.updateTable('api_keys').set(end).where('hash', '=', hash).execute();
						before = await rowsOf(database);
					},
				});
				const {posts} = await makeCall(late, operation, pair);
				const changes = [...posts, ...changesBetween(before, await rowsOf(database))];
				if (carriedOut.has(operation.name)) expect(changes).not.toEqual([]);
				else expect([end, changes]).toEqual([end, []]);
			} finally {
				await database.destroy();
			}
		}
	},
);
