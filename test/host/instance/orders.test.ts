import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {EndsAgent, openOrders} from '../../../source/host/instance/orders.ts';
import {openFolder} from '../../helpers/folder.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';

/** Runs of an agent over one folder, each of which dies in the middle of what is under way. */
function openRuns() {
	const folder = openFolder();
	const place = join(folder.path, 'orders');
	const scheduler = createHandScheduler(Date.now() / 1000);
	return {
		scheduler,
		files: () => readdirSync(place).toSorted(),
		begin: () => openOrders(place, scheduler),
		[Symbol.dispose]: folder[Symbol.dispose],
	};
}

const never = async () => new Promise<never>(() => undefined);

test('an order that an agent died of is tried last, alone, and not a third time', async () => {
	using runs = openRuns();
	const first = runs.begin();
	for (const order of ['one', 'two', 'three']) void first.run(order, never);
	await first.run('done', async () => undefined);
	expect(runs.files()).toEqual(['one', 'three', 'two']);

	const second = runs.begin();
	const begun: string[] = [];
	const others = Promise.withResolvers<void>();
	const one = Promise.withResolvers<void>();
	const note = (order: string, ends: Promise<unknown>) => async () => {
		begun.push(order);
		await ends;
	};
	const ended = second.run('one', note('one', one.promise));
	void second.run('two', note('two', never()));
	void second.run('three', note('three', never()));
	void second.run('new', note('new', others.promise));
	await runs.scheduler.pass(5);
	expect(begun).toEqual(['new']);
	others.resolve();
	await runs.scheduler.pass(5);
	expect(begun).toEqual(['new', 'one']);
	one.resolve();
	await ended;
	await runs.scheduler.pass(5);
	expect(begun).toEqual(['new', 'one', 'two']);
	expect(runs.files()).toEqual(['three', 'two']);

	const third = runs.begin();
	expect(['one', 'two', 'three'].map(third.isSuspect)).toEqual([false, true, true]);
	await expect(third.run('two', async () => 'done')).rejects.toThrow(EndsAgent);
	await expect(third.runNow('two', async () => 'done')).rejects.toThrow(EndsAgent);
	const last = third.run('three', async () => 'done');
	await runs.scheduler.pass(5);
	expect(await last).toBe('done');
	await runs.scheduler.pass(25 * 60 * 60);
	expect(await runs.begin().run('two', async () => 'done')).toBe('done');
});

test('a suspect order waits a bounded time, and what fails or is stopped is over', async () => {
	using runs = openRuns();
	void runs.begin().run('one', never);
	const orders = runs.begin();
	void orders.run('endless', never);
	const one = orders.run('one', async () => 'done');
	await runs.scheduler.pass(62);
	expect(await one).toBe('done');
	await expect(orders.run('two', async () => Promise.reject(new Error('no')))).rejects.toThrow(
		'no',
	);
	expect(runs.files()).toEqual(['endless']);
	orders.close();
	expect(runs.files()).toEqual([]);
	expect(runs.begin().isSuspect('endless')).toBe(false);
});
