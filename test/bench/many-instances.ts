/** A service with many instances, of which some are otherwise in every list. It has a thread of its own. */
import {createServer} from 'node:http';
import {createServer as createDoor, type Server} from 'node:net';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openMarket} from '../../source/market/open.ts';

/** The most instances of one page of v1. */
const PAGE = 25;

/** One of so many changes from one list to the next. */
const ONE_OF = 20;

type Record = Readonly<{[name: string]: unknown}>;

/**
 * Starts the thread. The service ends with it. At its address it lists all in one piece, by v0; below
 * `/paged` page by page, by v1.
 */
export async function openManyInstances(amount: number) {
	const worker = new Worker(new URL(import.meta.url), {workerData: await madeRecords(amount)});
	const port = await new Promise<number>((resolve, reject) => {
		worker.once('message', resolve);
		worker.once('error', reject);
	});
	return {url: `http://127.0.0.1:${port}`, close: async () => worker.terminate()};
}

/** Instances that have as much to say as those of a market: machines of its offers. */
async function madeRecords(amount: number): Promise<readonly Record[]> {
	const market = await openMarket({
		file: ':memory:',
		offers: amount * 2,
		seed: 1,
		searchLimit: amount,
	});
	const response = await fetch(`${market.url}/api/v0/bundles/`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${await market.createKey('bench')}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify({limit: amount}),
	});
	const body: unknown = await response.json();
	await market.close();
	const offers =
		isRecord(body) && Array.isArray(body['offers']) ? body['offers'].filter(isRecord) : [];
	return offers.map((offer, index) => ({
		...offer,
		id: 8_812_000 + index,
		label: `job-${index}`,
		actual_status: 'running',
		intended_status: 'running',
		cur_state: 'running',
		next_state: 'running',
		image_uuid: 'pytorch/pytorch:2.6',
		start_date: Math.floor(Date.now() / 1000) - 90_000,
		duration: 90_000,
		uptime_mins: 1500,
		disk_usage: 12,
		cpu_util: 38,
		public_ipaddr: '127.0.0.1',
	}));
}

/** An instance as it is when the list is asked for the so many-th time. */
function changed(record: Record, index: number, look: number): Record {
	const changes = Math.floor((look + (index % ONE_OF)) / ONE_OF);
	// One of ten changes is one of its state: it starts anew.
	const isBooting = index % 10 === 0 && changes % 2 === 1;
	return {
		...record,
		gpu_util: (37 * (changes + index)) % 100,
		actual_status: isBooting ? 'loading' : 'running',
	};
}

async function serve(records: readonly Record[]): Promise<void> {
	let looks = 0;
	// The door of all of them, which answers as SSH does whenever it is tried.
	const door = createDoor(socket => socket.on('error', () => undefined).end('SSH-2.0-bench\r\n'));
	const machine_dir_ssh_port = await portOf(door);
	const server = createServer((request, response) => {
		request.resume();
		const url = new URL(request.url ?? '', 'http://service');
		const list = /^(\/paged)?\/api\/(v[01])\/instances\/$/.exec(url.pathname);
		const isPaged = list?.[1] !== undefined;
		const isThere = list === null || isPaged === (list[2] === 'v1');
		response.writeHead(isThere ? 200 : 404, {'content-type': 'application/json'});
		if (list === null) return void response.end('{"id": 1, "credit": 100}');
		if (!isThere) return void response.end('{"success": false, "msg": "not here"}');
		const from = Number(url.searchParams.get('after_token') ?? 0);
		if (from === 0) looks += 1;
		const size = isPaged ? PAGE : records.length;
		const instances = records.slice(from, from + size).map((record, index) => ({
			...changed(record, from + index, looks),
			machine_dir_ssh_port,
		}));
		const next_token = from + size < records.length ? String(from + size) : null;
		const counts = {instances_found: instances.length, total_instances: records.length};
		response.end(JSON.stringify({success: true, instances, ...counts, next_token}));
	});
	// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
	parentPort?.postMessage(await portOf(server));
}

async function portOf(server: Server): Promise<number | undefined> {
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return typeof address === 'object' ? address?.port : undefined;
}

if (!isMainThread && Array.isArray(workerData)) await serve(workerData.filter(isRecord));
