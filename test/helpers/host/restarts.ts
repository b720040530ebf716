import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openClient, type Client} from '../../../source/client/client.ts';
import type {HostMachine} from '../../../source/contract/nouns/hosts.ts';
import type {Report} from '../../../source/contract/nouns/host-work.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {openDatabase} from '../market/postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {insertVolume} from '../market/billing.ts';
import {testAsk, testPublication} from './hosts.ts';
import {readInstance} from '../market/instances.ts';
import {openTestMarket} from '../market/market.ts';

/** Dollars an hour of computing, and per GB and month of disk. */
const prices = {dph_base: 1, storage_cost: 1, inet_up_cost: 0, inet_down_cost: 0};

/**
 * A market that is closed and opened again, with a host whose machine has an instance that runs, one
 * that was stopped, and a volume.
 */
export async function openRestartedMarket() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-restarts-'));
	const file = join(folder, 'market.db');
	let market = await openTestMarket({file});
	const database = await openDatabase(file);
	const hostKey = await market.createKey('host', 'host');
	const {key} = market;
	const clients = () => ({
		host: openClient({url: market.url, key: hostKey, paceScale: 0}),
		renter: openClient({url: market.url, key, paceScale: 0}),
	});
	let {host, renter} = clients();
	const close = async () => {
		await Promise.all([host.close(), renter.close()]);
		await market.close();
	};

	const {machine, running, stopped} = await fill(host, renter);
	const hear = async () => host.hosts.heartbeat([machine.id]);
	const volume = {machine_id: machine.id, ask_id: machine.asks[0]?.id ?? 0, size_gb: 5};
	await insertVolume(database, {...volume, storage_micros: 1_000_000});

	return {
		machine,
		running,
		stopped,
		database,
		hear,
		renter: () => renter,
		market: () => market,
		/** Closes the market, and opens it so many seconds later by its machine's clock. */
		async restart(seconds: number): Promise<void> {
			const now = market.clock.now() + seconds;
			await close();
			market = await openTestMarket({file, now});
			({host, renter} = clients());
		},
		/** The host says that it goes. */
		leave: async () => host.hosts.disconnect([machine.id]),
		/** The instance that runs and the one that was stopped. */
		async show(): Promise<ReadonlyArray<Instance | undefined>> {
			const list = (await renter.instances.list()).instances;
			return [running, stopped].map(id => list.find(instance => instance.id === id));
		},
		/** Their states. */
		async states(): Promise<string> {
			const list = (await renter.instances.list()).instances;
			return list.map(({actual_status: status}) => status).join(' ');
		},
		charged: async () => chargedIn(database),
		idOf: async (index: number) => idOf(renter, index),
		/** Publishes the machine again, with another end of its offers. */
		publish: async (end_date: number) => publish(host, end_date),
		rent: async (index: number) => rentOf(renter, machine, index),
		async report(index: number, report: Partial<Report>): Promise<void> {
			const id = await idOf(renter, index);
			if (id === 0) return;
			const row = await readInstance(database, id);
			await host.hosts.report([{instance_id: row.id, boot: row.boot, ...report}]);
		},
		async [Symbol.asyncDispose]() {
			await database.destroy();
			await close();
			rmSync(folder, {recursive: true});
		},
	};
}

async function publish(host: Client, end_date: number | null): Promise<HostMachine> {
	const asks = [[0], [1]].map(gpu_ids => testAsk({...prices, gpu_ids, end_date}));
	return host.hosts.publish(testPublication({asks}));
}

/** Instance by its place among those that there are; 0 where there is none. */
async function idOf(renter: Client, index: number): Promise<number> {
	const ids = (await renter.instances.list()).instances.map(({id}) => id);
	return ids[index % ids.length] ?? 0;
}

async function rentOf(renter: Client, {asks}: HostMachine, index: number): Promise<number> {
	const order = {image: 'ubuntu:24.04', disk: 10};
	return (await renter.instances.create(asks[index]?.id ?? 0, order)).new_contract;
}

/** Publishes a machine, rents it and stops one of both instances. */
async function fill(host: Client, renter: Client) {
	const machine = await publish(host, null);
	await host.hosts.heartbeat([machine.id]);
	const rent = async (index: number) => {
		const id = await rentOf(renter, machine, index);
		await host.hosts.report([{instance_id: id, boot: 1, status: 'running', status_msg: 'runs'}]);
		return id;
	};
	const [running, stopped] = [await rent(0), await rent(1)];
	await renter.instances.stop(stopped);
	return {machine, running, stopped};
}

/** Seconds of computing, and GB-seconds of disk of instances and volumes, that were charged. */
async function chargedIn(database: Database) {
	const rows = await database
		.selectFrom('charges')
		.select(['source', 'item', 'quantity'])
		.execute();
	const sum = (name: string) =>
		rows
			.filter(({source, item}) => `${source} ${item}` === name)
			.reduce((all, {quantity}) => all + quantity / 1000, 0);
	return {gpu: sum('instance gpu'), disk: sum('instance disk'), volume: sum('volume disk')};
}

export type RestartedMarket = Awaited<ReturnType<typeof openRestartedMarket>>;
