import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {connect, createServer as createProxy, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../source/market/database/database.ts';
import {startMarket} from '../helpers/market/market-process.ts';
import {openAccounts, openWorkload, type Answered} from '../helpers/market/mixed-workload.ts';
import {problemsAfter} from '../helpers/market/workload-problems.ts';
import {createServer, noPostgres} from '../helpers/market/postgres-server.ts';
import {listen} from '../helpers/services/tls.ts';

const WORKERS = 8;

/** Folders of servers, which are gone when they are let go of. */
function openFolders(...names: readonly string[]) {
	const root = mkdtempSync(join(tmpdir(), 'rentty-failover-'));
	execFileSync('chmod', ['755', root]);
	return {
		paths: names.map(name => join(root, name)),
		[Symbol.dispose]: () => rmSync(root, {recursive: true, force: true}),
	};
}

type Progress = {
	/** Waits until so many more calls were answered. */
	readonly after: (calls: number) => Promise<void>;
	readonly answered: Answered;
	/** Base URL of the first process. */
	readonly url: string;
};

/** Lets two processes work, each at its own address of a database, until something has happened to it. */
async function workThrough(
	places: readonly [string, string],
	happen: (progress: Progress) => Promise<void>,
) {
	const accounts = await openDatabase(places[0]);
	const keys = await openAccounts(accounts, Date.now() / 1000);
	await accounts.destroy();
	await using one = await startMarket(places[0]);
	await using other = await startMarket(places[1]);
	await using workload = await openWorkload(() => [one.url, other.url], keys);
	const {work, answered} = workload;
	const during = {isOver: false};
	const working = Promise.all(
		Array.from({length: WORKERS}, async (_, worker) => {
			for (let seed = worker + 1; !during.isOver; seed += WORKERS) await work(seed, 5);
		}),
	);
	const after = async (calls: number) => {
		const wanted = answered.calls + calls;
		await expect.poll(() => answered.calls, {interval: 20}).toBeGreaterThan(wanted);
	};
	try {
		await happen({after, answered, url: one.url});
		await after(60);
	} finally {
		during.isOver = true;
	}
	await working;
	const database = await openDatabase(places[0]);
	const problems = await problemsAfter(database, answered);
	await database.destroy();
	return {answered, problems};
}

/** A way to a server's socket that can be held up, and cut. */
async function openWire(folder: string) {
	const wires = new Set<Socket>();
	let isHeld = false;
	const server = createProxy(socket => {
		const onward = connect(join(folder, '.s.PGSQL.5432'));
		for (const [from, to] of [
			[socket, onward],
			[onward, socket],
		] as const) {
			wires.add(from);
			from.on('error', () => undefined);
			from.on('close', () => {
				wires.delete(from);
				to.destroy();
			});
			from.pipe(to);
			if (isHeld) from.pause();
		}
	});
	const listening = await listen(server);
	return {
		...listening,
		address: `postgres://postgres@127.0.0.1:${listening.port}/postgres`,
		hold(): void {
			isHeld = true;
			for (const wire of wires) wire.pause();
		},
		cut(): void {
			isHeld = false;
			for (const wire of wires) wire.destroy();
		},
	};
}

test.skipIf(noPostgres !== undefined)(
	'a network that is held up, and cut, between a process and its PostgreSQL loses nothing',
	async () => {
		using folders = openFolders('server');
		const [folder = ''] = folders.paths;
		const server = createServer(folder, ['fsync=off']);
		await server.start();
		await using wire = await openWire(folder);
		const {answered, problems} = await workThrough(
			[server.address('postgres'), wire.address],
			async ({after, url}) => {
				await after(60);
				wire.hold();
				// The other process goes on meanwhile.
				for (let call = 0; call < 20; call++) {
					expect((await fetch(`${url}/readyz`)).status).toBe(200);
				}
				wire.cut();
				await after(60);
				wire.cut();
			},
		);
		expect(problems).toEqual([]);
		expect(answered.rented.size).toBeGreaterThan(10);
		await server.stop('fast');
	},
	180_000,
);

test.skipIf(noPostgres !== undefined)(
	'a standby that takes over has everything that was answered',
	async () => {
		using folders = openFolders('first', 'second');
		const [first = '', second = ''] = folders.paths;
		const settings = ['fsync=off', 'wal_level=replica', 'max_wal_senders=4', 'hot_standby=on'];
		const primary = createServer(first, settings);
		await primary.start();
		const standby = createServer(second, settings);
		await standby.follow(first);
		const hosts = `${first},${second}`;
		const place = `postgres://postgres@/postgres?host=${encodeURIComponent(hosts)}`;
		const {answered, problems} = await workThrough(
			[place, place],
			async ({after, answered: calls}) => {
				await after(80);
				await primary.stop('immediate');
				await expect.poll(() => calls.refused, {interval: 20}).toBeGreaterThan(0);
				await standby.promote();
			},
		);
		expect(problems).toEqual([]);
		expect(answered.rented.size).toBeGreaterThan(0);
		await standby.stop('fast');
	},
	180_000,
);
