import {expect, test} from 'vitest';
import {createWorkSignal, type WorkSignal} from '../../../source/market/base/work-signal.ts';
import {noteReports} from '../../../source/market/hosts/reports.ts';
import {usualPatience} from '../../../source/market/lifecycle/contact-rules.ts';
import {
	destroyDirectly,
	openHostMarket,
	openRentedMarket,
	reportOf,
	testPublication,
	type HostMarket,
} from '../../helpers/host/hosts.ts';
import {readInstance, rentDirectly, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

async function chargesOf({database}: HostMarket) {
	return database
		.selectFrom('charges')
		.select(['item', 'quantity', 'rate_micros', 'amount_micros'])
		.where('item', 'in', ['bwd', 'bwu'])
		.orderBy('item')
		.execute();
}

test('a report says what an instance is, how it is reached and what it uses', async () => {
	await using market = await openRentedMarket({handover: 'secret'});
	const {database, instance, host} = market;
	const access = {ssh_host: 'ssh1.example', ssh_port: 2222, ports: {'22/tcp': []}};
	const usage = {gpu_util: 50, mem_usage: 1.5};
	const status_msg = 'success, running';
	expect(await host.report([reportOf(instance, {access, usage, status_msg})])).toEqual([]);
	const row = await readInstance(database, instance.id);
	expect(row).toMatchObject({
		actual: 'running',
		reported: 'running',
		message: status_msg,
		running_since: TEST_NOW,
		handover: null,
		revision: instance.revision,
	});
	expect(JSON.parse(row.access ?? '')).toEqual(access);
	expect(JSON.parse(row.usage ?? '')).toEqual(usage);
	expect((await host.takeWork({after: 0})).work[0]?.api_key).toBeNull();
	await host.report([{instance_id: instance.id, boot: 1}]);
	expect(await readInstance(database, instance.id)).toEqual(row);
});

test('the key of an instance is told until it runs, also to a host that starts anew before', async () => {
	await using market = await openRentedMarket({handover: 'secret'});
	const keyOf = async () => (await market.host.takeWork({after: 0})).work[0]?.api_key;
	expect([await keyOf(), await keyOf()]).toEqual(['secret', 'secret']);
	// Such as while its disk is full, so that its record cannot be written.
	await market.host.report([reportOf(market.instance, {status: 'loading'})]);
	await market.host.report([{instance_id: market.instance.id, boot: 1, usage: {gpu_util: 0}}]);
	expect(await keyOf()).toBe('secret');
	await market.host.report([reportOf(market.instance)]);
	expect(await keyOf()).toBeNull();
});

test('computing is charged from the report that it runs until the one that it does not', async () => {
	await using market = await openRentedMarket({gpu_micros: 3_600_000});
	const {host, instance, clock, database} = market;
	await host.report([reportOf(instance, {status: 'loading'})]);
	clock.pass(10);
	await host.report([reportOf(instance)]);
	clock.pass(20);
	await host.report([reportOf(instance, {status: 'exited', status_msg: 'out of memory'})]);
	clock.pass(10);
	await host.heartbeat([market.machine.id]);
	await market.sweep();
	const charged = await database
		.selectFrom('charges')
		.select(['quantity', 'amount_micros'])
		.where('item', '=', 'gpu')
		.execute();
	expect(charged).toEqual([{quantity: 20_000, amount_micros: 20_000}]);
	expect(await readInstance(database, instance.id)).toMatchObject({
		actual: 'exited',
		current: 'running',
		message: 'out of memory',
		running_since: null,
	});
});

test('an instance that can never start gives its GPUs to whoever waits for them', async () => {
	await using market = await openRentedMarket();
	const {host, instance, database} = market;
	const waiting = await rentDirectly(database, {
		ask_id: instance.ask_id,
		current: 'stopped',
		waiting_since: TEST_NOW,
	});
	const status_msg = 'there is no such image';
	expect(await host.report([reportOf(instance, {status: 'failed', status_msg})])).toEqual([]);
	expect(await readInstance(database, instance.id)).toMatchObject({
		actual: 'exited',
		intended: 'stopped',
		current: 'stopped',
		message: `Error: ${status_msg}`,
	});
	expect(await readInstance(database, waiting.id)).toMatchObject({current: 'running', boot: 2});
	expect(await host.takeWork({after: 2})).toMatchObject({
		work: [
			{instance_id: instance.id, wanted: 'stopped'},
			{instance_id: waiting.id, wanted: 'running'},
		],
	});
});

test('what an instance was rented for is free again when it cannot start', async () => {
	await using market = await openRentedMarket();
	const {host, instance} = market;
	const find = async () => market.search({id: {eq: instance.ask_id}});
	expect(await find()).toMatchObject([{rentable: false, rented: true}]);
	await host.report([reportOf(instance, {status: 'failed'})]);
	expect(await find()).toMatchObject([{id: instance.ask_id, rentable: true, rented: false}]);
});

test('a late report about an earlier boot changes nothing but that its key is known', async () => {
	await using market = await openRentedMarket({boot: 3, handover: 'secret'});
	const {host, instance, database} = market;
	const late = {boot: 2, usage: {gpu_util: 9}, traffic: {up: 5, down: 5}};
	expect(await host.report([reportOf(instance, late)])).toEqual([]);
	expect(await readInstance(database, instance.id)).toEqual({...instance, handover: null});
	expect(await chargesOf(market)).toEqual([]);
});

test('instances that are not there are told as gone, and the others are noted', async () => {
	await using market = await openRentedMarket();
	const {host, instance, database} = market;
	const destroyed = await rentDirectly(database);
	await destroyDirectly(market.database, destroyed);
	const reports = [reportOf(destroyed), {instance_id: 999, boot: 1}, reportOf(instance)];
	expect(await host.report(reports)).toEqual([destroyed.id, 999]);
	expect(await readInstance(database, instance.id)).toMatchObject({actual: 'running'});
	expect(await readInstance(database, destroyed.id)).toMatchObject({actual: null});
});

test('traffic is charged once, by its direction', async () => {
	await using market = await openRentedMarket({up_micros: 5000, down_micros: 2000});
	const {host, instance} = market;
	const count = async (up: number, down: number) =>
		host.report([reportOf(instance, {traffic: {up, down}})]);
	await count(1_000_000_000, 0);
	await count(1_000_000_000, 0);
	await count(3_000_000_000, 500_000_000);
	expect(await chargesOf(market)).toEqual([
		{item: 'bwd', quantity: 500_000_000, rate_micros: 2000, amount_micros: 1000},
		{item: 'bwu', quantity: 3_000_000_000, rate_micros: 5000, amount_micros: 15_000},
	]);
	// The machine has lost its power, and the host its last counts.
	await count(1_000_000_000, 600_000_000);
	await count(3_500_000_000, 0);
	expect(await chargesOf(market)).toMatchObject([
		{item: 'bwd', quantity: 600_000_000},
		{item: 'bwu', quantity: 3_500_000_000},
	]);
	const {credit} = await market.renter.account.current();
	expect(credit).toBeCloseTo(100 - 0.0187, 9);
});

test('traffic of a container is not charged again when it is told after a remake', async () => {
	await using market = await openRentedMarket({up_micros: 1000});
	const {host, instance, renter} = market;
	const traffic = {up: 1_000_000_000, down: 0};
	await host.report([reportOf(instance, {traffic})]);
	const charged = await chargesOf(market);
	await renter.instances.stop(instance.id);
	await renter.instances.rebuild(instance.id, {image: 'debian:12'});
	// It had told this before, and did not reach the market with it.
	await host.report([{instance_id: instance.id, boot: instance.boot, traffic}]);
	expect(await chargesOf(market)).toEqual(charged);
});

test('a report counts as no heartbeat', async () => {
	await using market = await openRentedMarket();
	market.clock.pass(50);
	await market.host.report([reportOf(market.instance)]);
	expect(await readInstance(market.database, market.instance.id)).toMatchObject({
		actual: 'unknown',
		reported: 'running',
	});
});

test('time in which nothing was heard is not paid for, whoever reports first', async () => {
	await using market = await openHostMarket();
	await market.host.publish(testPublication());
	const instance = await rentRunning(market.database);
	market.clock.pass(100);
	await market.host.report([reportOf(instance, {status: 'exited'})]);
	const charged = await market.database
		.selectFrom('charges')
		.select('quantity')
		.where('item', '=', 'gpu')
		.execute();
	expect(charged).toEqual([{quantity: 45_000}]);
});

test('the host is woken where its work changed, and only there', async () => {
	await using market = await openRentedMarket();
	const {database, instance} = market;
	const signalled: number[] = [];
	const workSignal: WorkSignal = {...createWorkSignal(), send: name => signalled.push(name)};
	const note = async (status: 'running' | 'failed') =>
		noteReports(
			{database, patience: usualPatience, workSignal, warn: () => undefined},
			{
				accountId: instance.host_account_id,
				reports: [reportOf(instance, {status})],
				now: TEST_NOW,
			},
		);
	await note('running');
	expect(signalled).toEqual([]);
	await note('failed');
	expect(signalled).toEqual([instance.host_account_id]);
});
