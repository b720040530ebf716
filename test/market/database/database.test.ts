import {spawn} from 'node:child_process';
import {hash} from 'node:crypto';
import {once} from 'node:events';
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {DatabaseSync} from 'node:sqlite';
import {Kysely, sql} from 'kysely';
import {expect, test} from 'vitest';
import {APPLICATION_ID, DatabaseRefused} from '../../../source/market/database/database-file.ts';
import {openDatabase} from '../../../source/market/database/database.ts';
import {BASELINE, steps, VERSION} from '../../../source/market/database/migrations/index.ts';
import type {Tables} from '../../../source/market/database/schema.ts';
import {createDialect, openSqlite} from '../../../source/market/database/sqlite-dialect.ts';

/** A folder that is gone at the end of the test. */
function openFolder() {
	const path = mkdtempSync(join(tmpdir(), 'rentty-database-'));
	return {
		path,
		file: join(path, 'market.db'),
		[Symbol.dispose]: () => rmSync(path, {recursive: true}),
	};
}

/** Every file of a folder with a hash of what is in it. */
function contents(folder: string): ReadonlyMap<string, string> {
	const names = readdirSync(folder).toSorted();
	return new Map(names.map(name => [name, hash('sha256', readFileSync(join(folder, name)))]));
}

function modeOf(path: string): number {
	return statSync(path).mode & 0o777;
}

/** Runs SQL on a file with SQLite alone. */
function run(file: string, text: string): void {
	const sqlite = new DatabaseSync(file);
	sqlite.exec(text);
	sqlite.close();
}

async function makeOurs(file: string): Promise<void> {
	const database = await openDatabase(file);
	await database.destroy();
}

test('a database is made where there is none, for its owner alone', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'some', 'where', 'market.db');
	await makeOurs(file);
	expect(modeOf(file)).toBe(0o600);
	expect(modeOf(join(folder.path, 'some'))).toBe(0o700);
	expect(modeOf(join(folder.path, 'some', 'where'))).toBe(0o700);
	expect(readdirSync(join(folder.path, 'some', 'where'))).toEqual(['market.db']);
});

test('what was written is there when the database is opened again', async () => {
	using folder = openFolder();
	const first = await openDatabase(folder.file);
	await first.insertInto('accounts').values({created_at: 5}).execute();
	await first.destroy();
	const second = await openDatabase(folder.file);
	expect(await second.selectFrom('accounts').selectAll().execute()).toMatchObject([
		{id: 1, created_at: 5},
	]);
	await second.destroy();
});

test('an empty file is taken for a new database', async () => {
	using folder = openFolder();
	writeFileSync(folder.file, '');
	await makeOurs(folder.file);
	expect(readFileSync(folder.file).length).toBeGreaterThan(0);
});

test('an existing database is opened as it is, without a write', async () => {
	using folder = openFolder();
	await makeOurs(folder.file);
	const before = contents(folder.path);
	await makeOurs(folder.file);
	expect(contents(folder.path)).toEqual(before);
});

test('a database that was left half made is finished', async () => {
	using folder = openFolder();
	const half = new Kysely<Tables>({dialect: createDialect(openSqlite(folder.file))});
	await half.destroy();
	run(folder.file, `pragma application_id = ${APPLICATION_ID}`);
	const database = await openDatabase(folder.file);
	expect(await database.selectFrom('offers').select('id').execute()).toEqual([]);
	const mode = await sql`pragma journal_mode`.execute(database);
	expect(mode.rows).toEqual([{journal_mode: 'wal'}]);
	await database.destroy();
});

const text = 'x'.repeat(5000);

test.each<readonly [name: string, make: (file: string) => unknown, says: string]>([
	['a text', file => writeFileSync(file, text), 'is not a database'],
	['a short text', file => writeFileSync(file, 'x'), 'is not a database'],
	[
		'the beginning of a database',
		file => writeFileSync(file, 'SQLite format 3\0'),
		'not a database',
	],
	[
		'a damaged database',
		file => writeFileSync(file, `${'SQLite format 3'.padEnd(68, '\0')}RNTY${text}`),
		'cannot be opened: its file is damaged',
	],
	['a folder', file => mkdirSync(file), 'cannot be opened: that is a folder'],
	['a database without an owner', file => run(file, 'create table t (x)'), 'of another program'],
	[
		'the database of another program',
		file => run(file, 'pragma application_id = 7; create table t (x)'),
		'is a database of another program',
	],
	[
		'a database of another program that counts its versions as we do',
		file => run(file, `pragma user_version = ${VERSION}; create table t (x)`),
		'is a database of another program',
	],
	[
		'a database of another program that writes ahead',
		file => run(file, 'pragma journal_mode = wal; create table t (x)'),
		'is a database of another program',
	],
	[
		'a database of a newer version',
		async file => {
			await makeOurs(file);
			run(file, `pragma user_version = ${VERSION + 1}`);
		},
		'was made by a newer version of this program',
	],
	[
		'a database of before the first release',
		async file => {
			await makeOurs(file);
			run(file, `pragma user_version = ${BASELINE - 1}`);
		},
		'open it once with version 0.1.0',
	],
])('%s is refused, and nothing is written', async (_, make, says) => {
	using folder = openFolder();
	await make(folder.file);
	const isFolder = statSync(folder.file).isDirectory();
	const before = isFolder ? readdirSync(folder.path) : contents(folder.path);
	const refused = openDatabase(folder.file);
	await expect(refused).rejects.toThrow(DatabaseRefused);
	await expect(refused).rejects.toThrow(`${folder.file} `);
	await expect(refused).rejects.toThrow(says);
	expect(isFolder ? readdirSync(folder.path) : contents(folder.path)).toEqual(before);
});

test('a newer version is noticed even where it did not get to write into the file itself', async () => {
	using folder = openFolder();
	await makeOurs(folder.file);
	const newer = new DatabaseSync(folder.file);
	newer.exec('pragma user_version = 999');
	const killed = join(folder.path, 'killed');
	mkdirSync(killed);
	for (const end of ['', '-wal', '-shm']) {
		copyFileSync(folder.file + end, join(killed, `market.db${end}`));
	}
	newer.close();
	// The third file is where processes agree on who reads: it is no part of the data.
	const data = () => new Map([...contents(killed), ['market.db-shm', '']]);
	const before = data();
	const file = join(killed, 'market.db');
	await expect(openDatabase(file)).rejects.toThrow('database version 999');
	expect(data()).toEqual(before);
});

test('a place where no file can be is refused', async () => {
	using folder = openFolder();
	writeFileSync(folder.file, text);
	const file = join(folder.file, 'below.db');
	await expect(openDatabase(file)).rejects.toThrow(DatabaseRefused);
	await expect(openDatabase(file)).rejects.toThrow(
		'cannot be opened: a part of that path is a file and no folder',
	);
});

/** A program that opens each of its arguments when the clock says so, and adds an account. */
const opener = `
	import {openDatabase} from ${JSON.stringify(import.meta.resolve('../../../source/market/database/database.ts'))};
	process.send('ready');
	const [files] = await new Promise(resolve => process.once('message', resolve));
	for (const {file, at} of files) {
		while (Date.now() < at);
		const database = await openDatabase(file);
		await database.insertInto('accounts').values({created_at: at}).execute();
		await database.destroy();
	}
	process.disconnect();
`;

test('several processes may make one database at once', async () => {
	using folder = openFolder();
	const processes = Array.from({length: 4}, () =>
		spawn(process.execPath, ['--input-type=module', '-e', opener], {
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		}),
	);
	await Promise.all(processes.map(async child => once(child, 'message')));
	const start = Date.now() + 50;
	const files = Array.from({length: 8}, (_, index) => ({
		file: join(folder.path, `${index}.db`),
		at: start + index * 40,
	}));
	for (const child of processes) child.send([files]);
	const ends = await Promise.all(processes.map(async child => once(child, 'exit')));
	expect(ends.map(([code]: readonly unknown[]) => code)).toEqual([0, 0, 0, 0]);
	for (const {file} of files) {
		const database = await openDatabase(file);
		expect(await database.selectFrom('accounts').selectAll().execute()).toHaveLength(4);
		const mode = await sql`pragma journal_mode`.execute(database);
		expect(mode.rows).toEqual([{journal_mode: 'wal'}]);
		await database.destroy();
	}
});

test('the version before goes on while a step changes the tables', async () => {
	const sqlite = openSqlite(':memory:');
	const database = new Kysely<Tables>({dialect: createDialect(sqlite)});
	const read = async () => {
		const {rows} = await sql<{name: string; isNeeded: number}>`
			select tables.name || '.' || columns.name as name,
				columns."notnull" and columns.dflt_value is null as "isNeeded"
			from pragma_table_list as tables, pragma_table_info(tables.name) as columns
			where tables.schema = 'main'`.execute(database);
		return new Map(rows.map(({name, isNeeded}) => [name, isNeeded === 1]));
	};
	const inTheWay: string[] = [];
	let before = await read();
	for (const {take} of steps) {
		await take(database);
		const after = await read();
		const tables = new Set([...before.keys()].map(name => name.split('.')[0]));
		const gone = [...before.keys()].filter(name => !after.has(name));
		// A table that was there is written without what is new in it.
		const isNew = (name: string) => before.get(name) !== true && tables.has(name.split('.')[0]);
		const needed = [...after].filter(([name, isNeeded]) => isNeeded && isNew(name));
		inTheWay.push(...gone, ...needed.map(([name]) => `${name} without a default`));
		before = after;
	}
	await database.destroy();
	expect(inTheWay).toEqual([]);
});
