import {createServer} from 'node:net';
import type {Socket} from 'node:net';
import {expect, test} from 'vitest';
import {probeSsh} from '../../../source/renter/connect/probe.ts';

/** A port of this machine at which something greets whoever comes. */
async function openPort(greet: (socket: Socket) => void) {
	const heard: string[] = [];
	const server = createServer(socket => {
		socket.on('error', () => undefined);
		socket.on('data', bytes => heard.push(bytes.toString('latin1')));
		greet(socket);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		port,
		heard,
		probe: async () => probeSsh({host: '127.0.0.1', port}),
		[Symbol.asyncDispose]: async () => new Promise<void>(resolve => server.close(() => resolve())),
	};
}

test('a port at which SSH greets answers, and is told nothing', async () => {
	await using door = await openPort(socket => socket.write('SSH-2.0-OpenSSH_9.9\r\n'));
	expect(await door.probe()).toBeGreaterThan(0);
	expect(door.heard).toEqual([]);
});

test('a greeting that comes in pieces is one', async () => {
	await using door = await openPort(socket => {
		socket.setNoDelay(true).write('S');
		setImmediate(() => socket.write('SH-2.0-x\r\n'));
	});
	expect(await door.probe()).toBeGreaterThan(0);
});

test('what says something else, hangs up or is not there does not answer', async () => {
	await using web = await openPort(socket => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
	await using deaf = await openPort(socket => socket.end());
	await using torn = await openPort(socket => socket.end('SSH'));
	expect(await Promise.all([web, deaf, torn].map(async ({probe}) => probe()))).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	const closed = await openPort(() => undefined);
	await closed[Symbol.asyncDispose]();
	expect(await closed.probe()).toBeUndefined();
});
