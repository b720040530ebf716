import {createServer, request} from 'node:http';
import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openLayers} from '../../../source/client/exchange/layers.ts';
import {proxiesFor} from '../../../source/client/exchange/connections.ts';
import {NetworkError} from '../../../source/client/exchange/errors.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

/** A proxy that takes every name for one place, and makes no tunnels. It remembers what it was asked. */
async function openProxy(target: string) {
	const asked: Array<{readonly url: string | undefined; readonly headers: string}> = [];
	const server = createServer((incoming, response) => {
		const {method, url = '', headers} = incoming;
		asked.push({url, headers: JSON.stringify(headers)});
		const {pathname, search} = new URL(url);
		const outgoing = request(target + pathname + search, {method, headers}, reply => {
			response.writeHead(reply.statusCode ?? 500, reply.headers);
			reply.pipe(response);
		});
		incoming.pipe(outgoing);
	});
	server.on('connect', ({url, headers}, socket) => {
		asked.push({url, headers: JSON.stringify(headers)});
		socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
	return {
		url: `http://user:secret@127.0.0.1:${address.port}`,
		asked,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

test('a proxy that the environment names is gone through', async () => {
	await using market = await openTestMarket({offers: 3});
	await using proxy = await openProxy(market.url);
	const environment = {http_proxy: proxy.url};
	const client = openClient({url: 'http://market.example', key: market.key, environment});
	expect((await client.offers.search()).offers).toHaveLength(3);
	await client.close();
	expect(proxy.asked.map(({url}) => url)).toEqual(['http://market.example/api/v0/bundles/']);
});

test('extensions of a service are asked for through its proxy, without the key', async () => {
	await using market = await openTestMarket();
	await using proxy = await openProxy(market.url);
	const environment = {http_proxy: proxy.url};
	const client = openClient({url: 'http://market.example/', key: market.key, environment});
	expect(await client.extensions.leases()).toBe(true);
	await client.close();
	expect(proxy.asked.map(({url}) => url)).toEqual(['http://market.example/openapi.json']);
	expect(proxy.asked[0]?.headers).not.toContain(market.key);
});

test('what a host answers at an address of its own is read through the same proxy', async () => {
	await using market = await openTestMarket();
	await using proxy = await openProxy(market.url);
	const environment = {http_proxy: proxy.url};
	const {read, close} = openLayers({url: 'http://market.example', key: market.key, environment});
	const answer = new URL('http://host.example/openapi.json?part=1');
	const options = {signal: new AbortController().signal, longestBytes: 9_000_000};
	expect(await read(answer, options)).toMatchObject({status: 200});
	await expect(read(answer, {...options, longestBytes: 9})).rejects.toThrow(RangeError);
	await close();
	expect(proxy.asked[0]?.url).toBe('http://host.example/openapi.json?part=1');
	expect(JSON.stringify(proxy.asked)).not.toContain(market.key);
});

test('a proxy to a service behind TLS hears where it is, and nothing of the key', async () => {
	await using proxy = await openProxy('http://127.0.0.1:1');
	const key = 'a-key-that-must-not-show';
	const environment = {HTTPS_PROXY: proxy.url};
	const client = openClient({url: 'https://market.example', key, environment, repeats: 0});
	const failed: unknown = await client.offers.search().catch((error: unknown) => error);
	await client.close();
	expect(failed).toBeInstanceOf(NetworkError);
	expect(inspect(failed, {depth: 9, showHidden: true})).not.toMatch(/secret|must-not-show/);
	expect(proxy.asked.map(({url}) => url)).toEqual(['market.example:443']);
	expect(proxy.asked[0]?.headers).not.toContain(key);
});

test('a proxy that cannot be reached is told without its password', async () => {
	const environment = {HTTP_PROXY: 'http://user:secret@127.0.0.1:1'};
	const client = openClient({url: 'http://market.example', key: 'k', environment, repeats: 0});
	const failed: unknown = await client.offers.search().catch((error: unknown) => error);
	await client.close();
	expect(String(failed)).toContain('connection refused');
	expect(String(failed)).not.toContain('secret');
});

test('a proxy is for those services that it is named for', () => {
	const https = {HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'intern'};
	const remote = new URL('https://market.example');
	expect(proxiesFor(remote, https)).toEqual({
		httpProxy: '',
		httpsProxy: 'http://proxy:3128',
		noProxy: 'intern',
	});
	expect(proxiesFor(remote, {})).toBeUndefined();
	expect(proxiesFor(remote, {HTTPS_PROXY: ''})).toBeUndefined();
	expect(proxiesFor(remote, {http_proxy: 'http://proxy'})).toBeUndefined();
	expect(proxiesFor(new URL('http://market.example'), https)).toBeUndefined();
	const here = ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:80'];
	const proxies = here.map(url => proxiesFor(new URL(url), {http_proxy: 'http://proxy'}));
	expect(proxies).toEqual([undefined, undefined, undefined]);
});
