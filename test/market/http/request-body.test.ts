import {once} from 'node:events';
import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {idsOf, openTestMarket, refusal, type TestMarket} from '../../helpers/market/market.ts';

test.each([
	[undefined, 200],
	['application/json', 200],
	['application/json; charset=utf-8', 200],
	['Application/JSON', 200],
	['text/plain', 415],
	['application/x-www-form-urlencoded', 415],
	['application/json-patch+json', 415],
])('a body of type %s is answered with %i', async (type, status) => {
	await using market = await openTestMarket({offers: 1});
	// As bytes, to which fetch adds no type of its own.
	const init = {method: 'POST', headers: {'content-type': type}, body: Buffer.from('{}')};
	const reply = await market.call('/api/v0/bundles/', init);
	expect(reply).toMatchObject({status, body: status === 200 ? {} : {error: 'invalid_request'}});
});

test('a body may come in pieces of unknown length', async () => {
	await using market = await openTestMarket({offers: 20});
	const {readable, writable} = new TransformStream<Uint8Array, Uint8Array>();
	const writer = writable.getWriter();
	const encoder = new TextEncoder();
	const write = async () => {
		for (const piece of ['{"limit"', ': 7}']) await writer.write(encoder.encode(piece));
		await writer.close();
	};
	const init = {method: 'POST', body: readable, duplex: 'half'} as const;
	const [reply] = await Promise.all([market.call('/api/v0/bundles/', init), write()]);
	expect(idsOf(reply)).toHaveLength(7);
});

/** Sends bytes as they are, and reads until the market ends the connection. */
async function exchange(market: TestMarket, lines: readonly string[], body = ''): Promise<string> {
	const {port} = new URL(market.url);
	const socket = connect(Number(port), '127.0.0.1');
	const head = ['Host: market', `Authorization: Bearer ${market.key}`, 'Connection: close'];
	socket.write(`${[...lines, ...head].join('\r\n')}\r\n\r\n${body}`);
	const chunks: Buffer[] = [];
	const pieces: AsyncIterable<Buffer> = socket;
	for await (const chunk of pieces) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

test('a body of more bytes than its call needs is refused, said or not', async () => {
	await using market = await openTestMarket();
	const said = ['POST /api/v0/auth/apikeys/ HTTP/1.1', 'Content-Length: 65537'];
	expect(await exchange(market, said)).toMatch(/^HTTP\/1.1 413 .*"error":"invalid_request"/s);
	const unsaid = ['POST /api/v0/auth/apikeys/ HTTP/1.1', 'Transfer-Encoding: chunked'];
	const chunk = `10000\r\n${' '.repeat(65_536)}\r\n2\r\n{}\r\n`;
	expect(await exchange(market, unsaid, chunk)).toMatch(/^HTTP\/1.1 413 /);
	const whole = JSON.stringify({name: 'long'}).padEnd(65_536);
	const reply = await market.call('/api/v0/auth/apikeys/', {method: 'POST', body: whole});
	expect(reply.status).toBe(200);
});

test('a body of too many names or levels is refused before the rest of it has come', async () => {
	await using market = await openTestMarket();
	const lines = ['POST /api/v0/bundles/ HTTP/1.1', 'Transfer-Encoding: chunked'];
	for (const [piece, why] of [
		['"a":1,'.repeat(1001), 'at most 1000 names of fields'],
		['"a":{'.repeat(32), 'at most 32 levels deep'],
	] as const) {
		const begun = `{${piece}`;
		const reply = await exchange(market, lines, `${begun.length.toString(16)}\r\n${begun}\r\n`);
		expect(reply).toMatch(/^HTTP\/1.1 400 .*"error":"invalid_request"/s);
		expect(reply).toContain(why);
	}
});

test('colons and brackets within texts are no names and no levels', async () => {
	await using market = await openTestMarket();
	const text = String.raw`{"eq": "${String.raw`:[{\"`.repeat(2000)}"}`;
	const reply = await market.call('/api/v0/bundles/', {
		method: 'POST',
		body: `{"gpu_name": ${text}}`,
	});
	expect(reply.status).toBe(200);
});

test.each<readonly [body: string, msg: string]>([
	['{"num_gpus": ', 'Invalid json body'],
	['[]', 'Invalid json body: it must be an object.'],
	['null', 'Invalid json body: it must be an object.'],
	['"text"', 'Invalid json body: it must be an object.'],
])('the body %s is refused', async (body, msg) => {
	await using market = await openTestMarket();
	const reply = await market.call('/api/v0/bundles/', {method: 'POST', body});
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_request', msg)});
	expect(reply.headers.get('content-type')).toBe('application/json');
});

test.each([
	['GET http://[/ HTTP/1.1'],
	['GET /\\\\elsewhere HTTP/1.1'],
	['GET ftp://market/ HTTP/1.1'],
])('the request %s is refused', async line => {
	await using market = await openTestMarket();
	const reply = await exchange(market, [line]);
	expect(reply).toMatch(/^HTTP\/1.1 400 .*application\/json.*"error":"invalid_request"/s);
	expect(market.log).toEqual([]);
});

test('a caller who goes away in the middle is no story for the log', async () => {
	await using market = await openTestMarket();
	for (const head of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
		const socket = connect(Number(new URL(market.url).port), '127.0.0.1');
		const lines = ['POST /api/v0/bundles/ HTTP/1.1', 'Host: market', head];
		const key = `Authorization: Bearer ${market.key}`;
		socket.write(`${[...lines, key].join('\r\n')}\r\n\r\n4\r\n{"li\r\n`);
		// Once another call is answered, the market has the beginning of this one.
		await market.search({});
		socket.destroy();
		await once(socket, 'close');
	}
	await market.close();
	expect(market.log).toEqual([]);
});
