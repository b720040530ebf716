import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openTestMarketFile, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import type {TestMarketOptions} from '../../helpers/market/market.ts';
import {isSignedBy, openReceiver} from '../../helpers/market/receiver.ts';

const options = {
	offers: 20,
	webhooks: {targets: 'any'},
	patience: {silentAfter: 1e9, lostAfter: 2e9},
} as const satisfies TestMarketOptions;

const kinds = ['client:instance_stopped', 'client:instance_deleted'];

/** A market, an instance that runs on it, and a webhook that hears of its end. */
async function openTold() {
	const receiver = await openReceiver();
	const market = await openTestMarketFile(options);
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {id} = await rentRunning(market.database);
	const {webhook: hook} = await client.notifications.createWebhook({
		webhook_url: `${receiver.url}/hook`,
		event_types: kinds,
	});
	const waiting = async () =>
		market.database.selectFrom('deliveries').select(['attempts', 'due_at']).execute();
	return {
		...market,
		receiver,
		client,
		id,
		hook,
		waiting,
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
			await receiver[Symbol.asyncDispose]();
		},
	};
}

test('the end of an instance is told once, signed, and with nothing but what everybody gets', async () => {
	await using market = await openTold();
	const {receiver, client, id, hook} = market;
	await client.instances.destroy(id);
	await market.deliver();
	await market.deliver();
	expect(receiver.received).toHaveLength(1);
	const [got] = receiver.received;
	expect(got?.body).toEqual({
		event_id: got?.headers['x-vast-event-id'],
		user_id: hook.user_id,
		notif_type: 'instance_deleted',
		subject: `Instance ${id} is gone`,
		message: 'It costs nothing from now on.',
		timestamp: TEST_NOW,
	});
	expect(got?.headers['x-vast-event-id']).toMatch(/^[\da-f]{32}$/);
	expect(got && isSignedBy(hook.webhook_secret, got)).toBe(true);
	expect(await market.waiting()).toEqual([]);
});

test('a webhook that fails is tried again after growing pauses, with the same id, signed anew', async () => {
	await using market = await openTold();
	const {receiver, client, id, hook} = market;
	receiver.answer(500, 503, 429, 408, 500);
	await client.instances.destroy(id);
	await market.deliver();
	for (const [attempts, pause] of [10, 60, 600, 3600].entries()) {
		market.clock.pass(pause - 1);
		await market.deliver();
		expect(receiver.received).toHaveLength(attempts + 1);
		market.clock.pass(1);
		await market.deliver();
		expect(receiver.received).toHaveLength(attempts + 2);
	}
	market.clock.pass(86_400);
	await market.deliver();
	expect(receiver.received).toHaveLength(5);
	const heads = receiver.received.map(({headers}) => headers);
	expect(heads.map(head => head['x-vast-delivery-attempt'])).toEqual(['1', '2', '3', '4', '5']);
	expect(new Set(heads.map(head => head['x-vast-event-id'])).size).toBe(1);
	expect(new Set(heads.map(head => head['x-vast-signature-256'])).size).toBe(5);
	expect(receiver.received.every(one => isSignedBy(hook.webhook_secret, one))).toBe(true);
	expect(await market.waiting()).toEqual([]);
});

test('what is refused for good is not sent again', async () => {
	await using market = await openTold();
	market.receiver.answer(404);
	await market.client.instances.destroy(market.id);
	await market.deliver();
	market.clock.pass(86_400);
	await market.deliver();
	expect(market.receiver.received).toHaveLength(1);
});

test('a market that ends while it sends something sends it again', async () => {
	await using market = await openTold();
	const {receiver, client, id, database} = market;
	await client.instances.destroy(id);
	// As a process leaves it that was killed at its first attempt.
	await database
		.updateTable('deliveries')
		.set({attempts: 1, due_at: TEST_NOW + 30})
		.execute();
	await market.deliver();
	expect(receiver.received).toEqual([]);
	market.clock.pass(30);
	await market.deliver();
	expect(receiver.received[0]?.headers['x-vast-delivery-attempt']).toBe('2');
});

test('a webhook that never answers holds up no other', async () => {
	await using market = await openTold();
	await using other = await openReceiver();
	const {receiver, client, database} = market;
	await client.notifications.createWebhook({webhook_url: other.url, event_types: kinds});
	const {promise, resolve} = Promise.withResolvers<void>();
	receiver.answer(...Array.from({length: 4}, () => () => undefined));
	// Before anything happens: the market may send it at once.
	other.answer(...Array.from({length: 7}, () => 200), response => {
		response.end();
		resolve();
	});
	for (let count = 0; count < 8; count++) {
		const {id} = await rentRunning(database);
		await client.instances.destroy(id);
	}
	const delivered = market.deliver();
	await promise;
	expect(other.received).toHaveLength(8);
	expect(receiver.received.length).toBeLessThanOrEqual(4);
	receiver.server.closeAllConnections();
	await delivered;
	expect(receiver.received).toHaveLength(8);
});

test('a webhook that fails fifty times in a row is switched off, and says so until it is changed', async () => {
	await using market = await openTold();
	const {receiver, client, database, hook} = market;
	await database.updateTable('webhooks').set({failures: 49}).execute();
	receiver.answer(410);
	await client.instances.destroy(market.id);
	await market.deliver();
	const [off] = (await client.notifications.webhooks()).webhooks;
	expect(off?.disabled_at).toBe(TEST_NOW);
	const {id} = await rentRunning(database);
	await client.instances.destroy(id);
	await market.deliver();
	expect(receiver.received).toHaveLength(1);
	const {webhook: on} = await client.notifications.changeWebhook(hook.id, {
		webhook_url: receiver.url,
	});
	expect(on.disabled_at).toBe(null);
	const {id: next} = await rentRunning(database);
	await client.instances.destroy(next);
	await market.deliver();
	expect(receiver.received).toHaveLength(2);
});

test('one that is taken forgets the failures before it', async () => {
	await using market = await openTold();
	await market.database.updateTable('webhooks').set({failures: 49}).execute();
	await market.client.instances.destroy(market.id);
	await market.deliver();
	expect(await market.database.selectFrom('webhooks').select('failures').execute()).toEqual([
		{failures: 0},
	]);
});

test('what is told of an instance says why: its lease, its host, its own end', async () => {
	await using market = await openTold();
	const {receiver, client, id, hook} = market;
	const all = (await client.notifications.kinds()).notification_types.map(({key}) => key);
	await client.notifications.changeWebhook(hook.id, {event_types: all});
	await client.instances.setLease(id, {ends_at: TEST_NOW + 10, action: 'stop'});
	await market.pass(10);
	await market.pass(1);
	await market.deliver();
	await client.instances.start(id);
	await client.instances.destroy(id);
	await market.deliver();
	expect(receiver.received.map(({body}) => [body['notif_type'], body['message']])).toEqual([
		['instance_stopped', 'Its lease has ended: it was stopped. Its disk still costs.'],
		['instance_deleted', expect.any(String)],
	]);
});

test('neither other kinds nor other accounts are told, nor a channel that is off', async () => {
	await using market = await openTold();
	const {receiver, client, hook, database} = market;
	const userId = hook.user_id ?? 0;
	await client.notifications.changePreferences(String(userId), {
		notification_preferences: {client: {instance_deleted: {webhooks: false}}},
	});
	await client.instances.destroy(market.id);
	await rentRunning(database);
	await market.deliver();
	expect(receiver.received).toEqual([]);
	expect(await market.waiting()).toEqual([]);
});
