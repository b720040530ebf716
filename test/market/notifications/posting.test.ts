import {expect, test} from 'vitest';
import {
	createPoster,
	type Address,
	type PostingOptions,
} from '../../../source/market/notifications/posting.ts';
import {isSignedBy, openReceiver} from '../../helpers/market/receiver.ts';

const sent = {secret: 's', body: '{"a":"ü"}', eventId: 'e', attempt: 2, now: 1_795_000_000.9};

/** A resolver that answers in turn, and counts. */
function names(...answers: ReadonlyArray<readonly string[]>) {
	const asked: string[] = [];
	return {
		asked,
		resolve: async (name: string): Promise<readonly Address[]> => {
			const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
			asked.push(name);
			return addresses.map(address => ({address, family: address.includes(':') ? 6 : 4}));
		},
	};
}

const silent = async () => new Promise<never>(() => undefined);

async function tryOnce(url: string, options: PostingOptions = {}) {
	return createPoster(options).post({...sent, url});
}

test('a request is signed over its timestamp and its bytes, and says which attempt it is', async () => {
	await using receiver = await openReceiver();
	expect(await tryOnce(`${receiver.url}/x?y=1`, {targets: 'any'})).toBe(undefined);
	const [got] = receiver.received;
	expect(got?.path).toBe('/x?y=1');
	expect(got?.text).toBe(sent.body);
	expect(got?.headers).toMatchObject({
		'content-type': 'application/json',
		'x-vast-event-id': 'e',
		'x-vast-delivery-attempt': '2',
		'x-vast-timestamp': '1795000000',
	});
	expect(got !== undefined && isSignedBy('s', got)).toBe(true);
	expect(got !== undefined && isSignedBy('t', got)).toBe(false);
});

test('the address that was looked up is the one that is called, and it is looked up once', async () => {
	await using receiver = await openReceiver();
	const {asked, resolve} = names(['127.0.0.1'], ['192.0.2.1']);
	const url = receiver.named('hooks.invalid');
	expect(await tryOnce(url, {targets: 'any', resolve})).toBe(undefined);
	expect(asked).toEqual(['hooks.invalid']);
	expect(receiver.received[0]?.headers.host).toBe(new URL(url).host);
});

test.each([
	['a private address', [['10.0.0.1']]],
	['this machine', [['::1']]],
	['the address of cloud metadata', [['169.254.169.254']]],
	['a private address beside a public one', [['1.1.1.1', '127.0.0.1']]],
	['an address of IPv4 in one of IPv6', [['::ffff:127.0.0.1']]],
])('a name that is %s is not called', async (_, answers) => {
	const {asked, resolve} = names(...answers);
	const problem = await tryOnce('https://hooks.invalid/', {resolve});
	expect(problem).toEqual({why: 'its address is not public', isFinal: true});
	expect(asked).toHaveLength(1);
});

test.each([
	['http://1.1.1.1/', 'its address must begin with https://'],
	['ftp://1.1.1.1/', 'its address must begin with https://'],
	['file:///etc/passwd', 'its address must begin with https://'],
	['https://user:word@1.1.1.1/', 'its address must hold no password'],
	['https://127.0.0.1/', 'its address is not public'],
	['https://2130706433/', 'its address is not public'],
	['https://0x7f.1/', 'its address is not public'],
	['https://[::1]/', 'its address is not public'],
	['https://[::ffff:10.0.0.1]/', 'its address is not public'],
	['https://１２７.0.0.1/', 'its address is not public'],
])('%s is refused before anything is looked up', async (url, why) => {
	const {asked, resolve} = names(['1.1.1.1']);
	expect(createPoster({resolve}).objection(url)).toBe(why);
	expect(await tryOnce(url, {resolve})).toEqual({why, isFinal: true});
	expect(asked).toEqual([]);
});

test.each([
	[200, undefined],
	[204, undefined],
	[301, {why: 'it answered 301', isFinal: true}],
	[400, {why: 'it answered 400', isFinal: true}],
	[408, {why: 'it answered 408', isFinal: false}],
	[410, {why: 'it answered 410', isFinal: true}],
	[429, {why: 'it answered 429', isFinal: false}],
	[500, {why: 'it answered 500', isFinal: false}],
])('an answer of %i is read as it is meant', async (status, expected) => {
	await using receiver = await openReceiver();
	receiver.answer(status);
	expect(await tryOnce(receiver.url, {targets: 'any'})).toEqual(expected);
	expect(receiver.received).toHaveLength(1);
});

test('a redirect to the inside is not followed', async () => {
	await using inside = await openReceiver();
	await using receiver = await openReceiver();
	receiver.answer(response => response.writeHead(307, {location: inside.url}).end());
	expect(await tryOnce(receiver.url, {targets: 'any'})).toMatchObject({isFinal: true});
	expect(inside.received).toEqual([]);
});

test('a receiver that never answers, hangs up, upgrades or sends without end holds up nothing', async () => {
	await using receiver = await openReceiver();
	const quick = {targets: 'any', patienceMs: 200} as const;
	receiver.answer(() => undefined);
	expect(await tryOnce(receiver.url, quick)).toEqual({
		why: 'it did not answer in time',
		isFinal: false,
	});
	receiver.answer(response => response.destroy());
	expect(await tryOnce(receiver.url, {targets: 'any'})).toEqual({
		why: 'it cannot be reached',
		isFinal: false,
	});
	receiver.answer(({socket}) =>
		socket?.end('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
	);
	expect(await tryOnce(receiver.url, {targets: 'any'})).toMatchObject({isFinal: false});
	receiver.answer(response => response.writeHead(200).write('x'.repeat(65_536)));
	expect(await tryOnce(receiver.url, {targets: 'any'})).toBe(undefined);
	const pending: PostingOptions = {targets: 'any', patienceMs: 50, resolve: silent};
	expect(await tryOnce('http://hooks.invalid/', pending)).toMatchObject({
		why: 'it did not answer in time',
	});
});
