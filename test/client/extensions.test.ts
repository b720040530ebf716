import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openTestMarket} from '../helpers/market/market.ts';

/** A service that answers its description with each of these, one after the other. */
async function openDescribed(...answers: ReadonlyArray<readonly [status: number, text: string]>) {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		const [status, text] = answers[asked.length] ?? [404, ''];
		asked.push(`${request.url} ${request.headers.authorization ?? 'without a key'}`);
		response.writeHead(status).end(text);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has one
	const {port} = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		asked,
		[Symbol.asyncDispose]: async () => new Promise<void>(resolve => server.close(() => resolve())),
	};
}

const extensionsOf = (url: string) => openClient({url, key: 'k3y'}).extensions;

test('a market of ours says that it ends instances by their leases', async () => {
	await using market = await openTestMarket();
	expect(await extensionsOf(market.url).leases()).toBe(true);
	const path = '/api/v0/instances/{id}/lease/';
	const description: unknown = await (await fetch(`${market.url}/openapi.json`)).json();
	expect(description).toHaveProperty(['paths', path, 'put', 'x-extension'], true);
	expect(description).not.toHaveProperty([
		'paths',
		'/api/v0/instances/{id}/',
		'put',
		'x-extension',
	]);
});

test('a service is asked once, without a key', async () => {
	await using service = await openDescribed([404, 'there is nothing']);
	const {leases} = extensionsOf(service.url);
	expect([await leases(), await leases()]).toEqual([false, false]);
	expect(service.asked).toEqual(['/openapi.json without a key']);
});

test('what is no description has no leases, and a service in trouble is asked again', async () => {
	const path = '/api/v0/instances/{id}/lease/';
	const whole = JSON.stringify({paths: {[path]: {}}});
	await using service = await openDescribed([503, ''], [200, whole]);
	const {leases} = extensionsOf(service.url);
	expect([await leases(), await leases()]).toEqual([false, true]);
	await using odd = await openDescribed([200, '<html>'], [200, '[]'], [200, '{"paths": 7}']);
	expect(await extensionsOf(odd.url).leases()).toBe(false);
	expect(await extensionsOf(odd.url).leases()).toBe(false);
	expect(await extensionsOf(odd.url).leases()).toBe(false);
});
