import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {openTestMarket} from '../../helpers/market/market.ts';

/** Sends bytes and nothing after them, and reads until the market ends the connection. */
async function sendOnly(url: string, bytes: string): Promise<string> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	socket.write(bytes);
	const chunks: Buffer[] = [];
	const pieces: AsyncIterable<Buffer> = socket;
	for await (const chunk of pieces) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

test.each([
	['headers', ''],
	['body', 'Content-Length: 10\r\n\r\n{"a'],
])('a sender who stops in the %s is not waited for', async (_, rest) => {
	await using market = await openTestMarket({slowestRequestMs: 200});
	const head = `POST /api/v0/bundles/ HTTP/1.1\r\nAuthorization: Bearer ${market.key}\r\nHost: market\r\n`;
	const reply = await sendOnly(market.url, head + rest);
	expect(reply).toMatch(/^HTTP\/1.1 408 .*application\/json.*"success":false.*"msg":"The req/s);
	expect(market.log).toEqual([]);
});

test.each<readonly [name: string, bytes: string, status: number]>([
	['is no HTTP', 'hello\r\n\r\n', 400],
	['has headers without end', `GET / HTTP/1.1\r\nHost: market\r\nX: ${'x'.repeat(100_000)}`, 431],
])('what %s is refused in the shape of all refusals', async (_, bytes, status) => {
	await using market = await openTestMarket();
	const reply = await sendOnly(market.url, bytes);
	expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	const [head = '', body = ''] = reply.split('\r\n\r\n');
	expect(head).toContain('content-type: application/json');
	expect(JSON.parse(body)).toMatchObject({success: false, error: 'invalid_request'});
});

/** A day in which no machine of a test is. */
const LONG_AGO = 1_000_000_000;
const LONG_AGO_DATE = 'Sun, 09 Sep 2001 01:46:40 GMT';

const requests: ReadonlyArray<readonly [what: string, head: string]> = [
	['a call that is made', 'GET /api/v0/bundles/?limit=1 HTTP/1.1\r\nHost: market\r\nKEY'],
	['a call without a key', 'GET /api/v0/instances/ HTTP/1.1\r\nHost: market\r\n'],
	['a call of another method', 'OPTIONS /api/v0/instances/ HTTP/1.1\r\nHost: market\r\n'],
	['a call for the head alone', 'HEAD /api/v0/instances/ HTTP/1.1\r\nHost: market\r\nKEY'],
	['a path that is not there', 'GET /nowhere HTTP/1.1\r\nHost: market\r\n'],
	['a description', 'GET /openapi.json HTTP/1.1\r\nHost: market\r\n'],
	['an answer of a host', 'GET /api/v0/results/x/ HTTP/1.1\r\nHost: market\r\n'],
	['a host that cannot be', 'GET / HTTP/1.1\r\nHost: a b\r\n'],
	['no host', 'GET / HTTP/1.1\r\n'],
	['an older protocol', 'GET /nowhere HTTP/1.0\r\n'],
	['an expectation', 'GET /nowhere HTTP/1.1\r\nHost: market\r\nExpect: more\r\n'],
	['no HTTP', 'hello\r\n'],
];

test.each(requests)('the answer to %s has the date of the market, once', async (_, head) => {
	await using market = await openTestMarket({now: LONG_AGO});
	const key = `Authorization: Bearer ${market.key}\r\n`;
	const bytes = `${head.replace('KEY', key)}Connection: close\r\n\r\n`;
	const [answer = ''] = (await sendOnly(market.url, bytes)).split('\r\n\r\n');
	const dates = answer.split('\r\n').filter(line => /^date:/i.test(line));
	expect(dates.map(line => line.toLowerCase())).toEqual([`date: ${LONG_AGO_DATE}`.toLowerCase()]);
});

test('the date of an answer is that of the moment at which it is made', async () => {
	await using market = await openTestMarket({now: LONG_AGO});
	market.clock.pass(3600.9);
	const {headers} = await market.call('/api/v0/users/current/');
	expect(headers.get('date')).toBe('Sun, 09 Sep 2001 02:46:40 GMT');
	market.clock.jump(-1800);
	const again = await market.call('/api/v0/users/current/');
	expect(again.headers.get('date')).toBe('Sun, 09 Sep 2001 02:46:40 GMT');
});

const hidden = [
	'/api/v0/users/../operator/',
	'/api/v0/users/./operator/',
	'/..',
	'/api/v0/users/%2e%2e/operator/',
	'/api/v0/users/.%2E/operator/',
	'/api/v0/users/%252e%252e/operator/',
	'/api/v0/users/%25252e./operator/',
	'/api/v0/users/..%2foperator/',
	'/api/v0/users%2f..%2Foperator/',
	'/api/v0/users/..%252foperator/',
	'/api/v0/users\\..\\operator/',
	'/api/v0/users/..%5coperator/',
	'/api/v0/users%255c..%5Coperator/',
	'//api/v0/operator/',
	'/api/v0//operator/',
	'/api/v0/%6fperator/',
	'/api/v0/%256Fperator/',
	'/api/%76%30/operator/',
	'/api/v%30/operator/',
	'http://market/api/v0/users/../operator/',
	'http:\\\\market\\api/v0/operator/',
	'http://market\\operator/',
	'/api/v0/users/.\t./operator/',
];

test.each(hidden)('%j is refused, however the market would read it', async target => {
	await using market = await openTestMarket();
	const key = `Authorization: Bearer ${await market.createOperatorKey('op')}`;
	const head = `GET ${target} HTTP/1.1\r\nHost: market\r\n${key}\r\nConnection: close\r\n\r\n`;
	const reply = await sendOnly(market.url, head);
	expect(reply).toMatch(/^HTTP\/1.1 400 .*"error":"invalid_request"/s);
	expect(market.log).toEqual([]);
});

test('every letter that is hidden makes a path strange, and what must be encoded does not', async () => {
	await using market = await openTestMarket();
	const statusOf = async (target: string) => {
		const head = `GET ${target} HTTP/1.1\r\nHost: market\r\nConnection: close\r\n\r\n`;
		return Number((await sendOnly(market.url, head)).slice(9, 12));
	};
	for (let code = 0x20; code < 0x7f; code++) {
		const encoded = `%${code.toString(16)}`;
		const isHidden = /[\w\-.\\]/.test(String.fromCodePoint(code));
		expect([encoded, await statusOf(`/nowhere/${encoded}/`)]).toEqual([
			encoded,
			isHidden ? 400 : 404,
		]);
	}
	for (const path of [
		'/...',
		'/a..b/',
		'/%C3%A9/',
		'/a%20b/?to=../x//y%2e',
		'http://market/nowhere/',
	]) {
		expect([path, await statusOf(path)]).toEqual([path, 404]);
	}
});
