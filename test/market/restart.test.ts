import {expect, test} from 'vitest';
import {openRestartedMarket} from '../helpers/host/restarts.ts';
import type {RestartedMarket} from '../helpers/host/restarts.ts';

const HOUR = 3600;

/** GB of the disks of both instances, and of the volume. */
const [DISKS, VOLUME] = [20, 5];

/** What is charged for computing until one moment, and for disk until another. */
function chargedUntil(compute: number, disk: number) {
	return {gpu: compute, disk: disk * DISKS, volume: disk * VOLUME};
}

async function pass(world: RestartedMarket, seconds: number): Promise<void> {
	await world.market().pass(seconds);
}

test.each([
	['a second', 1],
	['a minute', 60],
	['an hour', HOUR],
	['a year', 365 * 24 * HOUR],
])('after a market was away for %s, all is as it was', async (_, seconds) => {
	await using world = await openRestartedMarket();
	await pass(world, 30);
	await world.hear();
	const before = await world.show();
	await world.restart(seconds);
	const after = await world.show();
	expect(after.map(instance => instance?.actual_status)).toEqual(['running', 'exited']);
	expect(after.map(instance => instance?.status_msg)).toEqual(
		before.map(instance => instance?.status_msg),
	);
	expect(after[0]?.instance).toMatchObject({gpuCostPerHour: 1});
	const [uptime = 0, earlier = 0] = [after[0]?.uptime_mins, before[0]?.uptime_mins].map(Number);
	// Both are shown as of the minute.
	expect(Math.abs(uptime - earlier - seconds / 60)).toBeLessThanOrEqual(1);
	await pass(world, 2);
	await world.hear();
	expect(await world.states()).toBe('running exited');
});

test('a machine that is not heard after a restart is silent, then gone, and was there until then', async () => {
	await using world = await openRestartedMarket();
	await world.restart(HOUR);
	await pass(world, 44.9);
	expect(await world.states()).toBe('running exited');
	await pass(world, 0.1);
	expect(await world.states()).toBe('unknown unknown');
	await pass(world, 554.9);
	expect(await world.states()).toBe('unknown unknown');
	await pass(world, 0.1);
	expect(await world.states()).toBe('offline offline');
});

test('a restart costs nothing for which nobody heard of the machine', async () => {
	await using world = await openRestartedMarket();
	await pass(world, 20);
	for (const seconds of [30, 100, 20, HOUR]) await world.restart(seconds);
	expect(await world.charged()).toEqual(chargedUntil(45, 600));
	await pass(world, 1000);
	expect(await world.charged()).toEqual(chargedUntil(45, 600));
});

test('from when it is heard after a restart on, what is on a machine costs again', async () => {
	await using world = await openRestartedMarket();
	await world.restart(HOUR);
	await pass(world, 8);
	await world.hear();
	await pass(world, 10);
	expect(await world.charged()).toEqual(chargedUntil(45 + 10, 600 + 10));
	await world.hear();
	await pass(world, 1000);
	expect(await world.charged()).toEqual(chargedUntil(45 + 10 + 45, 600 + 10 + 600));
});

test('a market that was away for less than machines may be silent charges for all of it', async () => {
	await using world = await openRestartedMarket();
	await pass(world, 20);
	await world.restart(20);
	await pass(world, 4);
	await world.hear();
	await pass(world, 6);
	expect(await world.charged()).toEqual(chargedUntil(50, 50));
});

test('what was unknown or offline before a restart is so after it', async () => {
	await using world = await openRestartedMarket();
	await pass(world, 50);
	await world.restart(HOUR);
	expect(await world.states()).toBe('unknown unknown');
	await pass(world, 599);
	expect(await world.states()).toBe('unknown unknown');
	await world.leave();
	expect(await world.states()).toBe('offline offline');
	await world.restart(1);
	expect(await world.states()).toBe('offline offline');
	expect(await world.charged()).toEqual(chargedUntil(45, 600));
});

test('what is stopped before its machine is heard costs until the machine was silent for too long', async () => {
	await using world = await openRestartedMarket();
	await world.restart(HOUR);
	await pass(world, 5);
	await world.renter().instances.stop(world.running);
	await pass(world, 5);
	await world.hear();
	await pass(world, 30);
	expect(await world.states()).toBe('exited exited');
	expect(await world.charged()).toEqual(chargedUntil(45, 600 + 30));
});

test('what is on a machine can be rented while it is waited for after a restart', async () => {
	await using world = await openRestartedMarket();
	await world.renter().instances.destroy(world.stopped);
	await world.restart(HOUR);
	const order = {image: 'ubuntu:24.04'};
	const {new_contract: id} = await world
		.renter()
		.instances.create(world.machine.asks[1]?.id ?? 0, order);
	const record = await world.renter().instances.show(id);
	expect(record).toMatchObject({actual_status: null, cur_state: 'running'});
});

test('a machine whose clock jumps is away for that long', async () => {
	await using world = await openRestartedMarket();
	await pass(world, 5);
	world.market().clock.jump(8 * HOUR);
	await world.market().sweep();
	expect(await world.states()).toBe('running exited');
	expect(await world.charged()).toEqual(chargedUntil(45, 600));
	await pass(world, 5);
	await world.hear();
	expect(await world.states()).toBe('running exited');
	await pass(world, 45);
	expect(await world.states()).toBe('unknown unknown');
	expect(await world.charged()).toEqual(chargedUntil(90, 600 + 45));
});

test('a market whose clock is earlier after a restart gives nothing back, and goes on', async () => {
	await using world = await openRestartedMarket();
	const credit = async () => (await world.renter().account.current()).credit;
	await pass(world, 12);
	await world.hear();
	world.market().clock.pass(4);
	const before = await credit();
	await world.restart(-HOUR);
	const after = await credit();
	expect(after).toBeLessThanOrEqual(Number(before));
	expect(await world.states()).toBe('running exited');
	const [running] = await world.show();
	expect(running?.uptime_mins).toBeGreaterThanOrEqual(0);
	await pass(world, 20);
	expect(await credit()).toBeLessThan(Number(after));
});
