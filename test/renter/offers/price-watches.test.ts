import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {
	defaultSettings,
	type PriceWatch,
} from '../../../source/renter/settings/default-settings.ts';
import {openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {createNotify} from '../../../source/console/app/notify.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';
import {watchKey} from '../../../source/renter/offers/watches.ts';
import {createPriceWatches} from '../../../source/renter/offers/price-watches.ts';
import {createPolling} from '../../../source/renter/state/polling.ts';
import type {Timers} from '../../../source/renter/state/timers.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openTestMarket} from '../../helpers/market.ts';

/** Watches of a real market, with time moved by hand. */
async function openWatching(...watches: readonly PriceWatch[]) {
	const market = await openTestMarket({offers: 60});
	const scheduler = createHandScheduler();
	let answers = 0;
	const client = openClient({...market, onExchange: () => answers++});
	const settings = createSettingsStore({...defaultSettings, watches});
	const titles: string[] = [];
	const sent: string[] = [];
	const said: string[] = [];
	const timers: Timers = {
		now: () => scheduler.now() * 1000,
		after: (ms, run) => scheduler.after(ms / 1000, run),
	};
	const watching = createPriceWatches({
		client: async () => client,
		settings,
		notify: createNotify({
			choice: () => settings.get().notify,
			send: bytes => sent.push(bytes),
			setTitle: title => titles.push(title),
			say: text => said.push(text),
			alerts: openKeptAlerts(undefined, timers.now),
			profile: 'lab',
			now: timers.now,
		}),
		timers,
		polling: createPolling(timers),
	});
	const asked = () => answers;
	return {
		market,
		settings,
		watching,
		titles,
		sent,
		said,
		asked,
		planned: scheduler.planned,
		/** Lets time pass until so many requests were answered. */
		async pass(seconds: number, requests: number) {
			const before = asked();
			await scheduler.pass(seconds);
			await expect.poll(asked).toBe(before + requests);
			await expect.poll(scheduler.planned).toBe(settings.get().watches.length === 0 ? 0 : 1);
		},
		async [Symbol.asyncDispose]() {
			watching.close();
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('nothing is asked and nothing is planned while nothing is watched', async () => {
	await using world = await openWatching();
	await world.pass(3600, 0);
	expect(world.planned()).toBe(0);
});

test('a hit is told once, with bell, title and sentence, and the title rests when somebody looks', async () => {
	await using world = await openWatching({words: '', below: 1000});
	await world.pass(3, 1);
	expect(world.said).toHaveLength(1);
	expect(world.said[0]).toMatch(/^Offer \d+, \d+x .* all-in and \d+ more, below \$1,000\.00\/h\.$/);
	expect(world.sent).toEqual(['\u0007']);
	expect(world.titles.at(-1)).toMatch(/^rentty \d+!$/);
	world.watching.seen();
	expect(world.titles.at(-1)).toBe('rentty');
	await world.pass(120, 1);
	expect(world.said).toHaveLength(1);
	expect(world.titles.at(-1)).toBe('rentty');
});

test('every watch is one request every two minutes, and the words decide what is a hit', async () => {
	const none = {words: '4090', below: 0.001};
	const broken = {words: 'price<abc', below: 1};
	await using world = await openWatching(none, broken, {words: 'gpu=NOSUCH', below: 9});
	await world.pass(3, 2);
	await world.pass(119, 0);
	await world.pass(1, 2);
	expect(world.said).toEqual([]);
	const states = world.watching.states.get();
	expect(states.get(watchKey(none))?.cheapest).toBeGreaterThan(0.001);
	expect(states.get(watchKey(broken))?.problem).toBe('Its words cannot be understood.');
});

test('a watch that is added is asked at once, and one that is removed no more', async () => {
	await using world = await openWatching();
	world.settings.change({watches: [{words: '', below: 1000}]});
	await world.pass(0, 1);
	expect(world.said).toHaveLength(1);
	world.settings.change({watches: []});
	await world.pass(3600, 0);
});

test('a service that does not answer is said in the list of watches, and asked again', async () => {
	const watch = {words: '', below: 1000};
	await using world = await openWatching(watch);
	await world.market[Symbol.asyncDispose]();
	const problem = () => world.watching.states.get().get(watchKey(watch))?.problem;
	await world.pass(3, 0);
	await expect.poll(problem).toMatch(/search/i);
	expect(world.said).toEqual([]);
	await expect.poll(world.planned).toBe(1);
});
