/** Processor time that calls of a process take, and databases to measure with. */
import {spawn} from 'node:child_process';
import {hash, randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as sleep} from 'node:timers/promises';
import {Pool} from 'undici';
import {median} from './session.ts';

const CONNECTIONS = 32;
export const ROUNDS = 5;
/** Ticks in which the kernel counts processor time. */
const TICK_MS = 10;

export type Call = {
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	readonly path: string;
	readonly body?: unknown;
};
export type Side = {readonly pid: number; readonly send: (call: Call) => Promise<string>};

export function cpuMs(pid: number): number {
	const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
	const fields = rest.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Waits until a process has nothing more to do: until the offers are in memory. */
export async function settled(pid: number): Promise<void> {
	for (let quiet = 0; quiet < 3;) {
		const before = cpuMs(pid);
		await sleep(1000);
		quiet = cpuMs(pid) - before <= 2 * TICK_MS ? quiet + 1 : 0;
	}
}

export function memoryMb(pid: number): number {
	const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Number(kilobytes) / 1024;
}

export function openSide(pid: number, url: string, key = ''): Side & {close: () => Promise<void>} {
	const pool = new Pool(url, {connections: CONNECTIONS});
	const headers = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};
	return {
		pid,
		async send({method, path, body}) {
			const text = body === undefined ? null : JSON.stringify(body);
			const reply = await pool.request({method, path, headers, body: text});
			const answer = await reply.body.text();
			if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${answer.slice(0, 200)}`);
			return answer;
		},
		close: async () => pool.close(),
	};
}

export type Load = {
	readonly calls: number;
	readonly atOnce?: number;
	readonly call: (index: number) => Call;
};

/** Milliseconds of processor time that one of many calls takes. */
async function costOf(side: Side, {calls, atOnce = CONNECTIONS, call}: Load, first: number) {
	const before = cpuMs(side.pid);
	let next = first;
	const work = async () => {
		while (next < first + calls) await side.send(call(next++));
	};
	await Promise.all(Array.from({length: atOnce}, work));
	return (cpuMs(side.pid) - before) / calls;
}

/** The cost of a call on both sides, taken in turns. */
export async function compare(
	name: string,
	ours: readonly [Side, Load],
	bare?: readonly [Side, Load],
) {
	const costs: number[] = [];
	const floors: number[] = [];
	for (let round = 0; round <= ROUNDS; round++) {
		costs.push(await costOf(...ours, round * ours[1].calls));
		if (bare !== undefined) floors.push(await costOf(...bare, round * bare[1].calls));
	}
	// The first is for getting warm.
	const [cost, floor] = [median(costs.slice(1)), median(floors.slice(1))];
	const cells = bare === undefined ? [cost] : [cost, floor, cost / floor];
	console.log(name.padEnd(44) + cells.map(cell => cell.toFixed(3).padStart(10)).join(''));
}

/** Copies of the instances that are there already, until there are so many. */
export function addInstances(file: string, total: number): void {
	const sqlite = new DatabaseSync(file);
	const columns = sqlite
		.prepare('pragma table_info(instances)')
		.all()
		.map(({name}) => String(name))
		.filter(name => name !== 'id')
		.join(', ');
	const {count} = sqlite.prepare('select count(*) as count from instances').get() ?? {};
	const missing = total - Number(count);
	sqlite
		.prepare(
			`insert into instances (${columns}) select ${columns.replace(' actual,', ` 'running',`)}
			from instances, json_each('[' || rtrim(replace(hex(zeroblob(64)), '00', '0,'), ',') || ']')
			limit ?`,
		)
		.run(missing);
	sqlite.close();
}

export async function openFloor(file: string) {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'market-floor.ts'), file], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const port: unknown = (await once(child.stdout.setEncoding('utf8'), 'data'))[0];
	const side = openSide(child.pid ?? 0, `http://127.0.0.1:${String(port).trim()}`);
	return {
		...side,
		async [Symbol.asyncDispose]() {
			await side.close();
			child.kill();
		},
	};
}

export function machineIds(file: string): readonly number[] {
	const sqlite = new DatabaseSync(file, {readOnly: true});
	const rows = sqlite.prepare('select id from machines limit 10000').all();
	sqlite.close();
	return rows.map(({id}) => Number(id));
}

/** Lets every machine count as heard for long, and gives its hosts a key. */
export function prepare(database: string): string {
	const sqlite = new DatabaseSync(database);
	sqlite.exec("update machines set contact = 'heard', heard_at = null");
	const value = randomBytes(32).toString('hex');
	sqlite
		.prepare(
			`insert into api_keys (account_id, name, hash, last_four, created_at)
			select id, 'bench', ?, '', 0 from accounts where role = 'host'`,
		)
		.run(hash('sha256', value));
	sqlite.close();
	return value;
}

export function row(name: string, value: number, digits = 0): void {
	console.log(name.padEnd(44) + value.toFixed(digits).padStart(10));
}
