/**
 * Measures what calls of the built market cost in processor time of its process, beside the bare parts
 * that do the same work, in one run: the ratio holds on a machine that others use as well.
 */
import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {contract} from '../../source/contract/index.ts';
import {openFolder} from '../helpers/folder.ts';
import {startMarket} from '../helpers/market/market-process.ts';
import {
	addInstances,
	compare,
	cpuMs,
	machineIds,
	memoryMb,
	openFloor,
	openSide,
	prepare,
	ROUNDS,
	row,
	settled,
} from './market-sides.ts';
import type {Call, Load, Side} from './market-sides.ts';

const OFFERS = Number(process.argv[2] ?? 100_000);
const INSTANCES = 10_000;

const path = '/api/v0/bundles/';
const gpus = ['RTX 4090', 'RTX 3090', 'H100 SXM', 'A100 SXM4', 'RTX 5090', 'L40S'];

function search(body: Readonly<Record<string, unknown>>): Call {
	return {method: 'POST', path, body: {limit: 64, ...body}};
}

function indexed(index: number): Call {
	return search({
		gpu_name: {eq: gpus[index % gpus.length]},
		num_gpus: {gte: 1},
		verified: {eq: true},
		rentable: {eq: true},
		order: [['dlperf_per_dphtotal', 'desc']],
	});
}

/** Another search each time: no reply is kept of it. */
function unindexed(index: number): Call {
	return search({
		cpu_ram: {gte: 64_000 + index},
		inet_up: {gte: 500},
		disk_bw: {gte: 2000},
		order: [['inet_up_cost', 'asc']],
	});
}
const bids = search({type: 'bid', rentable: {eq: true}, order: [['dph_total', 'asc']]});

async function keep(bare: Side, name: string, text: string): Promise<void> {
	await bare.send({method: 'POST', path: `/keep/${name}`, body: JSON.parse(text)});
}

async function measureSearches(ours: Side, bare: Side): Promise<void> {
	await keep(bare, 'search', await ours.send(indexed(0)));
	const send: Load = {calls: 2000, call: index => ({...indexed(index), path: '/send/search'})};
	await compare('indexed search, 64 rows', [ours, {calls: 2000, call: indexed}], [bare, send]);
	const best = search({verified: {eq: true}, rentable: {eq: true}});
	await compare('the best of all', [ours, {calls: 1000, call: () => best}], [bare, send]);
	await compare('a search no index serves', [ours, {calls: 50, call: unindexed}]);
	await compare('a search of bids', [ours, {calls: 50, call: () => bids}]);
}

/** One offer of each machine: the others share its GPUs. */
async function rentable(ours: Side): Promise<readonly number[]> {
	const ids: Array<readonly [number, number]> = [];
	for (let least = 0; ids.length < 40_000;) {
		const body = {rentable: {eq: true}, id: {gt: least}, order: [['id', 'asc']], limit: 2000};
		const text = await ours.send(search({...body, select_cols: ['id', 'machine_id']}));
		const {offers} = contract.offers.search.replies[200].parse(JSON.parse(text));
		if (offers.length === 0) break;
		for (const {id, machine_id} of offers) ids.push([machine_id ?? 0, id]);
		least = offers.at(-1)?.id ?? Infinity;
	}
	return [...new Map(ids).values()];
}

async function measureRents(ours: Side, bare: Side): Promise<void> {
	const asks = await rentable(ours);
	const body = {image: 'ubuntu:24.04', disk: 10, runtype: 'ssh_direct', label: 'bench'};
	const call = (index: number): Call => ({
		method: 'PUT',
		path: `/api/v0/asks/${asks[index]}/`,
		body,
	});
	const bareCall = (index: number): Call => ({...call(index), path: `/rent/${asks[index]}`});
	await ours.send(call(asks.length - 1));
	const calls = 150;
	await compare('rent', [ours, {calls, call}], [bare, {calls, call: bareCall}]);
	const rest = asks.slice(calls * (ROUNDS + 1));
	for (let index = 0; index < 200; index++) {
		await ours.send({...call(0), path: `/api/v0/asks/${rest[index]}/`});
	}
}

async function measureLists(ours: Side, bare: Side): Promise<void> {
	const list: Call = {method: 'GET', path: '/api/v0/instances/'};
	const text = await ours.send(list);
	await keep(bare, 'list', text);
	const found = contract.instances.list.replies[200].parse(JSON.parse(text)).instances.length;
	const print: Load = {calls: 20, atOnce: 2, call: () => ({...list, path: '/print/list'})};
	await compare(
		`list of ${found} (${(text.length / 1e6).toFixed(1)} MB)`,
		[ours, {calls: 20, atOnce: 2, call: () => list}],
		[bare, print],
	);
}

async function measureAccount(ours: Side): Promise<void> {
	const page: Call = {method: 'GET', path: '/api/v1/instances/?limit=25'};
	const current: Call = {method: 'GET', path: '/api/v0/users/current/'};
	await compare('page of 25', [ours, {calls: 100, call: () => page}]);
	await compare('users/current', [ours, {calls: 50, call: () => current}]);
}

async function measureHosts(ours: Side, bare: Side, machines: readonly number[]): Promise<void> {
	const call = (index: number): Call => ({
		method: 'POST',
		path: '/api/v0/hosts/heartbeat/',
		body: {machines: [machines[index % machines.length]]},
	});
	const bareCall = (index: number): Call => ({
		...call(index),
		path: `/hear/${machines[index % machines.length]}`,
	});
	const name = `heartbeat of 1 of ${machines.length} machines`;
	await compare(name, [ours, {calls: 200, call}], [bare, {calls: 200, call: bareCall}]);
}

async function measureIdle(pid: number, name: string): Promise<void> {
	const before = cpuMs(pid);
	await sleep(20_000);
	console.log(
		name.padEnd(44) + ((cpuMs(pid) - before) / 200).toFixed(2).padStart(9) + ' % of a core',
	);
}

using folder = openFolder();
const file = join(folder.path, 'market.db');
const making = ['--offers', String(OFFERS), '--trouble', 'none', '--credit', '1000000'];
console.log(
	`\n${OFFERS.toLocaleString('en-US')} offers: ms of processor time a call, the bare parts, ratio`,
);
let key = '';
{
	await using market = await startMarket(file, ...making);
	key = await market.key();
	row('made in, seconds of processor time', cpuMs(market.pid) / 1000, 1);
	await market.end();
}
const hostKey = prepare(file);
const bareFile = join(folder.path, 'bare.db');
{
	await using market = await startMarket(file);
	await settled(market.pid);
	row('read, seconds of processor time', cpuMs(market.pid) / 1000, 1);
	row('memory after the start, MB', memoryMb(market.pid));
	copyFileSync(file, bareFile);
	await using bare = await openFloor(bareFile);
	const ours = openSide(market.pid, market.url, key);
	await measureSearches(ours, bare);
	await measureRents(ours, bare);
	await measureLists(ours, bare);
	const hosts = openSide(market.pid, market.url, hostKey);
	await measureHosts(hosts, bare, machineIds(file));
	await ours.close();
	await hosts.close();
	row('memory, MB', memoryMb(market.pid));
	await market.end();
}
addInstances(file, INSTANCES);
{
	await using market = await startMarket(file);
	await settled(market.pid);
	const ours = openSide(market.pid, market.url, key);
	await measureAccount(ours);
	await measureIdle(market.pid, `idle, ${INSTANCES} running`);
	await ours.close();
	await market.end();
}
