import {writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import type {Fault} from '../helpers/services/faults.ts';
import {attacks, harmfulIn} from '../helpers/services/harmful-text.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {testFacts, testPublication} from '../helpers/host/hosts.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

/** What would be a line of its own, if it got through. */
const forged = '{"time":"2026-01-01T00:00:00.000Z","event":"call","path":"/forged"}';
const words = [
	...attacks,
	`x\n${forged}\n`,
	`x\r\n${forged}`,
	`x\u2028${forged}`,
	`\u001B[2K\r${forged}`,
];

/** Every line is a record that the program itself wrote, and nothing in it commands a terminal. */
function expectWhole(log: string, events: ReadonlySet<string>): void {
	const lines = log.split('\n').filter(line => line !== '');
	expect(lines.length).toBeGreaterThan(0);
	for (const line of lines) {
		expect(harmfulIn(line, /^$/g)).toEqual([]);
		const entry: unknown = JSON.parse(line);
		if (!isRecord(entry)) throw new TypeError(`not an entry: ${line}`);
		expect(events).toContain(entry['event']);
		expect(entry['path']).not.toBe('/forged');
	}
}

/** Sends bytes that no client would send. */
async function sendRaw(url: string, bytes: string): Promise<string> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	socket.end(bytes, 'latin1');
	return text(socket);
}

test('nothing that a renter, a host or a stranger sends forges a line of the market’s log', async () => {
	using folder = openFolder();
	await using market = await startMarket(join(folder.path, 'market.db'), '--offers', '20');
	const key = await market.key();
	await using client = clientOf(market.url, key);
	const call = async (path: string, method: string, body?: unknown) =>
		fetch(`${market.url}${path}`, {
			method,
			headers: {authorization: `Bearer ${key}`},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}).then(async response => response.text());
	const {offers} = await client.offers.search();
	const id = offers[0]?.id ?? 0;
	for (const word of words) {
		const env = {[word]: word};
		await call(`/api/v0/asks/${id}/`, 'PUT', {image: word, label: word, onstart: word, env});
		await call(`/api/v0/asks/${id}/`, 'PUT', {image: 'a/b', label: word, disk: word});
		await call('/api/v0/hosts/machines/', 'PUT', {
			...testPublication({name: word}),
			facts: {...testFacts, gpu_name: word, hostname: word, cpu_name: word},
		});
		await call('/api/v0/template/', 'POST', {name: word, image: word, desc: word});
		await call(`/api/v0/instances/${encodeURIComponent(word)}/`, 'GET');
		await call(`/${encodeURIComponent(word)}?x=${encodeURIComponent(word)}`, 'GET');
		await sendRaw(market.url, `GET /${word} HTTP/1.1\r\nhost: ${word}\r\n\r\n`);
		await sendRaw(market.url, `GET / HTTP/1.1\r\nhost: a\r\nuser-agent: ${word}\r\n\r\n`);
	}
	expect(await market.end()).toBe(0);
	expectWhole(market.log(), new Set(['call', 'trouble']));
});

test('nothing that a market says or a renter names forges a line of the agent’s log', async () => {
	using folder = openFolder();
	await using market = await startMarket(join(folder.path, 'market.db'));
	const keyFile = join(folder.path, 'key');
	const key = await market.key();
	writeFileSync(keyFile, key, {mode: 0o600});
	await using proxy = await openFaultProxy(market.url);
	const {url} = proxy;
	await using host = await startHost({url, keyFile, folder: folder.path, runtime: 'process'});
	await using client = clientOf(market.url, key);
	const {offers} = await client.offers.search({filter: []});
	const order = {image: 'ubuntu:24.04', label: words.join(' ').slice(0, 200), onstart: words[0]};
	const rented = await client.instances.rent(offers[0]?.id ?? 0, order);
	if (rented.outcome !== 'created') throw new TypeError(rented.outcome);
	const isReported = () => proxy.requests.some(({path}) => path.includes('/reports/'));
	await expect.poll(isReported).toBe(true);
	let answered = 0;
	const refuse: Fault = async ({response}) => {
		const msg = words[answered++ % words.length];
		response.writeHead(500).end(JSON.stringify({error: msg, msg}));
	};
	proxy.next({}, refuse, Number.POSITIVE_INFINITY);
	await expect.poll(() => answered).toBeGreaterThan(3);
	await expect.poll(host.said).toContain('"trouble"');
	await host.end();
	const said = host.said();
	expectWhole(said.slice(said.indexOf('{"time"')), new Set(['trouble']));
});
