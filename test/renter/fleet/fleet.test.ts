import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {createFleet} from '../../../source/renter/fleet/fleet.ts';
import {openFleetMarket, stoppedRun} from '../../helpers/fleet/fleet.ts';
import {rentDirectly, rentRunning} from '../../helpers/market/instances.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

/** How often the list may be asked for, as the client would tell it. */
function createPace() {
	let slowness = 1;
	const listeners = new Set<() => void>();
	return {
		read: () => [
			{
				endpoint: 'GET /api/v1/instances/',
				call: 'list your instances',
				intervalSeconds: slowness,
				usualSeconds: 1,
				slowness,
				reason: undefined,
				refusals: 0,
			},
		],
		subscribe(listener: () => void) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		slow(next: number) {
			slowness = next;
			for (const listener of listeners) listener();
		},
	};
}

/** A fleet that watches a real market, with a count of what it asks. */
const nothingKept = {boots: {}, lastTemplate: undefined};

async function openWatchedFleet() {
	const market = await openFleetMarket();
	const client = openClient({
		url: market.url,
		key: market.key,
		paceScale: 0,
		now: () => timers.now(),
	});
	const asked: string[] = [];
	/** What happens while an answer is on its way. */
	const meanwhile = new Map<string, () => Promise<void>>();
	let open = 0;
	const timers = createHandScheduler(TEST_NOW * 1000, () => open === 0);
	market.clock.follow(() => timers.now() / 1000 - TEST_NOW);
	const counted = async <Value>(name: string, ask: () => Promise<Value>): Promise<Value> => {
		asked.push(name);
		open += 1;
		try {
			const answer = await ask();
			await meanwhile.get(name)?.();
			return answer;
		} finally {
			open -= 1;
		}
	};
	const pace = createPace();
	const fleet = createFleet({
		client: async () => ({
			pace,
			clock: client.clock,
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
		memory: {
			recall: () => ({...nothingKept, remembered: market.seen(TEST_NOW * 1000)}),
			remember: async () => {},
		},
	});
	return {
		...market,
		client,
		fleet,
		asked,
		meanwhile,
		slow: (slowness: number) => pace.slow(slowness),
		pass: async (seconds: number) => timers.pass(seconds * 1000),
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

test('a refused destruction leaves an instance as it was, and one that is gone is shown as gone', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	const {id} = watched.stuck;
	const condition = () =>
		watched.fleet.state.get().rows.find(({instance}) => instance.id === id)?.condition;
	const takeBack = watched.fleet.noteDestroyed(id);
	expect(condition()).toBe('destroying');
	takeBack();
	expect(condition()).toBe('stuck');
	watched.fleet.noteDestroyed(id);
	watched.fleet.noteGone(id);
	expect(condition()).toBe('gone');
	expect(watched.fleet.state.get().burn.count).toBe(3);
});

/** Destroys an instance while the answer to a question is on its way. Returns what the fleet says of it from then on. */
function destroyMeanwhile(
	{meanwhile, client, fleet}: Awaited<ReturnType<typeof openWatchedFleet>>,
	{id, question = `show ${id}`}: {readonly id: number; readonly question?: string},
) {
	const said: unknown[] = [];
	meanwhile.set(question, async () => {
		meanwhile.delete(question);
		await client.instances.destroy(id);
		fleet.noteGone(id);
		fleet.state.subscribe(() => {
			const {rows, incomplete} = fleet.state.get();
			said.push(incomplete ?? rows.find(({instance}) => instance.id === id)?.condition ?? 'gone');
		});
	});
	return said;
}

test.each(['list', 'show'])('a %s that is older than its end brings back nothing', async what => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	watched.fleet.watch();
	const {id} = watched.fresh;
	watched.fleet.follow(id);
	const said = destroyMeanwhile(watched, {id, ...(what === 'list' && {question: what})});
	await watched.pass(30);
	expect(new Set(said)).toEqual(new Set(['gone']));
});

test('a record of what a list left out brings back nothing that ended since', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	watched.fleet.watch();
	const {meanwhile, client, fleet} = watched;
	let said: readonly unknown[] = [];
	meanwhile.set('list', async () => {
		meanwhile.delete('list');
		const {id} = await rentRunning(watched.database);
		const record = await client.instances.show(id);
		if (record === undefined) throw new Error('what was just rented is not there');
		fleet.noteRented(record);
		said = destroyMeanwhile(watched, {id});
	});
	await watched.pass(30);
	expect(new Set(said)).toEqual(new Set(['gone']));
});

test('a record of what a list left out brings back nothing that ended while others were read', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	watched.fleet.watch();
	const {meanwhile, client, fleet} = watched;
	let said: readonly unknown[] = [];
	meanwhile.set('list', async () => {
		meanwhile.delete('list');
		const ids: number[] = [];
		for (let count = 0; count < 2; count += 1) {
			// oxlint-disable-next-line no-await-in-loop -- one after the other, as people rent
			const {id} = await rentRunning(watched.database);
			// oxlint-disable-next-line no-await-in-loop -- as above
			const record = await client.instances.show(id);
			if (record !== undefined) fleet.noteRented(record);
			ids.push(id);
		}
		const [older = 0, newer = 0] = ids;
		// The newer is read first.
		said = destroyMeanwhile(watched, {id: newer, question: `show ${older}`});
	});
	await watched.pass(30);
	expect(new Set(said)).toEqual(new Set(['gone']));
});

test('a record of what is in trouble, read between pages, brings back nothing that ended since', async () => {
	await using watched = await openWatchedFleet();
	const {stopped, stuck} = watched;
	for (let count = 0; count < 30; count += 1)
		// oxlint-disable-next-line no-await-in-loop -- one after the other, as people rent
		await rentDirectly(watched.database, {...stoppedRun, ask_id: stopped.ask_id});
	const said = destroyMeanwhile(watched, stuck);
	await watched.pass(30);
	expect(new Set(said)).toEqual(new Set(['gone']));
});

test('what is listed a minute after its destruction is undead, and stays so when it is asked for again', async () => {
	await using watched = await openWatchedFleet();
	await watched.pass(0);
	watched.fleet.watch();
	watched.fleet.noteDestroyed(watched.running.id);
	await watched.pass(50);
	const first = () => watched.fleet.state.get().rows[0];
	expect(first()?.condition).toBe('stuck');
	await watched.pass(20);
	expect(first()?.condition).toBe('undead');
	watched.fleet.noteDestroyed(watched.running.id);
	expect(first()?.condition).toBe('undead');
});

test('a service that wants fewer calls is asked more seldom, at most a minute apart', async () => {
	await using watched = await openWatchedFleet();
	watched.fleet.watch();
	await watched.pass(0);
	watched.slow(2);
	await watched.pass(10);
	const before = watched.lists();
	await watched.pass(60);
	expect(watched.lists() - before).toBe(3);
	expect(watched.fleet.state.get().everyMs).toBe(20_000);
	watched.slow(50);
	await watched.pass(20);
	const slowest = watched.lists();
	await watched.pass(120);
	expect(watched.lists() - slowest).toBe(2);
	watched.slow(1);
	await watched.pass(60);
	const usual = watched.lists();
	await watched.pass(60);
	expect(watched.lists() - usual).toBe(6);
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
