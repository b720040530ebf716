import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {defaultSettings} from '../../../source/console/default-settings.ts';
import {createFleet} from '../../../source/console/fleet/fleet.ts';
import type {Timers} from '../../../source/console/fleet/timers.ts';
import {openFleetMarket} from '../../helpers/fleet.ts';
import {TEST_NOW} from '../../helpers/market.ts';

/** Milliseconds that are moved by hand. */
function createHandTimers() {
	let now = TEST_NOW * 1000;
	const plans = new Set<{readonly at: number; readonly run: () => void}>();
	const timers: Timers = {
		now: () => now,
		after(ms, run) {
			const plan = {at: now + ms, run};
			plans.add(plan);
			return () => plans.delete(plan);
		},
	};
	/** Lets time pass, and waits until nothing is asked any more. */
	async function pass(seconds: number, isQuiet: () => boolean): Promise<void> {
		const end = now + seconds * 1000;
		for (;;) {
			while (!isQuiet()) await setImmediate();
			const [first] = [...plans].filter(({at}) => at <= end).toSorted((a, b) => a.at - b.at);
			if (first === undefined) break;
			plans.delete(first);
			now = Math.max(now, first.at);
			first.run();
			await setImmediate();
		}
		now = end;
	}
	return {timers, pass};
}

/** A fleet that watches a real market, with a count of what it asks. */
async function openWatchedFleet() {
	const market = await openFleetMarket();
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {timers, pass} = createHandTimers();
	const asked: string[] = [];
	let open = 0;
	const counted = async <Value>(name: string, ask: () => Promise<Value>): Promise<Value> => {
		asked.push(name);
		open += 1;
		try {
			return await ask();
		} finally {
			open -= 1;
		}
	};
	const fleet = createFleet({
		client: async () => ({
			instances: {
				list: async options => counted('list', async () => client.instances.list(options)),
				show: async (id, options) =>
					counted(`show ${id}`, async () => client.instances.show(id, options)),
			},
			account: {
				current: async options => counted('account', async () => client.account.current(options)),
			},
		}),
		limits: () => defaultSettings.limits,
		timers,
	});
	return {
		...market,
		client,
		fleet,
		asked,
		pass: async (seconds: number) => pass(seconds, () => open === 0),
		lists: () => asked.filter(name => name === 'list').length,
		async [Symbol.asyncDispose]() {
			fleet.close();
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('whoever looks elsewhere costs one list in 30 seconds, and whoever watches one in ten', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	expect(watched.fleet.state.get().rows).toHaveLength(4);
	await watched.pass(60);
	expect(watched.lists()).toBe(3);
	const leave = watched.fleet.watch();
	await watched.pass(60);
	expect(watched.lists()).toBe(9);
	leave();
	await watched.pass(60);
	expect(watched.lists()).toBe(11);
	expect(watched.asked.filter(name => name.startsWith('show'))).toEqual([]);
});

test('after ten minutes without a key it looks as seldom as for nobody, until a key comes', async () => {
	await using watched = await openWatchedFleet();
	watched.fleet.watch();
	await watched.pass(600);
	const before = watched.lists();
	await watched.pass(300);
	expect(watched.lists() - before).toBeLessThanOrEqual(11);
	watched.fleet.touch();
	const touched = watched.lists();
	await watched.pass(60);
	expect(watched.lists() - touched).toBeGreaterThanOrEqual(6);
});

test('paused, it asks nothing', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	watched.fleet.watch();
	watched.fleet.follow(watched.fresh.id);
	watched.fleet.pause(true);
	const before = watched.asked.length;
	await watched.pass(600);
	expect(watched.asked).toHaveLength(before);
});

test('only what boots under the cursor is looked at by itself', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	watched.fleet.watch();
	watched.fleet.follow(watched.running.id);
	await watched.pass(20);
	expect(watched.asked.some(name => name.startsWith('show'))).toBe(false);
	watched.fleet.follow(watched.fresh.id);
	await watched.pass(20);
	const shown = watched.asked.filter(name => name.startsWith('show'));
	expect(new Set(shown)).toEqual(new Set([`show ${watched.fresh.id}`]));
	expect(shown.length).toBeGreaterThanOrEqual(4);
});

test('what was destroyed is looked for at once, and goes when it is gone', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	await watched.client.instances.destroy(watched.stuck.id);
	watched.fleet.noteDestroyed(watched.stuck.id);
	const ids = () => watched.fleet.state.get().rows.map(({instance: {id}}) => id);
	expect(ids()).toContain(watched.stuck.id);
	await watched.pass(9);
	expect(ids()).not.toContain(watched.stuck.id);
	expect(watched.lists()).toBe(1);
});

test('what goes wrong is kept beside what was seen last, and forgotten at the next success', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	await watched.database.updateTable('api_keys').set({deleted_at: TEST_NOW}).execute();
	await watched.pass(31);
	expect(watched.fleet.state.get().error?.message).toContain('not accepted');
	expect(watched.fleet.state.get().rows).toHaveLength(4);
	await watched.database.updateTable('api_keys').set({deleted_at: null}).execute();
	await watched.pass(31);
	expect(watched.fleet.state.get().error).toBeUndefined();
});
