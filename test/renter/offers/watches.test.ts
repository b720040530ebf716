import {expect, test} from 'vitest';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {
	dueAt,
	hitSentence,
	pollWatch,
	searchOfWatch,
	unwatched,
	watchKey,
	createPriceWatches,
} from '../../../source/renter/offers/watches.ts';
import {openClient} from '../../../source/client/client.ts';
import {
	defaultSettings,
	type PriceWatch,
} from '../../../source/renter/settings/default-settings.ts';
import {openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {createNotify} from '../../../source/console/app/notify.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';
import {createPolling} from '../../../source/renter/state/polling.ts';
import type {Timers} from '../../../source/renter/state/timers.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

const job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};
const now = new Date(2026, 10, 21, 12, 41);

function offer(id: number, dollars: number, rest: Partial<Offer> = {}): Offer {
	const price = {dph_base: dollars - 0.01, dph_total: dollars, storage_total_cost: 0.01};
	return {id, gpu_name: 'RTX 4090', num_gpus: 1, ...price, ...rest};
}

const watch = {words: '4090', below: 0.28};

test('each offer below the price is a hit once, and what has no price is none', () => {
	const offers = [offer(1, 0.3), offer(2, 0.27), {id: 3}, offer(4, 0.25)];
	const first = pollWatch(watch, unwatched, {offers, job, now});
	expect(first.hits.map(({offer: {id}}) => id)).toEqual([4, 2]);
	const again = pollWatch(watch, first.state, {offers: [...offers, offer(5, 0.2)], job, now});
	expect(again.hits.map(({offer: {id}}) => id)).toEqual([5]);
	const none = pollWatch(watch, again.state, {offers, job, now: new Date(2027, 1)});
	expect(none.hits).toEqual([]);
	expect(none.state).toMatchObject({cheapest: 0.25, lastHitAt: now, queryAt: new Date(2027, 1)});
});

test('the price is that of the whole job: expected traffic makes a cheap offer miss', () => {
	const offers = [offer(1, 0.27, {inet_down_cost: 0.01})];
	const expected = (inGbPerHour: number) =>
		pollWatch(watch, unwatched, {offers, job: {...job, inGbPerHour}, now}).hits.length;
	expect([expected(0), expected(1)]).toEqual([1, 0]);
});

test('a watch is asked at once, and then every two minutes', () => {
	expect(dueAt(unwatched)).toBe(0);
	const asked = {...unwatched, queryAt: now};
	expect(dueAt(asked)).toBe(now.getTime() + 120_000);
});

test('what is said about hits names the cheapest, and nothing in it commands the terminal', () => {
	const {hits} = pollWatch(watch, unwatched, {
		offers: [offer(2, 0.27, {gpu_name: '\u001B[2JRTX'}), offer(4, 0.28), offer(3, 0.275)],
		job,
		now,
	});
	const sentence = hitSentence(watch, hits);
	expect(sentence).toMatch(
		/^Offer 2, 1x .*RTX, is \$0\.2700\/h all-in and 1 more, below \$0\.2800\/h \(4090\)\.$/,
	);
	expect(sentence).not.toContain('\u001B');
});

test('words that cannot be understood are not asked', () => {
	expect(searchOfWatch({words: 'price<abc', below: 1}, job)).toBeUndefined();
	expect(searchOfWatch({words: 'id=7', below: 1}, job)?.filter).toContainEqual({
		field: 'id',
		operator: 'eq',
		value: 7,
	});
});

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
	world.watching.acknowledge();
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
	const dear = {words: '', below: 1000};
	await using world = await openWatching(dear);
	await world.market[Symbol.asyncDispose]();
	const problem = () => world.watching.states.get().get(watchKey(dear))?.problem;
	await world.pass(3, 0);
	await expect.poll(problem).toMatch(/search/i);
	expect(world.said).toEqual([]);
	await expect.poll(world.planned).toBe(1);
});
