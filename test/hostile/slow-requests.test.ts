import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {expect, test} from 'vitest';
import type {Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {contract} from '../../source/contract/index.ts';
import {openTestMarket, type TestMarket} from '../helpers/market/market.ts';
import {waitFor} from '../helpers/wait-for.ts';

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const endpoints = Object.values(byNoun).flatMap(ofNoun => Object.values(ofNoun));

/** What comes at once of a request, and what comes piece by piece for as long as it is taken. */
type Slow = (head: string) => {readonly first: string; readonly piece: string | undefined};

const slownesses: ReadonlyArray<readonly [string, Slow]> = [
	['a head that never ends', head => ({first: head, piece: undefined})],
	['a head by the byte', head => ({first: `${head}X-Long: `, piece: 'a'})],
	[
		'a body that never comes',
		head => ({first: `${head}Content-Length: 100\r\n\r\n`, piece: undefined}),
	],
	['a body by the byte', head => ({first: `${head}Content-Length: 60000\r\n\r\n`, piece: ' '})],
	[
		'chunks without end',
		head => ({first: `${head}Transfer-Encoding: chunked\r\n\r\n`, piece: '1\r\n \r\n'}),
	],
];

function openSlow({url}: TestMarket, {first, piece}: ReturnType<Slow>): Socket {
	const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
	socket.write(first);
	socket.resume();
	if (piece !== undefined) {
		const timer = setInterval(() => socket.write(piece), 50);
		socket.once('close', () => clearInterval(timer));
	}
	return socket;
}

test.each(slownesses)(
	'%s is ended at every call, with a key and without, and others are answered meanwhile',
	{timeout: 60_000},
	async (_, slow) => {
		await using market = await openTestMarket({offers: 10, slowestRequestMs: 2000});
		// Of another account: calls that need no body are done at once, and end keys and more.
		const own = await market.createKey('slow', 'host');
		const sockets = endpoints.flatMap(({method, path}) =>
			[own, 'nobody'].map(key => {
				const line = `${method} ${path.replaceAll(/\{\w+\}/g, '1')} HTTP/1.1`;
				const headers = [line, 'Host: market', `Authorization: Bearer ${key}`];
				const type = 'Content-Type: application/json';
				return openSlow(market, slow(`${[...headers, type].join('\r\n')}\r\n`));
			}),
		);
		await Promise.all(sockets.map(async socket => once(socket, 'connect')));
		for (let times = 0; times < 10; times++) expect(await market.search({})).toHaveLength(10);
		await waitFor(() => expect(sockets.filter(({closed}) => !closed)).toHaveLength(0));
		expect(market.log).toEqual([]);
	},
);
