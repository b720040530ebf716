import {once} from 'node:events';
import {connect} from 'node:net';
import type {Socket} from 'node:net';
import {expect, test} from 'vitest';
import {openHostMarket, openRentedMarket, testPublication} from '../helpers/host/hosts.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {contractOf} from '../helpers/market/rentable.ts';
import type {TestMarket} from '../helpers/market/market.ts';
import {waitFor} from '../helpers/wait-for.ts';

/** 500 long polls are opened and answered by one process, beside whatever else the machine does. */
const PATIENT = 240_000;

function open({url}: Pick<TestMarket, 'url'>): Socket {
	return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
}

function headOf(line: string, {key}: Pick<TestMarket, 'key'>, ...more: readonly string[]): string {
	return [`${line} HTTP/1.1`, 'Host: market', `Authorization: Bearer ${key}`, ...more, '', ''].join(
		'\r\n',
	);
}

test(
	'500 hosts that wait for work keep nobody else, and are told of it at once',
	{timeout: PATIENT},
	async () => {
		await using market = await openHostMarket();
		const machine = await market.host.publish(testPublication());
		await market.host.heartbeat([machine.id]);
		const first = await market.host.takeWork({after: 0, waitSeconds: 0});
		const waiting = Array.from({length: 500}, async () =>
			market.callAsHost('GET', `work/?after=${first.revision}&wait=25`),
		);
		const order = {method: 'PUT', body: '{"image":"a"}'};
		const rented = await market.call(`/api/v0/asks/${machine.asks[0]?.id}/`, order);
		expect(rented.status).toBe(200);
		const told = await Promise.all(waiting);
		expect(told.filter(({text}) => text.includes('"wanted":"running"'))).toHaveLength(500);
	},
);

test('2,000 calls in one go on one connection let another connection have its turn', async () => {
	await using market = await openTestMarket({offers: 10});
	const socket = open(market);
	let answered = 0;
	socket
		.setEncoding('utf8')
		.on('data', (text: string) => (answered += text.split('HTTP/1.1 200').length - 1));
	socket.write(headOf('GET /api/v0/bundles/', market).repeat(2000));
	await once(socket, 'data');
	for (let times = 0; times < 10; times++) await market.search({});
	expect(answered).toBeLessThan(2000);
	socket.destroy();
});

test('300 bodies that never end keep nobody else', async () => {
	await using market = await openTestMarket({offers: 10, slowestRequestMs: 1000});
	const sockets = Array.from({length: 300}, () => open(market));
	for (const socket of sockets) {
		socket.write(`${headOf('POST /api/v0/bundles/', market, 'Content-Length: 100')}{"limit`);
		socket.resume();
	}
	for (let times = 0; times < 10; times++) expect(await market.search({})).toHaveLength(10);
	await waitFor(() => expect(sockets.every(({closed}) => closed)).toBe(true));
	expect(market.log).toEqual([]);
});

test.each([
	['two lengths', 'Content-Length: 2\r\nContent-Length: 40'],
	['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
	['a length below 0', 'Content-Length: -1'],
	['another encoding', 'Transfer-Encoding: gzip, chunked'],
	['a header folded over lines', 'X-A: b\r\n c'],
	['a line end within a name', 'X-A\rB: c'],
])('a request with %s is refused, and no second one is read out of it', async (_, header) => {
	await using market = await openTestMarket({offers: 10});
	const socket = open(market);
	const hidden = headOf('GET /api/v0/users/current/', market);
	let got = '';
	socket.setEncoding('utf8').on('data', (text: string) => (got += text));
	socket.end(`${headOf('POST /api/v0/bundles/', market, header)}{}${hidden}`);
	await once(socket, 'close');
	expect(got.split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(1);
	expect(got).not.toContain('"credit"');
	expect(market.log).toEqual([]);
});

test('one of many that rent, start and destroy at once gets the machine, and never two', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication());
	await market.host.heartbeat([machine.id]);
	const ids = machine.asks.map(({id}) => id);
	for (let round = 0; round < 5; round++) {
		const calls = Array.from({length: 30}, async (_, at) => {
			const reply = await market.call(`/api/v0/asks/${ids[at % ids.length]}/`, {
				method: 'PUT',
				body: '{"image":"a"}',
			});
			if (at % 2 === 0 && reply.status === 200) {
				const path = `/api/v0/instances/${contractOf(reply.body)}/`;
				await market.call(path, {method: 'DELETE', body: '{}'});
			}
			return reply.status;
		});
		expect((await Promise.all(calls)).filter(status => status >= 500)).toEqual([]);
		const running = await market.database
			.selectFrom('instances')
			.select('gpu_mask')
			.where('destroyed_at', 'is', null)
			.where('current', '=', 'running')
			.execute();
		const masks = running.map(({gpu_mask: mask}) => mask);
		expect(masks.reduce((sum, mask) => sum + mask, 0)).toBe(
			masks.reduce((all, mask) => all | mask, 0),
		);
	}
});

test('names that objects are born with are names like others', async () => {
	await using market = await openRentedMarket();
	const body =
		'{"image":"a","__proto__":{"isAdmin":true},"constructor":1,"env":{"__proto__":"1","toString":"2"}}';
	const replies = await Promise.all([
		market.call(`/api/v0/asks/${market.machine.asks[2]?.id}/`, {method: 'PUT', body}),
		market.call('/api/v0/bundles/', {method: 'POST', body: '{"__proto__":{"eq":1}}'}),
		market.call('/api/v0/bundles/', {method: 'POST', body: '{"num_gpus":{"constructor":1}}'}),
		market.call('/api/v0/auth/apikeys/', {
			method: 'POST',
			body: '{"permissions":{"toString":true}}',
		}),
	]);
	expect(replies.filter(({status}) => status >= 500)).toEqual([]);
	// The first is left out when a body is read: no search is made of it.
	expect(replies.slice(1).map(({status}) => status)).toEqual([200, 400, 400]);
	expect(Object.keys(Object.prototype)).toEqual([]);
});

test('the log of the market has a line for what it tells, whatever a host calls itself', async () => {
	await using market = await openRentedMarket();
	await market.host.publish(testPublication({name: 'a\nhost 1: all is well\u001B[2J'}));
	const {id, boot} = market.instance;
	const reports = [{instance_id: id, boot, traffic: {up: 1e15, down: 0}}];
	expect((await market.callAsHost('POST', 'reports/', {reports})).status).toBe(400);
	expect(market.log).toHaveLength(1);
	expect(market.log[0]).toMatch(/^[ -~]+$/);
});
