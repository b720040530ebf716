import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {createInstanceLists} from '../../../source/market/instances/instance-lists.ts';
import {instanceSqlColumns} from '../../../source/market/instances/columns-rules.ts';
import {instanceRecord} from '../../../source/market/instances/record-rules.ts';
import {makeUpOffers} from '../../../source/market/seed/made-up-offers.ts';
import {createChanges} from '../../../source/market/database/changes.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {
	countLabels,
	mountedVolumes,
	rentedRows,
} from '../../../source/market/instances/lists-store.ts';
import {updateInstance} from '../../../source/market/lifecycle/instances-store.ts';
import {deleteLease, leasesOf, writeLease} from '../../../source/market/leases/store.ts';
import {insertVolume} from '../../helpers/market/billing.ts';
import {readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {runs} from '../../helpers/property.ts';

let made = 0;

/** What may happen to a list: to one of its instances, its offer or its volumes, or beside it. */
const actions = {
	label: async (database: Database, id: number) => {
		await updateInstance(database, id, {label: `label ${++made}`});
	},
	bill: async (database: Database, id: number) => {
		await updateInstance(database, id, {billed_until: TEST_NOW + 9});
	},
	report: async (database: Database, id: number) => {
		const usage = JSON.stringify({cpu_util: ++made});
		await updateInstance(database, id, {usage, running_since: TEST_NOW - 60});
	},
	end: async (database: Database, id: number) => {
		await updateInstance(database, id, {destroyed_at: TEST_NOW});
	},
	offer: async (database: Database, id: number) => {
		const score = ++made;
		const {ask_id} = await readInstance(database, id);
		await database.updateTable('offers').set({score}).where('id', '=', ask_id).execute();
	},
	mount: async (database: Database, id: number) => {
		const {machine_id, ask_id} = await readInstance(database, id);
		await insertVolume(database, {machine_id, ask_id, size_gb: 5, storage_micros: 1});
		const volume_id = sql<number>`(select max(id) from volumes)`;
		await database
			.insertInto('mounts')
			.values({instance_id: id, volume_id, path: '/data'})
			.execute();
	},
	unmount: async (database: Database, id: number) => {
		await database.deleteFrom('mounts').where('instance_id', '=', id).execute();
	},
	lease: async (database: Database, id: number) => {
		const terms = {action: 'stop', grace_seconds: 0, keep: 0, changed_at: TEST_NOW} as const;
		const max_cost_micros = ++made;
		await writeLease(database, {instance_id: id, ends_at: null, max_cost_micros, ...terms});
	},
	release: async (database: Database, id: number) => {
		await deleteLease(database, id);
	},
	rollBack: async (database: Database, id: number) => {
		const failed = database.transaction().execute(async transaction => {
			await updateInstance(transaction, id, {label: 'never'});
			throw new Error('rolled back');
		});
		await expect(failed).rejects.toThrow('rolled back');
	},
};

const action = fc.record({
	name: fc.constantFrom(
		...(['label', 'bill', 'report', 'end', 'offer', 'mount', 'unmount'] as const),
		...(['lease', 'release', 'rollBack'] as const),
	),
	index: fc.nat(4),
	/** Whether another process does it. */
	byOther: fc.boolean(),
} as const);

test('a list that is kept says what one that is read anew says, byte for byte, whatever happens', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(action, {maxLength: 12}), async story => {
			await using world = await openWorld();
			let now = TEST_NOW;
			for (const {name, index, byOther} of story) {
				const {database, other, ids} = world;
				await actions[name](byOther ? other : database, ids[index] ?? 0);
				now += 0.25;
				expect(await world.kept(now)).toBe(await world.anew(now));
				expect(await world.keptLabels()).toEqual(await world.labels());
			}
		}),
		{numRuns: runs(25)},
	);
});

test('a list that did not change is not read again', async () => {
	await using world = await openWorld();
	await world.kept(TEST_NOW);
	const before = world.statements();
	await world.kept(TEST_NOW + 1);
	expect(world.statements()).toBe(before);
});

test('labels are counted by what offers say now', async () => {
	await using world = await openWorld();
	const count = async () =>
		world.lists.labels(world.accountId, [{field: 'inet_up', operator: 'gte', value: 5}]);
	await world.database.updateTable('offers').set({inet_up: 9}).execute();
	expect(await count()).toEqual([{label: '', count: 5}]);
	await world.database.updateTable('offers').set({inet_up: 1}).execute();
	expect(await count()).toEqual([]);
});

/** A file with instances, which two processes have open; only one of them notes what it changes. */
async function openWorld() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-lists-'));
	const file = join(folder, 'market.db');
	const changes = createChanges();
	const database = await openDatabase(file, changes);
	await makeUpOffers(database, {offers: 30}, TEST_NOW);
	const other = await openDatabase(file);
	const rows = [];
	for (let count = 0; count < 5; count++) rows.push(await rentRunning(database));
	const [first] = rows;
	if (first === undefined) throw new Error('nothing was rented');
	const {account_id: accountId} = first;
	let statements = 0;
	const counted = database.withPlugin({
		transformQuery({node}) {
			statements += 1;
			return node;
		},
		transformResult: async ({result}) => result,
	});
	const lists = createInstanceLists(counted, changes);
	return {
		database,
		lists,
		accountId,
		other,
		ids: rows.map(({id}) => id),
		statements: () => statements,
		kept: async (now: number) => lists.write(accountId, await lists.ids(accountId), now),
		async anew(now: number) {
			const volumes = await mountedVolumes(database, accountId);
			const leases = await leasesOf(database, accountId);
			const shown = await rentedRows(database, {accountId}, instanceSqlColumns);
			const instances = shown.map(row => instanceRecord(row, {now, volumes, leases}));
			return JSON.stringify({success: true, instances_found: instances.length, instances});
		},
		keptLabels: async () => lists.labels(accountId, []),
		labels: async () => countLabels(database, {accountId}),
		async [Symbol.asyncDispose]() {
			await other.destroy();
			await database.destroy();
			rmSync(folder, {recursive: true});
		},
	};
}
