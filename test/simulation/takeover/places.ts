/** Where a world keeps the market's tables: in memory, or on a real PostgreSQL, which is made for a run. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {MessageChannel, receiveMessageOnPort, Worker} from 'node:worker_threads';
import {isPostgres} from '../../../source/market/database/postgres/address.ts';
import {createServer, QUICK} from '../../helpers/market/postgres-server.ts';
import {databaseAt, isOpenAt} from './database.ts';
import {askOverseer, forgetListeners, oversee} from './postgres.ts';

type Row = Readonly<Record<string, unknown>>;

type Reply = {readonly rows: readonly Row[]} | {readonly error: string};

/** Reads of those who judge, who wait for each. */
export type Reader = {
	readonly rows: (sql: string, ...values: readonly number[]) => readonly Row[];
	/** True while nobody has the tables open. */
	readonly isOpen: () => boolean;
	/** True while a change is half written for the reader, too. */
	readonly isUnclear: () => boolean;
	readonly close: () => Promise<void>;
};

/** Before a world takes it over. */
const realWait = Atomics.wait.bind(Atomics);

export function readerAt(place: string): Reader {
	return isPostgres(place) ? readPostgres() : readFile(place);
}

function readFile(file: string): Reader {
	return {
		rows: (sql, ...values) =>
			databaseAt(file)
				.prepare(sql)
				.all(...values),
		isOpen: () => isOpenAt(file),
		isUnclear: () => !isOpenAt(file) || databaseAt(file).isTransaction,
		close: async () => undefined,
	};
}

let present:
	| {readonly folder: string; readonly server: ReturnType<typeof createServer>}
	| undefined;
const WORLD = 'world';

const configOf = (database: string) => ({host: present?.folder ?? '', user: 'postgres', database});

/** Longer than any read takes. */
const LONGEST_READ_MS = 30_000;

/** Reads of rows that were committed, by a thread. */
function readPostgres(): Reader {
	const worker = new Worker(new URL('reader.ts', import.meta.url), {workerData: configOf(WORLD)});
	return {
		rows(sql, ...values) {
			let number = 0;
			const text = sql.replaceAll('?', () => `$${(number += 1)}`);
			const {port1, port2} = new MessageChannel();
			const bell = new Int32Array(new SharedArrayBuffer(4));
			worker.postMessage({sql: text, values, port: port2, bell}, [port2]);
			// A server that was stopped answers nothing, and nothing else would end this wait.
			if (realWait(bell, 0, 0, LONGEST_READ_MS) === 'timed-out') throw new Error('no answer');
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a port takes has no type
			const reply = receiveMessageOnPort(port1)?.message as Reply;
			port1.close();
			if ('error' in reply) throw new Error(`${reply.error}: ${text}`);
			return reply.rows;
		},
		isOpen: () => true,
		isUnclear: () => false,
		close: async () => void (await worker.terminate()),
	};
}

/** Starts a server, which the end of the run takes away. */
export async function beginPostgres(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-world-'));
	const server = createServer(folder, [...QUICK, 'autovacuum=off', 'jit=off']);
	present = {folder, server};
	// Connections of a world break with the server, which may end this process before its promises do.
	process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void endPostgres().finally(() => process.exit(1)));
	}
	await server.start();
	await oversee(configOf('postgres'));
}

let ending: Promise<void> | undefined;

/** Stops the server, which is no child of this process; a second call waits for the first. */
export async function endPostgres(): Promise<void> {
	ending ??= stopServer();
	return ending;
}

async function stopServer(): Promise<void> {
	if (present === undefined) return;
	await present.server.stop('immediate').catch(() => undefined);
}

/** Address of an empty database for a world. */
export async function makePlace(): Promise<string> {
	forgetListeners();
	await askOverseer(`drop database if exists ${WORLD} with (force)`);
	await askOverseer(`create database ${WORLD}`);
	return present?.server.address(WORLD) ?? '';
}
