import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {openTestMarket} from '../helpers/market.ts';

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
	const started = performance.now();
	const head = `POST /api/v0/bundles/ HTTP/1.1\r\nAuthorization: Bearer ${market.key}\r\nHost: market\r\n`;
	const reply = await sendOnly(market.url, head + rest);
	expect(performance.now() - started).toBeLessThan(3000);
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
