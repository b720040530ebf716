import {expect, test} from 'vitest';
import {openFleetConsole} from '../helpers/console/fleet-console.ts';
import {answered, createGate, delayed, dropReply} from '../helpers/services/faults.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {createSwiftTime} from '../helpers/hand-time.ts';
import {
	hearMachines,
	keepHeard,
	openTestMarketFile,
	rentDirectly,
} from '../helpers/market/instances.ts';
import {TEST_NOW} from '../helpers/market/market.ts';

/** Several instances are looked for until they are gone. */
const PATIENCE = {timeout: 180_000};

test('a boot that gets stuck is noticed, swept, proven gone, and replaced', PATIENCE, async () => {
	await using market = await openTestMarketFile({offers: 60});
	const {database} = market;
	const loading = {actual: 'loading', reported: 'loading', contact: 'heard'} as const;
	await rentDirectly(database, {...loading, label: 'train-c', created_at: TEST_NOW - 60});
	await hearMachines(database);
	await keepHeard(database);
	await using rentty = await openFleetConsole(market);
	await rentty.sees('~ loading');
	expect(rentty.written()).not.toContain('rentty 1!');
	// Nobody presses a key meanwhile.
	for (let minutes = 0; minutes < 10; minutes++) {
		await rentty.pass(60);
		await rentty.sees(`${minutes + 2}m`);
	}
	await rentty.sees('train-c (1) is stuck. X sweeps what is stuck.');
	await rentty.sees('x stuck loading');
	expect(rentty.written()).toContain('rentty 1!');
	expect(rentty.written().split('\u0007').length).toBeGreaterThan(1);
	rentty.type('X');
	expect(await rentty.reads('SWEEP')).toContain('never ran');
	rentty.type('y');
	await rentty.sees('u takes it back');
	expect(await rentty.listed()).toEqual([1]);
	await rentty.pass(5);
	await rentty.sees('1 is gone. What is left costs $0.00/h.');
	expect(await rentty.listed()).toEqual([]);
	rentty.type('r');
	await rentty.sees('> [ Review and rent ]');
	rentty.type('\r');
	await rentty.reads('RENT');
	rentty.type('y');
	await rentty.sees('Rented: instance 2');
	expect(await rentty.listed()).toEqual([2]);
});

/** As many instances as wanted that never ran, at a service that cannot be relied on. */
async function openUnreliable(count: number) {
	const market = await openTestMarketFile({offers: 200});
	for (let made = 0; made < count; made++) {
		await rentDirectly(market.database, {contact: 'heard', created_at: TEST_NOW - 30});
	}
	await hearMachines(market.database);
	await keepHeard(market.database);
	const proxy = await openFaultProxy(market.url);
	const time = createSwiftTime();
	const rentty = await openFleetConsole(market, {through: proxy, time});
	return {
		market,
		proxy,
		rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test(
	'of twenty that are marked three refuse: those are named, and the others are gone',
	PATIENCE,
	async () => {
		await using world = await openUnreliable(20);
		const {rentty, proxy} = world;
		const hasNone = answered({status: 405, body: {success: false, error: 'not_allowed'}});
		proxy.next({method: 'DELETE', path: /\/instances\/$/}, hasNone);
		for (const id of [3, 7, 11]) {
			const refuses = answered({
				status: 403,
				body: {success: false, error: 'auth', msg: 'not yours'},
			});
			proxy.next({method: 'DELETE', path: `/api/v0/instances/${id}/`}, refuses);
		}
		rentty.type('*');
		await rentty.sees('20 marked');
		rentty.type('x');
		await rentty.reads('destroy 20');
		// What is confirmed was read to its end.
		rentty.type('\u001B[6~');
		await rentty.enter('destroy 20');
		rentty.type('\r');
		const said = await rentty.sees('17 of 20 are gone.');
		expect(said).toMatch(/3, 7, 11 were not destroyed: [^]*403[^]*They\s+still cost up to/);
		expect(said).not.toContain('marked');
		expect((await rentty.listed()).toSorted((a, b) => a - b)).toEqual([3, 7, 11]);
		// The service has no call for several. Each is asked for once: what is refused is not tried again.
		const deletes = proxy.requests.filter(({method}) => method === 'DELETE');
		expect(deletes).toHaveLength(21);
	},
);

test(
	'a destruction whose answer is lost is looked for, and found to have happened',
	PATIENCE,
	async () => {
		await using world = await openUnreliable(1);
		const {rentty, proxy} = world;
		proxy.next({method: 'DELETE'}, dropReply);
		rentty.type('x');
		await rentty.reads('DESTROY INSTANCE');
		rentty.type('y');
		await rentty.sees('1 is gone.');
		expect(proxy.requests.filter(({method}) => method === 'DELETE')).toHaveLength(1);
	},
);

test(
	'what was accepted and is listed all the same rises to the top, and x sends it again',
	PATIENCE,
	async () => {
		await using world = await openUnreliable(3);
		const {rentty, proxy} = world;
		proxy.next({method: 'DELETE'}, answered({status: 200, body: {success: true}}));
		rentty.type('G');
		await rentty.sees('3 of 3');
		rentty.type('x');
		await rentty.reads('DESTROY INSTANCE');
		rentty.type('y');
		await rentty.sees('was accepted to be destroyed and is still listed');
		for (let seconds = 0; seconds < 70; seconds += 10) {
			await rentty.pass(10);
			await rentty.sees('live');
		}
		// The cursor stays where it was put, and that is at the top by now.
		const shown = await rentty.sees(/>.*x not gone [^]*1 of 3/);
		expect(shown).toContain('[2 Instances 1!]');
		rentty.type('x');
		await rentty.reads('DESTROY INSTANCE');
		rentty.type('y');
		await rentty.sees('2 is gone.');
		expect(await rentty.listed()).not.toContain(2);
	},
);

test(
	'many are destroyed by one call, all shown to be under way, and proven to be gone',
	PATIENCE,
	async () => {
		await using world = await openUnreliable(8);
		const {rentty, proxy} = world;
		const gate = createGate();
		proxy.next({method: 'DELETE'}, delayed(gate.opened, 'request'));
		rentty.type('*');
		await rentty.sees('8 marked');
		rentty.type('x');
		await rentty.reads('destroy 8');
		await rentty.enter('destroy 8');
		rentty.type('\r');
		const shown = await rentty.sees('- destroying');
		expect(shown.split('- destroying')).toHaveLength(9);
		gate.open();
		await rentty.sees('All 8 are gone.');
		expect(proxy.requests.filter(({method}) => method === 'DELETE')).toHaveLength(1);
	},
);
