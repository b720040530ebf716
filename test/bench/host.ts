/** Measures the built host with sandboxes: from rent to prompt, connections, and files on their way in and out. */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../source/client/client.ts';
import {endLeftovers} from '../../source/host/sandbox/ending.ts';
import {IMAGE, openTestEngine} from '../helpers/host/engine.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';
import {openSshUser} from '../helpers/host/open-ssh.ts';
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
	readonly image: string;
};

type Rented = {
	readonly id: number;
	readonly port: number;
	/** Milliseconds from sending the order. */
	readonly runningMs: number;
	readonly promptMs: number;
};

/** Rents, looks as often as a script would that is in a hurry, and enters with OpenSSH. */
async function rentAndEnter(
	{client, user, key, image}: Renting,
	sshDirect = true,
): Promise<Rented> {
	const [offer] = (await client.offers.search({limit: 1})).offers;
	const startedAt = performance.now();
	const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
		image,
		launch: {mode: 'ssh', sshDirect, jupyterDirect: false},
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

/** Rents directly and by the relay in turns. */
async function measureRents(renting: Renting): Promise<void> {
	const kinds = {direct: true, 'by the relay': false};
	const rents = Object.entries(kinds).map(([name, isDirect]) => {
		const all: Rented[] = [];
		return {name, isDirect, all};
	});
	for (let round = 0; round < RENTS; round++) {
		for (const {isDirect, all} of rents) {
			const rented = await rentAndEnter(renting, isDirect);
			all.push(rented);
			await end(renting, rented);
		}
	}
	for (const {name, all} of rents) {
		row(name, 'median ms', 'worst ms');
		for (const [what, field] of [
			['rent until it runs', 'runningMs'],
			['rent until the prompt of ssh', 'promptMs'],
		] as const) {
			const times = all.map(rented => rented[field]);
			row(what, median(times), quantile(times, 1));
		}
	}
}

/** Destroys what was rented, and waits until its machine is offered again. */
async function end({client}: Renting, {id}: Rented): Promise<void> {
	await client.instances.destroy(id);
	while ((await client.offers.search({limit: 1})).offers.length === 0) await sleep(20);
}

async function measureConnects({user, key}: Renting, {name, port}: Way): Promise<void> {
	const connect = async () => {
		const before = performance.now();
		const {code} = await user.ssh(port, key, ['true']);
		if (code !== 0) throw new Error('ssh was not let in');
		return performance.now() - before;
	};
	const alone: number[] = [];
	for (let count = 0; count < CONNECTS; count++) alone.push(await connect());
	row(`ssh true, ${name}, one after the other, ms`, median(alone), quantile(alone, 1));
	const startedAt = performance.now();
	const work = async () => {
		for (let count = 0; count < CONNECTS / AT_ONCE; count++) await connect();
	};
	await Promise.all(Array.from({length: AT_ONCE}, work));
	const seconds = (performance.now() - startedAt) / 1000;
	row(`ssh true, ${name}, ${AT_ONCE} at once, a second`, CONNECTS / seconds);
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

/** One way to enter: its port, its folder for files, and the processes that it goes through. */
type Way = {
	readonly name: string;
	readonly port: number;
	readonly folder: string;
	readonly pids: readonly number[];
	/** True for an image without a program to copy by. */
	readonly lacksScp?: boolean;
};

/** Files, output and input by each way in turn, and the processor's seconds that output takes it. */
async function measureFiles({user, key}: Renting, ways: readonly Way[]): Promise<void> {
	const {folder} = user;
	spawnSync('dd', ['if=/dev/urandom', 'of=sent', 'bs=1M', `count=${MEGABYTES}`], {cwd: folder});
	row('MB a second', ...ways.map(({name}) => name));
	const usual = [...user.options, '-i', key];
	const output = `dd if=/dev/zero bs=1M count=${MEGABYTES} 2>/dev/null`;
	const kinds = [
		['scp in', 'scp', ({port, folder: to}) => ['-P', port, 'sent', `${HERE}:${to}there`]],
		['scp out', 'scp', ({port, folder: to}) => ['-P', port, `${HERE}:${to}there`, 'back']],
		['scp -O in', 'scp', ({port, folder: to}) => ['-O', '-P', port, 'sent', `${HERE}:${to}there`]],
		['scp -O out', 'scp', ({port, folder: to}) => ['-O', '-P', port, `${HERE}:${to}there`, 'back']],
		['output of a command', 'ssh', ({port}) => ['-p', port, HERE, output]],
		['input of a command', 'sh', ({port}) => ['-p', port, HERE, 'cat > /dev/null']],
	] satisfies ReadonlyArray<
		readonly [string, string, (way: Way) => ReadonlyArray<string | number>]
	>;
	for (const [name, program, wordsFor] of kinds) {
		if (name.startsWith('scp -O') && ways.some(way => way.lacksScp)) continue;
		const rates: number[] = [];
		const seconds: number[] = [];
		for (const way of ways) {
			const words = [...usual, ...wordsFor(way).map(String)];
			const args = program === 'sh' ? ['-c', 'exec ssh "$@" < sent', 'sh', ...words] : words;
			const before = processorSeconds(way.pids);
			rates.push(await megabytesPerSecond(program, args, folder));
			const gigabytes = (MEGABYTES * COPIES) / 1000;
			seconds.push((processorSeconds(way.pids) - before) / gigabytes);
		}
		row(name, ...rates);
		if (seconds.every(Number.isFinite)) row('  its processor, seconds a GB', ...seconds.map(to2));
	}
}

const HERE = 'root@127.0.0.1';

const to2 = (value: number) => value.toFixed(2);

/** Processor time of processes, with that of their children that have ended. */
function processorSeconds(pids: readonly number[]): number {
	const ticks = pids.map(pid => {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/^.*\) /, '')
			.split(' ');
		return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
	});
	return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

/** OpenSSH's own server, where it is installed, for the same key. */
async function openSshd({user}: Renting, publicKey: string): Promise<Way & Disposable> {
	const {folder} = user;
	const [config, keys] = [join(folder, 'sshd_config'), join(folder, 'authorized_keys')];
	const hostKey = user.makeKey('sshd').file;
	writeFileSync(keys, publicKey);
	const port = await freePort();
	const settings = {
		Port: port,
		ListenAddress: '127.0.0.1',
		HostKey: hostKey,
		AuthorizedKeysFile: keys,
		PidFile: 'none',
		PermitRootLogin: 'yes',
		StrictModes: 'no',
		UsePAM: 'no',
		MaxStartups: 100,
		Subsystem: 'sftp internal-sftp',
	};
	const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
	writeFileSync(config, lines.join(''));
	mkdirSync('/run/sshd', {recursive: true});
	const server = spawn(SSHD, ['-D', '-f', config], {stdio: ['ignore', 'ignore', 'inherit']});
	while ((await user.ssh(port, join(folder, 'laptop'), ['true'])).code !== 0) await sleep(50);
	const pids = [server.pid ?? 0];
	return {
		name: 'sshd',
		port,
		folder: `${folder}/`,
		pids,
		[Symbol.dispose]: () => void server.kill(),
	};
}

const SSHD = '/usr/sbin/sshd';

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The same in a container, where an engine can be had. */
async function measureContainers(renting: Renting): Promise<void> {
	const {engine, problem} = await openTestEngine();
	if (engine === undefined) return console.log(`No containers are measured: ${problem}`);
	const own = {url: market.url, keyFile, folder: join(folder.path, 'containers')};
	const containers = await startHost({...own, runtime: 'container', engine: engine.socket});
	try {
		const rented = await rentAndEnter({...renting, image: IMAGE});
		const way = {
			name: 'container',
			port: rented.port,
			folder: '',
			pids: [containers.pid],
			lacksScp: true,
		};
		await measureConnects(renting, way);
		await measureFiles(renting, [way]);
		await renting.client.instances.destroy(rented.id);
	} finally {
		await containers.end();
		await engine.close();
	}
}

using folder = openFolder();
await using market = await startMarket(join(folder.path, 'market.db'), '--relay', '127.0.0.1');
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
	const renting = {client, user, key: key.file, image: 'ubuntu:24.04'};
	await measureRents(renting);
	const rented = await rentAndEnter(renting);
	const hasSshd = existsSync(SSHD);
	using sshd = hasSshd ? await openSshd(renting, key.publicKey) : undefined;
	if (!hasSshd) console.log('OpenSSH has no server here to be compared with.');
	const direct = {name: 'direct', port: rented.port, folder: '', pids: [host.pid]};
	await measureConnects(renting, direct);
	if (sshd !== undefined) await measureConnects(renting, sshd);
	await measureFiles(renting, sshd === undefined ? [direct] : [direct, sshd]);
	await end(renting, rented);
	const relayed = await rentAndEnter(renting, false);
	const relay = {name: 'relay', port: relayed.port, folder: '', pids: [host.pid, market.pid]};
	await measureConnects(renting, relay);
	await measureFiles(renting, [relay]);
	await client.instances.destroy(relayed.id);
	await host.end();
	await measureContainers(renting);
} finally {
	await host.end();
	await endLeftovers(hostFolder);
	rmSync(hostFolder, {recursive: true, force: true});
	process.exitCode ??= 0;
}
