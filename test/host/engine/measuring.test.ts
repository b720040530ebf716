import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Report} from '../../../source/contract/nouns/host-work.ts';
import {sharedMachine} from '../../../source/host/sandbox/resource-limits.ts';
import {openEngine} from '../../../source/host/engine/engine.ts';
import {noGpus, measuring} from '../../../source/host/machine/machine-gpus.ts';
import {containerDriver, measure} from '../../../source/host/engine/containers.ts';
import {openPulledImages} from '../../../source/host/engine/pulled-images.ts';
import type {EngineSetup} from '../../../source/host/engine/setup.ts';
import {type Host, instanceIn, type HostInstance} from '../../../source/host/instance/instance.ts';
import {reportUsage} from '../../../source/host/instance/rounds.ts';
import {noIsolationSupport} from '../../../source/host/engine/isolation-support.ts';
import {openOrders} from '../../../source/host/instance/orders.ts';
import {createPortChoice} from '../../../source/host/machine/port-choice.ts';
import {volumeSerialsIn} from '../../../source/host/base/serials.ts';
import {systemScheduler} from '../../../source/host/base/scheduler.ts';
import {workOf} from '../../helpers/host/host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openPretender} from '../../helpers/services/pretender.ts';

const reach = {address: '127.0.0.1', listen: '127.0.0.1'};
const ports = {reach, portChoice: createPortChoice(reach)};

/** A container that runs, and an engine that says of it what a test wants. */
async function openRunning() {
	const said = {writtenBytes: 0};
	const networks = {eth0: {rx_bytes: 300, tx_bytes: 20}};
	const stats = {networks, memory_stats: {usage: 2e9, limit: 8e9}};
	const about = () => ({Id: 'one', State: {Running: true}, SizeRw: said.writtenBytes});
	const pretender = await openPretender(({url = ''}, response) => {
		response.end(JSON.stringify(url.includes('/stats') ? stats : about()));
	});
	const folder = openFolder();
	const engine = await openEngine(pretender.path);
	const told: Report[] = [];
	const world = {folder: folder.path, ...reach, gpus: noGpus, log: () => undefined};
	const setup: EngineSetup = {
		...world,
		engine,
		serviceUrl: undefined,
		limitsDisk: true,
		machine: sharedMachine(2),
		means: noIsolationSupport,
		allowsLocalImages: false,
		pushRegistries: [],
		warm: [],
		pulled: openPulledImages({engine, ...world, kept: [], now: Date.now}),
		scheduler: systemScheduler,
		random: () => 0,
	};
	const host: Host = {
		...setup,
		...ports,
		driver: containerDriver(setup),
		measureGpus: measuring('none'),
		graceMs: 0,
		endsOnClose: false,
		orders: openOrders(join(folder.path, 'orders'), systemScheduler),
		volumeSerials: volumeSerialsIn(folder.path, async () => undefined),
		report: report => told.push(report),
	};
	const instance: HostInstance = {
		...(await instanceIn(folder.path, 7)),
		work: workOf({gpu_ids: [1]}),
		running: {
			ended: async () => '',
			measure: async withDisk => measure(setup, {id: 7, container: 'one', withDisk}),
			release: async () => undefined,
		},
	};
	const loads = new Map([
		[0, {util: 3, temperature: 30, memoryMb: 4}],
		[1, {util: 97, temperature: 64, memoryMb: 79_120}],
	]);
	return {
		said,
		told,
		measure: async (withDisk: boolean) => reportUsage(host, instance, {withDisk, loads}),
		async [Symbol.asyncDispose]() {
			await engine.close();
			await pretender[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}

test('what a container uses is told with the load of its GPUs, and of no others', async () => {
	await using running = await openRunning();
	await running.measure(false);
	expect(running.told).toMatchObject([
		{
			instance_id: 7,
			usage: {mem_usage: 2, mem_limit: 8, gpu_util: 97, gpu_temp: 64, vmem_usage: 82.963},
			traffic: {up: 20, down: 300},
		},
	]);
});

test('a container that writes more than was rented is told of, and when all is well', async () => {
	await using running = await openRunning();
	const {said, told} = running;
	for (const writtenBytes of [1e9, 20e9, 21e9, 1e9]) {
		said.writtenBytes = writtenBytes;
		await running.measure(true);
	}
	const usage = told.flatMap(report => report.usage?.disk_usage ?? []);
	expect(usage).toEqual([1, 20, 21, 1]);
	const messages = told.flatMap(({status, status_msg: message}) => (status ? [message] : []));
	expect(messages).toEqual([
		'It uses 20.0 GB of the 16 GB of disk that were rented.',
		'It uses 21.0 GB of the 16 GB of disk that were rented.',
		'success, running ubuntu:24.04/ssh',
	]);
});

test('the disk is told of each time, also when it was not measured anew', async () => {
	await using running = await openRunning();
	const {said, told} = running;
	said.writtenBytes = 4e9;
	await running.measure(true);
	for (let round = 0; round < 5; round++) await running.measure(false);
	expect(told.map(report => report.usage?.disk_usage)).toEqual([4, 4, 4, 4, 4, 4]);
});
