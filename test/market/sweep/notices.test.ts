import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {asksOf} from '../../helpers/market/accounts.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {openHostMarket, testPublication} from '../../helpers/host/hosts.ts';
import {leaseDirectly, openTestMarketFile, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openReceiver} from '../../helpers/market/receiver.ts';

const options = {
	offers: 20,
	webhooks: {targets: 'any'},
	patience: {silentAfter: 1e9, lostAfter: 2e9},
} as const;

/** A market whose renter has a webhook for some kinds. */
async function openTold(...kinds: readonly string[]) {
	const receiver = await openReceiver();
	const market = await openTestMarketFile(options);
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	if (kinds.length > 0) {
		await client.notifications.createWebhook({
			webhook_url: `${receiver.url}/hook`,
			event_types: [...kinds],
		});
	}
	/** What the webhook has got so far. */
	const told = async () => {
		await market.deliver();
		const bodies = receiver.received.map(({body}) => (isRecord(body) ? body : {}));
		return bodies.map(({subject, message}) => `${String(subject)}. ${String(message)}`);
	};
	return {
		...market,
		told,
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
			await receiver[Symbol.asyncDispose]();
		},
	};
}

test('a lease is told of an hour and ten minutes before its end, each once', async () => {
	await using market = await openTold('client:lease_ending');
	const {id} = await rentRunning(market.database, {label: 'train'});
	await leaseDirectly(market.database, id, {ends_at: TEST_NOW + 7200, action: 'stop'});
	for (let minute = 0; minute < 118; minute++) {
		await market.pass(60);
		// What is under way for longer than it is claimed for is sent again.
		await market.deliver();
	}
	expect(await market.told()).toEqual([
		`Instance ${id} (train) ends in 60 minutes. By its lease it is stopped then.`,
		`Instance ${id} (train) ends in 10 minutes. By its lease it is stopped then.`,
	]);
});

test('an end that was just set so near is not told, nor one that was put off or has nothing to do', async () => {
	await using market = await openTold('client:lease_ending');
	const {id} = await rentRunning(market.database);
	const {id: later} = await rentRunning(market.database);
	const {id: stopped} = await rentRunning(market.database, {intended: 'stopped'});
	await leaseDirectly(market.database, id, {ends_at: TEST_NOW + 500});
	await leaseDirectly(market.database, later, {ends_at: TEST_NOW + 4000});
	await leaseDirectly(market.database, stopped, {ends_at: TEST_NOW + 4000, action: 'stop'});
	await market.pass(300);
	await leaseDirectly(market.database, later, {
		ends_at: TEST_NOW + 9000,
		changed_at: TEST_NOW + 300,
	});
	await market.pass(200);
	expect(await market.told()).toEqual([]);
});

test('a market that slept tells of an end that is still to come, once', async () => {
	await using market = await openTold('client:lease_ending');
	const {id} = await rentRunning(market.database);
	await leaseDirectly(market.database, id, {ends_at: TEST_NOW + 7200});
	market.clock.jump(6900);
	await market.sweep();
	await market.pass(1);
	expect(await market.told()).toEqual([
		`Instance ${id} ends in 5 minutes. By its lease it is destroyed then.`,
	]);
});

test('low credit is told once, and again when more credit is low anew', async () => {
	await using market = await openTold('client:low_credit');
	const {database} = market;
	const credit = async (dollars: number) =>
		database
			.updateTable('accounts')
			.set({credit_micros: dollars * 1e6})
			.execute();
	await credit(30);
	await rentRunning(database, {gpu_micros: 1_000_000, storage_micros: 0});
	await market.sweep();
	expect(await market.told()).toEqual([]);
	await credit(20);
	await market.pass(1);
	await market.pass(60);
	const [first, ...others] = await market.told();
	expect(first).toMatch(/^Credit lasts for about (19|20) hours\. \$(20\.00|19\.9\d) are left;/);
	expect(others).toEqual([]);
	await credit(100);
	await market.pass(1);
	await credit(0.5);
	await market.pass(1);
	const [, again] = await market.told();
	expect(again).toContain('Credit lasts for less than an hour.');
});

test('credit below the balance that its owner wants is low, unless that is switched off', async () => {
	await using market = await openTold('client:low_credit');
	const set = async (settings: object) =>
		asksOf(market.call)(market.key)('/users/', 'PUT', settings);
	expect((await set({balance_threshold: 120})).status).toBe(200);
	await market.pass(1);
	await market.pass(1);
	expect(await market.told()).toEqual([
		'Credit is down to $100.00. Nothing is rented that uses it up.',
	]);
	expect((await set({balance_threshold_enabled: false})).status).toBe(200);
	await market.pass(1);
	expect((await set({balance_threshold_enabled: true})).status).toBe(200);
	await market.pass(1);
	expect(await market.told()).toHaveLength(2);
});

test('accounts without a webhook are not looked at, and kinds that are off are not told', async () => {
	await using market = await openTold('client:outbid');
	const {id} = await rentRunning(market.database, {gpu_micros: 1e9});
	await leaseDirectly(market.database, id, {ends_at: TEST_NOW + 3700});
	await market.pass(200);
	expect(await market.told()).toEqual([]);
});

test('a provider is told that a machine of its is offline, once', async () => {
	await using receiver = await openReceiver();
	await using market = await openHostMarket({webhooks: {targets: 'any'}});
	const {id} = await market.host.publish(testPublication());
	await market.host.heartbeat([id]);
	const ask = asksOf(market.call)(market.hostKey);
	const webhook = {webhook_url: receiver.url, event_types: ['host:machine_offline']};
	expect((await ask('/webhooks/', 'POST', webhook)).status).toBe(200);
	await market.pass(300);
	await market.deliver();
	expect(receiver.received).toEqual([]);
	await market.pass(400);
	await market.pass(400);
	await market.deliver();
	expect(receiver.received.map(({body}) => body)).toMatchObject([
		{notif_type: 'machine_offline', subject: `Machine ${id} is offline`},
	]);
});
