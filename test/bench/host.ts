/** Measures the built host with sandboxes: from rent to prompt, connections, and files on their way in and out. */
import {spawn, spawnSync} from 'node:child_process';
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../source/client/client.ts';
import {endLeftovers} from '../../source/host/sandbox/ending.ts';
import {startHost} from '../helpers/host-process.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market-process.ts';
import {openSshUser} from '../helpers/open-ssh.ts';
import {median, openSession, quantile} from './session.ts';

const RENTS = 9;
const CONNECTS = 40;
const AT_ONCE = 8;
const MEGABYTES = 200;
const COPIES = 3;

function row(name: string, ...cells: ReadonlyArray<string | number>): void {
	const written = cells.map(cell => (typeof cell === 'number' ? cell.toFixed(1) : cell));
	console.log(name.padEnd(44) + written.map(cell => cell.padStart(11)).join(''));
}

/** How the prompt of whoever is root ends; nothing else is shown before it. */
const PROMPT = '# ';

type Renting = {
	readonly client: Client;
	readonly user: ReturnType<typeof openSshUser>;
	readonly key: string;
};

type Rented = {
	readonly id: number;
	readonly port: number;
	/** Milliseconds from sending the order. */
	readonly runningMs: number;
	readonly promptMs: number;
};

/** Rents, looks as often as a script would that is in a hurry, and enters with OpenSSH. */
async function rentAndEnter({client, user, key}: Renting): Promise<Rented> {
	const [offer] = (await client.offers.search({limit: 1})).offers;
	const startedAt = performance.now();
	const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
		image: 'ubuntu:24.04',
		launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
	});
	let shown = await client.instances.show(id);
	while (shown?.actual_status !== 'running') {
		await sleep(10);
		shown = await client.instances.show(id);
	}
	const runningMs = performance.now() - startedAt;
	const port = Number(shown.ssh_port);
	const where = ['-tt', '-i', key, '-p', String(port), 'root@127.0.0.1'];
	const size = {columns: 80, rows: 24};
	const session = openSession('ssh', [...user.options, ...where], size, {});
	await session.shows(PROMPT);
	const promptMs = performance.now() - startedAt;
	await session.close();
	return {id, port, runningMs, promptMs};
}

async function measureRents(renting: Renting): Promise<Rented> {
	const all: Rented[] = [];
	for (let round = 0; round < RENTS; round++) {
		const before = all.at(-1);
		if (before !== undefined) {
			await renting.client.instances.destroy(before.id);
			while ((await renting.client.offers.search({limit: 1})).offers.length === 0) await sleep(20);
		}
		all.push(await rentAndEnter(renting));
	}
	row('', 'median ms', 'worst ms');
	for (const [name, field] of [
		['rent until it runs', 'runningMs'],
		['rent until the prompt of ssh', 'promptMs'],
	] as const) {
		const times = all.map(rented => rented[field]);
		row(name, median(times), quantile(times, 1));
	}
	const last = all.at(-1);
	if (last === undefined) throw new Error('nothing was rented');
	return last;
}

async function measureConnects({user, key}: Renting, port: number): Promise<void> {
	const connect = async () => {
		const before = performance.now();
		const {code} = await user.ssh(port, key, ['true']);
		if (code !== 0) throw new Error('ssh was not let in');
		return performance.now() - before;
	};
	const alone: number[] = [];
	for (let count = 0; count < CONNECTS; count++) alone.push(await connect());
	row('ssh true, one after the other, ms', median(alone), quantile(alone, 1));
	const startedAt = performance.now();
	const work = async () => {
		for (let count = 0; count < CONNECTS / AT_ONCE; count++) await connect();
	};
	await Promise.all(Array.from({length: AT_ONCE}, work));
	const seconds = (performance.now() - startedAt) / 1000;
	row(`ssh true, ${AT_ONCE} at once, a second`, CONNECTS / seconds);
}

async function megabytesPerSecond(program: string, args: readonly string[], cwd: string) {
	const rates: number[] = [];
	for (let round = 0; round < COPIES; round++) {
		const before = performance.now();
		const child = spawn(program, args, {cwd, stdio: ['ignore', 'ignore', 'inherit']});
		const code = await new Promise<number | null>(resolve => child.on('close', resolve));
		if (code !== 0) throw new Error(`${program} ended with ${code}`);
		rates.push(MEGABYTES / ((performance.now() - before) / 1000));
	}
	return median(rates);
}

async function measureFiles({user, key}: Renting, port: number): Promise<void> {
	const {folder} = user;
	spawnSync('dd', ['if=/dev/urandom', 'of=sent', 'bs=1M', `count=${MEGABYTES}`], {cwd: folder});
	const where = [...user.options, '-i', key, '-P', String(port)];
	const to = 'root@127.0.0.1:there';
	const usual = await megabytesPerSecond('cp', ['sent', 'copied'], folder);
	row(`cp of ${MEGABYTES} MB, MB a second`, usual);
	for (const [name, args] of [
		['scp in', ['sent', to]],
		['scp out', [to, 'back']],
		['scp -O in', ['-O', 'sent', to]],
		['scp -O out', ['-O', to, 'back']],
	] as const) {
		const rate = await megabytesPerSecond('scp', [...where, ...args], folder);
		row(`${name}, MB a second, of cp`, rate, `${((100 * rate) / usual).toFixed(0)} %`);
	}
}

using folder = openFolder();
await using market = await startMarket(join(folder.path, 'market.db'));
const keyFile = join(folder.path, 'key');
const apiKey = await market.key();
writeFileSync(keyFile, apiKey);
const hostFolder = join(folder.path, 'host');
const host = await startHost({url: market.url, keyFile, folder: hostFolder, runtime: 'sandbox'});
await using client = clientOf(market.url, apiKey);
using user = openSshUser();
try {
	const key = user.makeKey('laptop');
	await client.sshKeys.create(key.publicKey);
	console.log('\nA host with sandboxes, and OpenSSH');
	const renting = {client, user, key: key.file};
	const {id, port} = await measureRents(renting);
	await measureConnects(renting, port);
	await measureFiles(renting, port);
	await client.instances.destroy(id);
} finally {
	await host.end();
	await endLeftovers(hostFolder);
	rmSync(hostFolder, {recursive: true, force: true});
	process.exitCode ??= 0;
}
