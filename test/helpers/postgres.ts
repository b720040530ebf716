/**
 * A real PostgreSQL for tests: one server for a whole run, started by whoever wants it first, in a
 * folder that the end of the run takes away, with a database for each test.
 */
import {execFile, execFileSync} from 'node:child_process';
import {hash, randomBytes} from 'node:crypto';
import {chownSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';
import type {Changes} from '../../source/market/store/changes.ts';
import {openDatabase as openPlace} from '../../source/market/store/database.ts';
import type {Database} from '../../source/market/store/database.ts';
import {readAddress} from '../../source/market/store/postgres/address.ts';
import {connect} from '../../source/market/store/postgres/connections.ts';
import type {Client} from '../../source/market/store/postgres/connections.ts';

const run = promisify(execFile);

const [programs = ''] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();

/** Why there is none; undefined where there is. */
export const noPostgres = programs === '' ? 'PostgreSQL is not installed' : undefined;

/** Whether every test that wants a database is to have one there. */
export const onPostgres = process.env['MARKET_DATABASE'] === 'postgres';

/** Quick, and nothing is to outlast a power cut. */
const QUICK = [
	'fsync=off',
	'full_page_writes=off',
	'synchronous_commit=off',
	'wal_level=minimal',
	'max_wal_senders=0',
	'max_connections=400',
	'shared_buffers=64MB',
];

/** The server refuses to run as root. */
function unprivileged() {
	if (process.getuid?.() !== 0) return {};
	return {uid: idOf('-u'), gid: idOf('-g')};
}

function idOf(flag: '-u' | '-g'): number {
	return Number(execFileSync('id', [flag, 'postgres'], {encoding: 'utf8'}));
}

/** A server in a folder, that is made where it is not there. It is started and stopped by whoever has it. */
export function createServer(folder: string, settings: readonly string[] = QUICK) {
	const who = unprivileged();
	const data = join(folder, 'data');
	const program = async (name: string, ...args: readonly string[]) =>
		(await run(join(programs, name), args, {...who, cwd: '/', encoding: 'utf8'})).stdout;
	const options = [`unix_socket_directories=${folder}`, 'listen_addresses=', ...settings];
	return {
		/** The address of one of its databases. */
		address: (name: string) => `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`,
		async start(): Promise<void> {
			if (!existsSync(data)) {
				mkdirSync(folder, {recursive: true});
				if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
				const made = ['--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];
				await program('initdb', '-D', data, '-U', 'postgres', ...made);
			}
			const given = options.map(option => `-c ${option}`).join(' ');
			await program('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', given, 'start');
		},
		async stop(how: 'fast' | 'immediate'): Promise<void> {
			await program('pg_ctl', '-D', data, '-w', '-m', how, 'stop');
		},
	};
}

/** Where the server of this run is. */
const RUN = process.env['RENTTY_TEST_POSTGRES'] ?? join(tmpdir(), `rentty-postgres-${process.pid}`);
const TEMPLATE = 'market_template';

let shared: Promise<Client> | undefined;

/** A connection to the server of this run, which is started by whoever comes first. */
async function connectToRun(): Promise<Client> {
	const server = createServer(join(RUN, 'server'));
	const begins = mkdirSync(RUN, {recursive: true}) !== undefined;
	const ready = join(RUN, 'ready');
	if (begins) {
		await server.start();
		const client = await connect(readAddress(server.address('postgres')));
		await client.query(`create database ${TEMPLATE}`);
		await client.end();
		await (await openPlace(server.address(TEMPLATE))).destroy();
		writeFileSync(ready, '');
	}
	while (!existsSync(ready)) await sleep(20);
	return connect(readAddress(server.address('postgres')));
}

/** The address of a database with the tables of a market in it, which is made where it is not there. */
export async function databaseOnPostgres(name = `t${randomBytes(8).toString('hex')}`) {
	shared ??= connectToRun();
	const client = await shared;
	try {
		await client.query(`create database ${name} template ${TEMPLATE}`);
	} catch (error) {
		if (!String(error).includes('already exists')) throw error;
	}
	return createServer(join(RUN, 'server')).address(name);
}

/** Where the database of a file is: there, unless all are to be on PostgreSQL. */
export async function placeOf(file: string): Promise<string> {
	if (!onPostgres) return file;
	return databaseOnPostgres(
		file === ':memory:' ? undefined : `f${hash('sha256', file).slice(0, 20)}`,
	);
}

/** Opens the database of a file, wherever that is. */
export async function openDatabase(file: string, changes?: Changes): Promise<Database> {
	return openPlace(await placeOf(file), changes);
}

/** Ends the server of a run, where there was one. */
export async function endRun(): Promise<void> {
	if (!existsSync(RUN)) return;
	await createServer(join(RUN, 'server')).stop('immediate');
	rmSync(RUN, {recursive: true, force: true});
}
