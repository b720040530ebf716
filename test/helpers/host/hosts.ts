import {openClient} from '../../../source/client/client.ts';
import type {Ask, Publication, MachineFacts} from '../../../source/contract/nouns/hosts.ts';
import type {Report} from '../../../source/contract/nouns/host-work.ts';
import {printTask, type TaskRequest} from '../../../source/market/hosts/rules.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {nextRevision} from '../../../source/market/database/numbering.ts';
import {openTestMarketFile, rentDirectly, type TestInstance} from '../market/instances.ts';
import {TEST_NOW, type TestMarketOptions} from '../market/market.ts';

/** A market with its database, a host whose machines are those that were made up, and another. */
export async function openHostMarket(options: TestMarketOptions = {}) {
	const market = await openTestMarketFile(options);
	const hostKey = await market.createKey('host', 'host');
	const strangerKey = await keyOfStranger(market.database);
	const renter = openClient({url: market.url, key: market.key, paceScale: 0});
	const host = openClient({url: market.url, key: hostKey, paceScale: 0});
	const stranger = openClient({url: market.url, key: strangerKey, paceScale: 0});

	/** A call of the host as it is written on the wire. */
	async function callAsHost(method: string, path: string, body?: unknown) {
		return market.call(`/api/v0/hosts/${path}`, {
			method,
			headers: {authorization: `Bearer ${hostKey}`},
			body: body === undefined ? null : JSON.stringify(body),
		});
	}

	return {
		...market,
		callAsHost,
		hostKey,
		renter,
		host: host.hosts,
		stranger: stranger.hosts,
		async [Symbol.asyncDispose]() {
			await Promise.all([renter.close(), host.close(), stranger.close()]);
			await market[Symbol.asyncDispose]();
		},
	};
}

export type HostMarket = Awaited<ReturnType<typeof openHostMarket>>;

async function keyOfStranger(database: Database): Promise<string> {
	const {id} = await database
		.insertInto('accounts')
		.values({created_at: TEST_NOW, role: 'host'})
		.returning('id')
		.executeTakeFirstOrThrow();
	return (await createKey(database, {accountId: id, name: 'x', now: TEST_NOW})).value;
}

/** A machine of two GPUs of which all is known. */
export const testFacts: MachineFacts = {
	num_gpus: 2,
	gpu_name: 'RTX 4090',
	gpu_arch: 'nvidia',
	gpu_ram: 24_564,
	gpu_lanes: 16,
	gpu_mem_bw: 1008,
	gpu_max_power: 450,
	gpu_max_temp: 90,
	gpu_display_active: false,
	bw_nvlink: 0,
	compute_cap: 890,
	cuda_max_good: 12.8,
	driver_version: '570.86.15',
	cpu_name: 'AMD EPYC 7402P 24-Core Processor',
	cpu_arch: 'amd64',
	cpu_cores: 48,
	cpu_ghz: 3.35,
	cpu_ram: 128_000,
	has_avx: true,
	disk_name: 'nvme',
	disk_space: 1863,
	disk_bw: 2400,
	pci_gen: 4,
	pcie_bw: 24.5,
	mobo_name: 'ROMED8-2T',
	os_version: '24.04',
	inet_up: 900,
	inet_down: 950,
	static_ip: true,
	public_ipaddr: '192.0.2.7',
	geolocation: 'Sweden, SE',
	hostname: null,
	hosting_type: 0,
	vms_enabled: false,
	isolation: null,
	dlperf: 200,
	total_flops: 164,
};

export function testAsk(ask: Partial<Ask> = {}): Ask {
	return {
		gpu_ids: [0],
		dph_base: 0.4,
		min_bid: 0.2,
		storage_cost: 0.15,
		inet_up_cost: 0.005,
		inet_down_cost: 0.002,
		disk_space: 500,
		direct_port_count: 100,
		end_date: null,
		...ask,
	};
}

/** A machine that is asked for as a whole, and by the GPU. */
export function testPublication(changes: Partial<Publication> = {}): Publication {
	return {
		name: 'rig',
		facts: testFacts,
		busy_gpus: [],
		asks: [
			testAsk({gpu_ids: [0]}),
			testAsk({gpu_ids: [1]}),
			testAsk({gpu_ids: [0, 1], dph_base: 0.8, disk_space: 1000}),
		],
		...changes,
	};
}

/** A market with a machine of the host on which something is rented. */
export async function openRentedMarket(given: TestInstance = {}) {
	const market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const instance = await rentDirectly(market.database, given);
	return {...market, machine, instance};
}

/** The host says that it runs, and all that the test adds. */
export function reportOf({id, boot}: InstanceRow, report: Partial<Report> = {}): Report {
	return {instance_id: id, boot, status: 'running', ...report};
}

/** Asks the host something. */
export async function askHost(
	database: Database,
	{id, host_account_id}: InstanceRow,
	request: TaskRequest,
): Promise<number> {
	const {id: taskId} = await database
		.insertInto('tasks')
		.values({
			token_hash: String(Math.random()),
			host_account_id,
			instance_id: id,
			request: printTask(request),
			revision: await nextRevision(database, host_account_id),
			created_at: TEST_NOW,
			answer: null,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return taskId;
}

/** A copy of an instance into itself: a renter would copy between two. */
export async function copyDirectly(
	database: Database,
	{id, account_id, machine_id, host_account_id}: InstanceRow,
) {
	const paths = {source_path: '/a', target_path: '/b', public_key: null, door: null};
	return database
		.insertInto('copies')
		.values({
			account_id,
			machine_id,
			host_account_id,
			source_kind: 'instance',
			source_id: id,
			source_machine_id: machine_id,
			source_host_account_id: host_account_id,
			target_kind: 'instance',
			target_id: id,
			...paths,
			source_revision: 0,
			revision: await nextRevision(database, host_account_id),
			created_at: TEST_NOW,
			ended_at: null,
		})
		.returning(['id', 'revision'])
		.executeTakeFirstOrThrow();
}

/** Puts the end of an instance into the database. */
export async function destroyDirectly(database: Database, row: InstanceRow): Promise<void> {
	const revision = await nextRevision(database, row.host_account_id);
	await database
		.updateTable('instances')
		.set({current: 'unloaded', next: 'unloaded', destroyed_at: TEST_NOW, revision})
		.where('id', '=', row.id)
		.execute();
}

/** The present row of a machine. */
export async function readMachine(database: Database, id: number) {
	return database.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
