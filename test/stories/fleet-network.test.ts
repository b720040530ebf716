import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase, openMarket} from '../helpers/market/postgres.ts';
import {answered, dropRequest} from '../helpers/services/faults.ts';
import type {Fault} from '../helpers/services/faults.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {openFleetConsole} from '../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {createSwiftTime} from '../helpers/hand-time.ts';
import {hearMachines, rentDirectly} from '../helpers/market/instances.ts';
import {openTestMarket} from '../helpers/market/market.ts';

/** Failed calls are made again before they count as failed. */
const PATIENCE = {timeout: 180_000};

const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};

/** A fleet behind a network that does what it is told. */
async function openBehindProxy() {
	const market = await openFleetMarket();
	const proxy = await openFaultProxy(market.url);
	const time = createSwiftTime();
	const rentty = await openFleetConsole(market, {through: proxy, time});
	return {
		market,
		proxy,
		rentty,
		/** From now on this happens to every list. */
		trouble: (fault: Fault) => proxy.next(LIST, fault, Number.POSITIVE_INFINITY),
		lists: () => proxy.requests.filter(({path}) => LIST.path.test(path)).length,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test(
	'a connection that is lost for a minute leaves the list with its age, and is found again',
	PATIENCE,
	async () => {
		await using world = await openBehindProxy();
		const {rentty} = world;
		world.trouble(dropRequest);
		world.proxy.closeSockets();
		for (let seconds = 0; seconds < 60; seconds += 10) {
			await rentty.pass(10);
			const shown = await rentty.sees('. stale from 12:41:07');
			expect(shown).toContain('stale, retry 10s');
			expect(shown).toContain('x 1');
		}
		rentty.type('j');
		await rentty.sees('2 of 4');
		world.proxy.calm();
		await rentty.pass(10);
		const found = await rentty.sees('. live');
		expect(found).not.toContain('stale');
		expect(found).toContain('12:42');
		expect(found).toContain('2 of 4');
	},
);

test(
	'a key that is refused in mid-flight is said in the header, and the list stays',
	PATIENCE,
	async () => {
		await using world = await openBehindProxy();
		const {rentty, market} = world;
		await market.database.updateTable('api_keys').set({deleted_at: 1}).execute();
		await rentty.pass(10);
		const shown = await rentty.sees('stale 401, retry 10s');
		expect(shown).toContain('x stuck loading');
		expect(shown).toContain('$0.24/h');
		rentty.type('x');
		await rentty.reads('DESTROY INSTANCE');
		rentty.type('y');
		await rentty.sees(/2 was not destroyed: the key is not accepted \(401[^]*still\s+costs up to/);
		await market.database.updateTable('api_keys').set({deleted_at: null}).execute();
		// A look that the failed change asked for may still be under way, and puts off the next one.
		const later = async () => {
			await rentty.pass(10);
			return rentty.shown();
		};
		await expect.poll(later, {interval: 50}).toContain('. live');
	},
);

test(
	'a storm of 429 slows the list and says so, and it becomes faster again',
	PATIENCE,
	async () => {
		await using world = await openBehindProxy();
		const {rentty} = world;
		world.trouble(answered({status: 429, body: {success: false, error: 'rate', msg: 'too many'}}));
		await rentty.pass(10);
		await rentty.sees(/stale 429, retry \d\ds/);
		for (let minutes = 0; minutes < 3; minutes++) {
			await rentty.pass(60);
			await rentty.sees('retry 60s');
		}
		const before = world.lists();
		await rentty.pass(59);
		rentty.type('jj');
		await rentty.sees('3 of 4');
		// One look or two beside one that was under way, each of which is asked three times at most.
		expect(world.lists() - before).toBeLessThanOrEqual(9);
		world.proxy.calm();
		await rentty.pass(60);
		const slowed = await rentty.sees(/429, every \d\ds/);
		expect(slowed).not.toContain('stale');
		for (let looks = 0; looks < 60 && !(await rentty.shown()).includes('. live'); looks++) {
			const lists = world.lists();
			await rentty.pass(60);
			await expect.poll(world.lists).toBeGreaterThan(lists);
		}
		await rentty.sees('. live');
	},
);

test(
	'a service that restarts is found again, with what was marked and where the cursor was',
	PATIENCE,
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rentty-market-'));
		const file = join(folder, 'market.db');
		const first = await openTestMarket({file, offers: 60});
		const database = await openDatabase(file);
		for (let made = 0; made < 3; made++) await rentDirectly(database, {contact: 'heard'});
		await hearMachines(database);
		await database.destroy();
		const port = Number(new URL(first.url).port);
		await using rentty = await openFleetConsole(first);
		rentty.type('j');
		rentty.type(' ');
		await rentty.sees('1 marked');
		await first.close();
		await rentty.pass(10);
		await rentty.sees('stale, retry 10s');
		const second = await openMarket({file, port, clock: first.clock, log: () => {}, rateScale: 0});
		await rentty.pass(10);
		const found = await rentty.sees('. live');
		expect(found).toContain('1 marked');
		expect(found).toContain('3 of 3');
		await second.close();
		rmSync(folder, {recursive: true});
	},
);
