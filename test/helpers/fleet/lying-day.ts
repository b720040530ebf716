/** A guard and a console's fleet before a market whose answers are changed at random, by hand clock. */
import {join} from 'node:path';
import {openClient} from '../../../source/client/client.ts';
import {createRandom} from '../../../source/market/seed/parts.ts';
import {alertOf, openOutbox} from '../../../source/renter/alerts/guard-alerts.ts';
import {openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import type {Alert} from '../../../source/renter/words/alert.ts';
import {openFleetMemory} from '../../../source/renter/fleet/fleet-memory.ts';
import {createFleet} from '../../../source/renter/fleet/fleet.ts';
import {readKept} from '../../../source/renter/files/kept-file.ts';
import {replaceFile} from '../../../source/client/files/files.ts';
import {openAgreedLeases} from '../../../source/renter/leases/agreed.ts';
import {createGuard} from '../../../source/renter/leases/guard.ts';
import {openKeptCosts} from '../../../source/renter/leases/sightings.ts';
import {limits} from './conditions.ts';
import {openFaultProxy} from '../services/fault-proxy.ts';
import type {SeenRequest} from '../services/faults.ts';
import {openTestMarketFile, readInstance, rentRunning} from '../market/instances.ts';
import {writesOf} from '../services/lying-services.ts';
import {TEST_NOW, type HandClock} from '../market/market.ts';
import {randomLies} from '../services/random-lies.ts';

const HOUR = 3600;

/** Labels of what is rented, and when it is due; those without a time are never due on that day. */
const rented = [
	{label: 'a'},
	{label: `b [lease1 e${TEST_NOW + 6 * HOUR} td]`, due: TEST_NOW + 6 * HOUR},
	{label: 'c'},
	{label: `d [lease1 e${TEST_NOW + 20 * HOUR} td]`, due: TEST_NOW + 20 * HOUR},
	{label: `e [lease1 e${TEST_NOW + 40 * HOUR} td]`},
	{label: 'f [lease1 c9000 td]'},
	{label: 'g [lease1 i600 td xdns]'},
	{label: `h [lease1 e${TEST_NOW + HOUR} td k]`, due: TEST_NOW + HOUR},
	{label: `i [lease2 e${TEST_NOW + HOUR}]`},
] as const;

/** A market where all of that runs, and is busy. */
async function openRented() {
	const market = await openTestMarketFile({offers: 60});
	const {database} = market;
	const due = new Map<number, number>();
	for (const {label, ...one} of rented) {
		const {id} = await rentRunning(database, {label, created_at: TEST_NOW - 600});
		due.set(id, 'due' in one ? one.due : Infinity);
	}
	const usage = JSON.stringify({gpu_util: 90});
	await database.updateTable('instances').set({usage}).execute();
	const heard_at = TEST_NOW + 2 * 86_400;
	await database.updateTable('machines').set({heard_at}).execute();
	return {...market, due};
}

type Watching = {
	readonly folder: string;
	readonly clock: HandClock;
	readonly url: string;
	readonly key: string;
};

/** Guards, one after the other, and a console's fleet, with the files that they keep. */
function openWatchers({folder, clock, url, key}: Watching) {
	const now = () => clock.now() * 1000;
	const steady = () => clock.steady() * 1000;
	const time = {
		now: steady,
		async pause(ms: number, signal?: AbortSignal) {
			signal?.throwIfAborted();
			clock.pass(ms / 1000);
		},
	};
	const client = openClient({url, key, time, now, paceScale: 0});
	const service = {name: 'lab', url};
	const told: Alert[] = [];
	const ending = new AbortController();
	const {signal} = ending;

	function openGuard() {
		const kept = openKeptAlerts(join(folder, 'alerts'), now);
		const outbox = openOutbox({kept, signal, now, deliver: async alert => told.push(alert)});
		const looks = join(folder, 'looks');
		const costs = openKeptCosts(join(folder, 'costs'), service, steady);
		const guard = createGuard({
			client,
			steady,
			now,
			inside: undefined,
			mayAct: async () => true,
			report: event => outbox.add(alertOf(event, 'lab', now())),
			pollFile: {read: () => readKept(looks), write: async text => replaceFile(looks, text)},
			signal,
			agreed: openAgreedLeases(folder, service),
			costs,
		});
		return async () => {
			outbox.resume();
			await guard.poll().catch(() => undefined);
			await guard.settle();
			await Promise.all([kept.settle(), costs.settle()]);
		};
	}

	const fleet = createFleet({
		client: async () => client,
		limits: () => limits,
		timers: {now, after: () => () => undefined},
		memory: openFleetMemory(folder, service),
	});

	async function close(): Promise<void> {
		ending.abort();
		fleet.close();
		await client.close();
	}
	return {told, fleet, openGuard, close};
}

export async function openLyingDay(folder: string, seed: number) {
	const random = createRandom(seed);
	const {due, ...market} = await openRented();
	const {database, clock} = market;
	const proxy = await openFaultProxy(market.url);
	const lie = randomLies(random, clock);
	const early: string[] = [];
	function note(request: SeenRequest): void {
		if (writesOf([request]).length === 0) return;
		const id = Number(/\/(\d+)\/$/.exec(request.path)?.[1]);
		const isDue = (due.get(id) ?? Infinity) <= clock.now();
		if (!isDue) early.push(`${request.method} ${request.path} at ${clock.now()}`);
	}
	proxy.next({}, exchange => (note(exchange.request), lie(exchange)), Infinity);
	const watchers = openWatchers({folder, clock, url: proxy.url, key: market.key});
	let look = watchers.openGuard();

	async function standing(): Promise<readonly number[]> {
		const rows = await Promise.all([...due.keys()].map(async id => readInstance(database, id)));
		return rows.filter(row => row.destroyed_at === null).map(row => row.id);
	}

	return {
		told: watchers.told,
		fleet: watchers.fleet,
		early: () => early,
		/** Instances that are gone although they were not due. */
		async lost() {
			const there = await standing();
			return [...due].filter(([id, at]) => at > clock.now() && !there.includes(id));
		},
		async overdue() {
			return (await standing()).filter(id => (due.get(id) ?? Infinity) <= clock.now());
		},
		calm: () => proxy.calm(),
		async pass(seconds: number) {
			const end = clock.now() + seconds;
			for (let count = 0; clock.now() < end; count += 1) {
				clock.pass(random.chance(0.1) ? 900 : random.whole(30, 60));
				if (random.chance(0.01)) look = watchers.openGuard();
				await look();
				if (count % 5 === 0) await watchers.fleet.refresh().catch(() => undefined);
			}
		},
		async [Symbol.asyncDispose]() {
			await watchers.close();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}
