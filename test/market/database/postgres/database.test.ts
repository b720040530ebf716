import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {DatabaseLost, OutcomeUnknown} from '../../../../source/market/database/database-trouble.ts';
import {openDatabase} from '../../../../source/market/database/database.ts';
import {
	insertMadeUpMachines,
	offerMachine,
} from '../../../../source/market/lifecycle/machines-store.ts';
import {readMoment, writeMoment} from '../../../../source/market/database/moments.ts';
import {readAddress} from '../../../../source/market/database/postgres/address.ts';
import {openChangeLog} from '../../../../source/market/database/postgres/change-log.ts';
import {connect, Pool} from '../../../../source/market/database/postgres/connections.ts';
import {writing} from '../../../../source/market/database/writing.ts';
import {soleAccount} from '../../../../source/market/ledger/accounts-store.ts';
import {noPostgres} from '../../../helpers/market/postgres-server.ts';
import {databaseOnPostgres, openTwo} from '../../../helpers/market/postgres.ts';

test.skipIf(noPostgres !== undefined)(
	'whole numbers, sums and fractions are numbers, and none is rounded in silence',
	async () => {
		await using world = await openTwo();
		const {database} = world.one;
		const {rows} = await sql`
		select count(*) as count, sum(cast(9 as bigint)) as sum, cast(0.1 as double precision) as part
	`.execute(database);
		expect(rows).toEqual([{count: 1, sum: 9, part: 0.1}]);
		const tooMuch = sql`select cast(9007199254740993 as bigint) as much`.execute(database);
		await expect(tooMuch).rejects.toThrow('more than a number counts exactly');
	},
);

test.skipIf(noPostgres !== undefined)(
	'a fraction can be compared with whole numbers, and text with any order of bytes',
	async () => {
		await using world = await openTwo();
		const {database} = world.one;
		await writing(database, async transaction => {
			for (const name of ['b', 'B', 'ä', 'a']) await writeMoment(transaction, name, 1);
		});
		const names = await database.selectFrom('moments').select('name').orderBy('name').execute();
		expect(names.map(({name}) => name)).toEqual(['B', 'a', 'b', 'ä']);
		const found = database.selectFrom('accounts').select('id').where('id', '<', 1.5);
		expect(await found.execute()).toEqual([]);
	},
);

test.skipIf(noPostgres !== undefined)(
	'what two processes read and then write is never lost',
	async () => {
		await using world = await openTwo();
		const count = async ({database}: typeof world.one) =>
			writing(database, async transaction => {
				const before = await readMoment(transaction, 'count');
				await writeMoment(transaction, 'count', Math.max(0, before) + 1);
			});
		await Promise.all(
			Array.from({length: 40}, async (_, index) =>
				count(index % 2 === 0 ? world.one : world.other),
			),
		);
		expect(await readMoment(world.one.database, 'count')).toBe(40);
	},
);

test.skipIf(noPostgres !== undefined)(
	'what another process commits is told row by row, and what it undoes is not',
	async () => {
		await using world = await openTwo();
		const {one, other} = world;
		const {id} = await soleAccount(one.database, 'host', 1);
		await other.changes.catchUp();
		const before = other.changes.ofOthers();
		const machine = {account_id: id, name: 'm', num_gpus: 1, busy_mask: 0};
		await writing(one.database, async transaction => {
			const {id: machineId} = await offerMachine(transaction, machine);
			const change = transaction.updateTable('machines').set({disk_until: 1});
			await change.where('id', '=', machineId).execute();
		});
		const known = other.changes.ofAccount(id);
		await other.changes.catchUp();
		expect(other.changes.ofAccount(id)).toBe(known + 1);
		const failing = writing(one.database, async transaction => {
			await transaction.updateTable('machines').set({disk_until: 2}).execute();
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
		await other.changes.catchUp();
		expect(other.changes.ofAccount(id)).toBe(known + 1);
		expect(other.changes.ofOthers()).toBe(before);
	},
);

test.skipIf(noPostgres !== undefined)(
	'changes that everybody knows are forgotten, once all transactions before them have ended',
	async () => {
		await using world = await openTwo();
		const {database} = world.one;
		const pool = new Pool(readAddress(world.place), 1);
		const log = openChangeLog(pool, () => undefined, 0);
		const kept = async () => {
			await log.catchUp();
			return (await sql<{readonly id: number}>`select id from changes`.execute(database)).rows;
		};
		// As a backup of another server brings them.
		await sql`insert into changes values ('9000000000000', 'offer', 7)`.execute(database);
		expect(await kept()).toEqual([]);
		const before = await connect(readAddress(world.place));
		await before.query('begin');
		await before.query('select pg_current_xact_id()');
		await sql`insert into changes values (pg_current_xact_id(), 'offer', 7)`.execute(database);
		for (let read = 0; read < 3; read++) expect(await kept()).toEqual([{id: 7}]);
		await before.end();
		// Other tests have transactions of their own on this server.
		await expect.poll(kept).toEqual([]);
		await pool.close();
	},
);

test.skipIf(noPostgres !== undefined)(
	'one of several processes leads, and when it goes another does',
	async () => {
		await using world = await openTwo();
		const {one, other} = world;
		expect([await one.changes.leads(), await other.changes.leads()]).toEqual([true, false]);
		expect(await one.changes.leads()).toBe(true);
		await one.database.destroy();
		await expect.poll(async () => other.changes.leads()).toBe(true);
	},
);

test.skipIf(noPostgres !== undefined)(
	'machines that hosts publish are numbered behind those that were made up',
	async () => {
		await using world = await openTwo();
		const {database} = world.one;
		const {id} = await soleAccount(database, 'host', 1);
		const facts = {account_id: id, num_gpus: 1, busy_mask: 0};
		await insertMadeUpMachines(database, [{...facts, id: 7, host_id: 1, name: 'made up'}]);
		expect(await offerMachine(database, {...facts, name: 'real'})).toMatchObject({id: 8});
	},
);

test.skipIf(noPostgres !== undefined)(
	'a connection that is cut says whether anything can have been kept',
	async () => {
		await using world = await openTwo();
		const {one, other} = world;
		const cut = async () =>
			sql`select pg_terminate_backend(pid) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid()`.execute(other.database);
		const inTransaction = writing(one.database, async transaction => {
			await writeMoment(transaction, 'lost', 1);
			await cut();
			await writeMoment(transaction, 'lost', 2);
		});
		await expect(inTransaction).rejects.toBeInstanceOf(DatabaseLost);
		expect(await readMoment(other.database, 'lost')).toBe(-Infinity);
		const atItsEnd = writing(one.database, async transaction => {
			await writeMoment(transaction, 'doubtful', 1);
			await cut();
		});
		const failure: unknown = await atItsEnd.catch((error: unknown) => error);
		// Where the cut was noticed before COMMIT was sent, it is certain that nothing was kept.
		if (failure instanceof DatabaseLost) {
			expect(await readMoment(other.database, 'doubtful')).toBe(-Infinity);
		} else expect(failure).toBeInstanceOf(OutcomeUnknown);
	},
);

test.skipIf(noPostgres !== undefined)(
	'a database of another program is left as it is, and so is a newer one',
	async () => {
		await using world = await openTwo();
		const {place, one} = world;
		await sql`update market set version = 1000`.execute(one.database);
		await expect(openDatabase(place)).rejects.toThrow('made by a newer version');
		await sql`alter table market rename to something`.execute(one.database);
		await expect(openDatabase(place)).rejects.toThrow('a database of another program');
	},
);

test.skipIf(noPostgres !== undefined)(
	'a connection that is there only after its pool was closed is ended',
	async () => {
		const address = readAddress(await databaseOnPostgres());
		const pool = new Pool(address, 2);
		const first = await pool.take();
		// One more is opened for whoever waits, who then gets the first.
		const second = pool.take();
		pool.give(first, false);
		expect(await second).toBe(first);
		pool.give(first, false);
		await pool.close();
		// Whatever was on its way before this one is there when this is.
		const watcher = await connect(address);
		const others = async () =>
			watcher.query<{query: string}>(`select query from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid()`);
		await expect.poll(async () => (await others()).rows).toEqual([]);
		await watcher.end();
	},
);
