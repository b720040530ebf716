/**
 * Measures what rents cost on a PostgreSQL for 1, 2 and 4 processes: processor time a call, of the
 * processes and of the database, which says what a core carries where cores are few.
 */
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {contract} from '../../source/contract/index.ts';
import {openDatabase} from '../../source/market/database/database.ts';
import {clientOf, startMarketOf} from '../helpers/market/market-process.ts';
import {openAccounts} from '../helpers/market/mixed-workload.ts';
import {testAsk, testPublication} from '../helpers/host/hosts.ts';
import {createServer} from '../helpers/market/postgres-server.ts';
import {cpuMs, openSide} from './market-sides.ts';
import {median} from './session.ts';

const MACHINES = 64;
const WORKERS = 16;
const SECONDS = 3;
const ROUNDS = 3;
const program = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** Processor time of a server and of all its processes. */
function serverMs(folder: string): number {
	const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
	const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
	return pids.reduce(
		(sum, name) => sum + (isOf(name, pid) ? cpuMs(Number(name)) : 0),
		endedMs(pid),
	);
}

function isOf(name: string, parent: string): boolean {
	try {
		return name === parent || fieldsOf(name)[1] === parent;
	} catch {
		// It has ended meanwhile.
		return false;
	}
}

function fieldsOf(pid: string): readonly string[] {
	return (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
}

/** Time of those that have ended already. */
function endedMs(pid: string): number {
	const fields = fieldsOf(pid);
	return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function publish(url: string, key: string): Promise<readonly number[]> {
	await using client = clientOf(url, key);
	const asks: number[] = [];
	const machines: number[] = [];
	for (let index = 0; index < MACHINES; index++) {
		const ask = testAsk({gpu_ids: [0], dph_base: 900, end_date: null, disk_space: 9000});
		const machine = await client.hosts.publish(
			testPublication({name: `machine ${index}`, asks: [ask]}),
		);
		machines.push(machine.id);
		asks.push(...machine.asks.map(({id}) => id));
	}
	await client.hosts.heartbeat(machines);
	return asks;
}

const rented = contract.instances.create.replies[200];
const order = {image: 'ubuntu:24.04', disk: 10, runtype: 'ssh_direct'};

/** Rents and destroys for some time, each worker its own machines, and answers how often. */
async function rentAndDestroy(
	sides: ReadonlyArray<ReturnType<typeof openSide>>,
	asks: readonly number[],
): Promise<number> {
	const until = performance.now() + SECONDS * 1000;
	let rents = 0;
	const work = async (worker: number) => {
		const own = asks.filter((_, index) => index % WORKERS === worker);
		for (let turn = 0; performance.now() < until; turn++) {
			const side = sides[(worker + turn) % sides.length];
			const path = `/api/v0/asks/${own[turn % own.length]}/`;
			const text = (await side?.send({method: 'PUT', path, body: order})) ?? '{}';
			const {new_contract: id} = rented.parse(JSON.parse(text));
			await side?.send({method: 'DELETE', path: `/api/v0/instances/${id}/`});
			rents += 1;
		}
	};
	await Promise.all(Array.from({length: WORKERS}, async (_, worker) => work(worker)));
	return rents;
}

async function measure(folder: string, place: string, processes: number, keys: Keys) {
	const markets: Array<Awaited<ReturnType<typeof startMarketOf>>> = [];
	for (let index = 0; index < processes; index++) {
		markets.push(await startMarketOf(program, place));
	}
	const asks = await publish(markets[0]?.url ?? '', keys.host);
	const sides = markets.flatMap(({pid, url}) => keys.renters.map(key => openSide(pid, url, key)));
	const ours = () => markets.reduce((sum, {pid}) => sum + cpuMs(pid), 0);
	await rentAndDestroy(sides, asks);
	const rounds: Round[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const before = [ours(), serverMs(folder)] as const;
		const rents = await rentAndDestroy(sides, asks);
		const [market, server] = [ours() - before[0], serverMs(folder) - before[1]];
		rounds.push({
			perSecond: rents / SECONDS,
			market: market / rents / 2,
			server: server / rents / 2,
		});
	}
	for (const side of sides) await side.close();
	for (const market of markets) await market.end();
	const of = (name: keyof Round) => median(rounds.map(round => round[name]));
	const cells = [of('perSecond').toFixed(0), of('market').toFixed(2), of('server').toFixed(2)];
	console.log(String(processes).padEnd(12) + cells.map(cell => cell.padStart(14)).join(''));
}

type Round = Readonly<Record<'perSecond' | 'market' | 'server', number>>;
type Keys = Awaited<ReturnType<typeof openAccounts>>;

/** Distances of commits: as the disk is, and as with a standby that is far away. */
const distances = [
	['commits to this disk', []],
	['commits that take 10 ms', ['commit_delay=10000', 'commit_siblings=0']],
] as const;

console.log(
	`\n${MACHINES} machines, ${WORKERS} at once: ms of processor time a call on PostgreSQL`,
);
for (const [name, settings] of distances) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-processes-'));
	const server = createServer(folder, ['shared_buffers=256MB', ...settings]);
	await server.start();
	try {
		const place = server.address('postgres');
		const database = await openDatabase(place);
		const keys = await openAccounts(database, Date.now() / 1000, WORKERS);
		await database.destroy();
		console.log(`${name.padEnd(25)}  rents/s    market, ms  database, ms`);
		for (const processes of [1, 2, 4]) await measure(folder, place, processes, keys);
	} finally {
		await server.stop('fast');
		rmSync(folder, {recursive: true, force: true});
	}
}
