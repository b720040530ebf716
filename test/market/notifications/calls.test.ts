import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {openClient} from '../../../source/client/client.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {openTestMarket, refusal, type TestMarket} from '../../helpers/market/market.ts';
import {isSignedBy, openReceiver} from '../../helpers/market/receiver.ts';

const order = {webhook_url: 'https://hooks.example/x', event_types: ['client:outbid']};

async function send(market: TestMarket, method: string, path: string, body?: unknown) {
	return market.call(`/api/v0/${path}`, {
		method,
		body: body === undefined ? null : JSON.stringify(body),
	});
}

test('a webhook is made, shown without its secret, changed, given another secret and deleted', async () => {
	await using market = await openTestMarket();
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {notifications} = client;
	const {webhook} = await notifications.createWebhook({...order, name: 'Ops'});
	const {webhook_secret: secret, ...made} = webhook;
	expect(secret).toMatch(/^whsec_[\da-f]{64}$/);
	expect(made).toMatchObject({...order, name: 'Ops', disabled_at: null});
	const listed = await send(market, 'GET', 'webhooks/');
	expect(listed.body).toEqual({success: true, webhooks: [made]});
	expect(listed.text).not.toContain(secret);
	market.clock.pass(5);
	const {webhook: changed} = await notifications.changeWebhook(made.id, {name: null});
	expect(changed).toEqual({...made, name: null, updated_at: market.clock.now()});
	const {webhook: rotated} = await notifications.rotateSecret(made.id);
	expect(rotated.webhook_secret).not.toBe(secret);
	await notifications.deleteWebhook(made.id);
	expect((await notifications.webhooks()).webhooks).toEqual([]);
	await client.close();
});

test('subscribing switches the webhooks of those kinds on, and says which', async () => {
	await using market = await openTestMarket();
	const first = await send(market, 'POST', 'webhooks/', order);
	expect(first.body).toMatchObject({enabled_notification_preferences: ['client:outbid']});
	const again = await send(market, 'POST', 'webhooks/', order);
	expect(again.body).toMatchObject({enabled_notification_preferences: []});
	const {user_id: user} = webhookOf(again.body);
	const shown = await send(market, 'GET', `users/${String(user)}/notification-prefs/`);
	expect(shown.body).toMatchObject({
		notification_preferences: {
			client: {
				outbid: {email: true, webhooks: true},
				instance_deleted: {email: true, webhooks: false},
			},
		},
	});
});

test('a kind that there is not is left out and named, and the others are subscribed', async () => {
	await using market = await openTestMarket();
	const event_types = ['client:outbid', 'client:nonsense', 'outbid', 'client:outbid'];
	const made = await send(market, 'POST', 'webhooks/', {...order, event_types});
	const named = {
		webhook: {event_types: ['client:outbid']},
		unknown_event_types: ['client:nonsense', 'outbid'],
		msg: 'Left out, for there are no such kinds of events: client:nonsense, outbid.',
	};
	expect(made).toMatchObject({
		status: 200,
		body: {...named, enabled_notification_preferences: ['client:outbid']},
	});
	const path = `webhooks/${String(webhookOf(made.body)['id'])}/`;
	expect(await send(market, 'PUT', path, {event_types})).toMatchObject({status: 200, body: named});
	const {text} = await send(market, 'PUT', path, {event_types: order.event_types});
	expect(text).not.toContain('unknown_event_types');
	expect((await send(market, 'PUT', path, {event_types: ['nonsense']})).status).toBe(400);
	expect((await send(market, 'GET', 'webhooks/')).body).toMatchObject({
		webhooks: [{event_types: ['client:outbid']}],
	});
});

function webhookOf(body: unknown): Readonly<Record<string, unknown>> {
	const webhook = isRecord(body) ? body['webhook'] : undefined;
	if (!isRecord(webhook)) throw new Error(`no webhook: ${JSON.stringify(body)}`);
	return webhook;
}

test('preferences are changed one by one; those of others, and unknown ones, are refused', async () => {
	await using market = await openTestMarket();
	const {user_id: user} = webhookOf((await send(market, 'POST', 'webhooks/', order)).body);
	const path = `users/${String(user)}/notification-prefs/`;
	const put = async (notification_preferences: unknown, at = path) =>
		send(market, 'PUT', at, {notification_preferences});
	const changed = await put({client: {instance_deleted: {email: false}}});
	expect(changed.body).toMatchObject({
		notification_preferences: {
			client: {
				outbid: {email: true, webhooks: true},
				instance_deleted: {email: false, webhooks: false},
			},
		},
	});
	for (const wrong of [
		{host: {machine_rained_on: {email: true}}},
		{client: {rain: {email: true}}},
		{client: {outbid: {sms: true}}},
		{client: {outbid: {email: 'yes'}}},
		{client: {__proto__: null, constructor: {email: true}}},
		[],
		'all',
	]) {
		const reply = await put(wrong);
		expect([reply.status, reply.body]).toEqual([400, refusal('invalid_args', expect.any(String))]);
	}
	const others = `users/${Number(user) + 1}/notification-prefs/`;
	expect((await send(market, 'GET', others)).status).toBe(403);
	expect((await put({}, others)).status).toBe(403);
});

test('a fifth webhook is refused, also where several ask at once', async () => {
	await using market = await openTestMarket();
	const replies = await Promise.all(
		Array.from({length: 8}, async () => send(market, 'POST', 'webhooks/', order)),
	);
	const refused = replies.filter(({status}) => status !== 200);
	expect(refused.map(({body}) => body)).toEqual(
		Array.from({length: 4}, () =>
			refusal('too_many_webhooks', 'An account has at most 4 webhooks.'),
		),
	);
});

test.each([
	[{...order, webhook_url: 'http://hooks.example/'}, 'must begin with https://'],
	[{...order, webhook_url: 'https://127.0.0.1/'}, 'is not public'],
	[{...order, webhook_url: 'https://[fd00::1]/'}, 'is not public'],
	[{...order, webhook_url: 'https://me:word@hooks.example/'}, 'must hold no password'],
	[{...order, webhook_url: 'https://'}, 'must be an address'],
	[{...order, webhook_url: `https://hooks.example/${'x'.repeat(2048)}`}, 'at most 2048'],
	[{...order, webhook_url: 7}, 'must be text'],
	[{...order, event_types: []}, 'at least one key'],
	[{...order, event_types: ['outbid']}, 'must be keys of'],
	[{...order, event_types: 'client:outbid'}, 'must be a list'],
	[{...order, name: 'x'.repeat(121)}, 'at most 120'],
	[{...order, name: 'a\u001B[2Jb'}, 'no control characters'],
	[{...order, name: 'a\u202Eb'}, 'no control characters'],
	[{event_types: order.event_types}, 'webhook_url'],
])('a webhook that is wrong is refused in one sentence: %j', async (wrong, says) => {
	await using market = await openTestMarket();
	const reply = await send(market, 'POST', 'webhooks/', wrong);
	expect(reply.status).toBe(400);
	expect(reply.text).toContain(says);
	expect((await send(market, 'GET', 'webhooks/')).body).toMatchObject({webhooks: []});
});

test('a test is sent at once, signed, and is not sent again where it fails', async () => {
	await using receiver = await openReceiver();
	await using market = await openTestMarket({webhooks: {targets: 'any'}});
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {notifications} = client;
	const {webhook: hook} = await notifications.createWebhook({...order, webhook_url: receiver.url});
	await notifications.testWebhook(hook.id);
	const [got] = receiver.received;
	expect(got?.body).toMatchObject({notif_type: 'webhook_test', user_id: hook.user_id});
	expect(got && isSignedBy(hook.webhook_secret, got)).toBe(true);
	receiver.answer(500);
	const failed = await notifications.testWebhook(hook.id).catch((error: unknown) => error);
	expect(failed).toBeInstanceOf(ApiError);
	expect(String(failed)).toContain('it answered 500');
	market.clock.pass(86_400);
	await market.deliver();
	expect(receiver.received).toHaveLength(2);
	await client.close();
});

test('a webhook of somebody else is not there', async () => {
	await using market = await openTestMarket();
	const {id} = webhookOf((await send(market, 'POST', 'webhooks/', order)).body);
	const headers = {authorization: `Bearer ${await market.createKey('host', 'host')}`};
	for (const [method, path, body] of [
		['PUT', `webhooks/${String(id)}/`, '{"name":"mine"}'],
		['DELETE', `webhooks/${String(id)}/`, null],
		['POST', `webhooks/${String(id)}/rotate-secret/`, null],
		['POST', `webhooks/${String(id)}/test/`, null],
	] as const) {
		const reply = await market.call(`/api/v0/${path}`, {method, headers, body});
		expect([method, reply.status]).toEqual([method, 404]);
	}
	const mine = await market.call('/api/v0/webhooks/', {headers});
	expect(mine.body).toMatchObject({webhooks: []});
});
