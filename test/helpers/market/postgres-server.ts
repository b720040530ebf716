/** Starting and stopping a real PostgreSQL, which tests do. */
import {execFile, execFileSync} from 'node:child_process';
import {chownSync, existsSync, globSync, mkdirSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';
import {skipFor} from '../missing.ts';

const run = promisify(execFile);

const [programs = ''] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();

/** Why there is none; undefined where there is. */
export const noPostgres = skipFor(programs === '' ? 'PostgreSQL is not installed' : undefined);

/** Quick, and nothing is to outlast a power cut. */
export const QUICK = [
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
	const control = async (...args: readonly string[]) =>
		program('pg_ctl', '-D', data, '-w', ...args);
	const start = async () => {
		const given = options.map(option => `-c ${option}`).join(' ');
		await control('-l', join(folder, 'log'), '-o', given, 'start');
	};
	const ours = () => {
		mkdirSync(folder, {recursive: true});
		if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
	};
	return {
		/** The address of one of its databases. */
		address: (name: string) => `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`,
		async start(): Promise<void> {
			if (!existsSync(data)) {
				ours();
				const made = ['--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];
				await program('initdb', '-D', data, '-U', 'postgres', ...made);
			}
			await start();
		},
		/** Starts as the standby of another, which then answers nothing that this does not have. */
		async follow(primary: string): Promise<void> {
			ours();
			const from = ['-h', primary, '-U', 'postgres'];
			await program('pg_basebackup', ...from, '-D', data, '-R', '--no-sync', '-c', 'fast');
			await start();
			const set = `alter system set synchronous_standby_names = '*'`;
			await program('psql', ...from, '-c', set, '-c', 'select pg_reload_conf()');
			const state = ['-Atc', 'select sync_state from pg_stat_replication'];
			while (!/^sync$/m.test(await program('psql', ...from, ...state))) await sleep(20);
		},
		/** Puts a file there that is the server's alone, and answers where. */
		keep(name: string, content: Buffer): string {
			ours();
			const file = join(folder, name);
			writeFileSync(file, content, {mode: 0o600});
			if (who.uid !== undefined) chownSync(file, who.uid, who.gid);
			return file;
		},
		/** Makes a standby the one that is written. */
		async promote(): Promise<void> {
			await control('promote');
		},
		async stop(how: 'fast' | 'immediate'): Promise<void> {
			await control('-m', how, 'stop');
		},
	};
}

/** Where the server of this run is. */
export const RUN =
	process.env['RENTTY_TEST_POSTGRES'] ?? join(tmpdir(), `rentty-postgres-${process.pid}`);
