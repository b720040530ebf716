import {spawn} from 'node:child_process';
import {createServer} from 'node:http';
import {createServer as createPlainServer} from 'node:net';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {NetworkError} from '../../../source/client/exchange/errors.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {
	listen,
	makeCertificate,
	NAME,
	noOpenSsl,
	openTls,
	openTunnels,
} from '../../helpers/services/tls.ts';

/** What a program with this environment finds: Node reads certificates when it starts, and only then. */
async function offersSeen(key: string, environment: Readonly<Record<string, string>>) {
	const source = new URL('../../../source/client/client.ts', import.meta.url).href;
	const code = `
		const {openClient} = await import(${JSON.stringify(source)});
		const client = openClient({url: 'https://${NAME}', key: process.env.KEY, repeats: 0});
		const found = await client.offers.search().catch(error => error);
		console.log(found.offers === undefined ? found.message : found.offers.length + ' offers');
		await client.close();`;
	const env = {PATH: process.env['PATH'], KEY: key, ...environment};
	const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
		env,
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	return (await text(child.stdout)).trim();
}

const shown = noOpenSsl === undefined ? '' : ` (skipped: ${noOpenSsl})`;

describe.skipIf(noOpenSsl !== undefined)(`services behind TLS${shown}`, () => {
	test('one is reached through a proxy that never sees the key, by a certificate of its own', async () => {
		using certificate = makeCertificate();
		await using market = await openTestMarket({offers: 3});
		await using secure = await openTls(market.url, certificate);
		await using proxy = await openTunnels(secure.port);
		const HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;
		const environment = {HTTPS_PROXY, NODE_EXTRA_CA_CERTS: certificate.file};
		expect(await offersSeen(market.key, environment)).toBe('3 offers');
		expect(proxy.asked.map(({url}) => url)).toEqual([`${NAME}:443`]);
		expect(JSON.stringify(proxy.asked)).not.toContain(market.key);
	});

	test('one that nobody vouches for never hears the key', async () => {
		using certificate = makeCertificate();
		await using market = await openTestMarket({offers: 3});
		await using secure = await openTls(market.url, certificate);
		await using proxy = await openTunnels(secure.port);
		const HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;
		const said = await offersSeen(market.key, {HTTPS_PROXY});
		expect(said).toMatch(/certificate/);
		expect(said).not.toContain(market.key);
	});
});

/** What renting at an address is told. */
async function toldAt(url: string) {
	const client = openClient({url, key: 'k3y', paceScale: 0, repeats: 2});
	const failed: unknown = await client.account.current().catch((error: unknown) => error);
	await client.close();
	if (!(failed instanceof NetworkError))
		throw new TypeError(`expected no answer: ${String(failed)}`);
	return failed;
}

test('plain HTTP at an address of https is said, with what to do', async () => {
	await using server = await listen(createServer((_, response) => response.end('{}')));
	const {message, isFinal, mayHaveActed} = await toldAt(`https://127.0.0.1:${server.port}`);
	expect(message).toBe(
		'Could not show the account: the service does not answer with TLS: where it speaks plain HTTP, its address has to begin with http://',
	);
	expect({isFinal, mayHaveActed}).toEqual({isFinal: true, mayHaveActed: false});
});

test('TLS at an address of http is said, with what to do, and is not tried again', async () => {
	const alert = Buffer.from([0x15, 3, 1, 0, 2, 2, 70]);
	let calls = 0;
	await using server = await listen(
		createPlainServer(socket => {
			calls += 1;
			socket.on('error', () => undefined).end(alert);
		}),
	);
	const {message, isFinal} = await toldAt(`http://127.0.0.1:${server.port}`);
	expect(message).toContain(
		'the service does not answer with HTTP: where it speaks TLS, its address has to begin with https://',
	);
	expect({isFinal, calls}).toEqual({isFinal: true, calls: 1});
});
