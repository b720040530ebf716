import {once} from 'node:events';
import {createServer, type Socket} from 'node:net';
import {expect, test} from 'vitest';
import {answersAt} from '../../../source/market/machines/reach-check.ts';
import {HERE} from '../../helpers/market/relay.ts';

const WORD = 'a'.repeat(32);

/** A machine that does something with whoever connects, and counts them. */
async function openMachine(answer: (socket: Socket) => void) {
	let count = 0;
	const sockets: Socket[] = [];
	const server = createServer(socket => {
		count += 1;
		sockets.push(socket.on('error', () => undefined));
		answer(socket);
	});
	await once(server.listen(0, HERE), 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
	return {
		port,
		count: () => count,
		[Symbol.dispose]() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}

test.each<readonly [string, boolean, (socket: Socket) => void]>([
	['says its word', true, socket => socket.end(`${WORD}\n`)],
	[
		'says its word by the byte',
		true,
		socket =>
			WORD.split('')
				.concat('\n')
				.forEach(one => socket.write(one)),
	],
	['says another', false, socket => socket.end(`${'b'.repeat(32)}\n`)],
	['says half of it', false, socket => socket.end(WORD.slice(0, 16))],
	['says more than it', false, socket => socket.end(`${WORD}\nmore`)],
	['says without end', false, socket => socket.write(Buffer.alloc(1 << 20, 'a'))],
	['hangs up', false, socket => socket.resetAndDestroy()],
	['says nothing', false, () => undefined],
])('a machine that %s is reached: %s', async (_, isReached, answer) => {
	using machine = await openMachine(answer);
	const door = {address: HERE, port: machine.port, word: WORD};
	expect(await answersAt(door, {targets: 'any', patienceMs: 300})).toBe(isReached);
});

test.each([
	HERE,
	'0.0.0.0',
	'::1',
	'::ffff:127.0.0.1',
	'10.0.0.1',
	'169.254.169.254',
	'localhost',
	'',
])('a market for everybody does not connect to %j, whatever a host says', async address => {
	using machine = await openMachine(socket => socket.end(`${WORD}\n`));
	expect(await answersAt({address, port: machine.port, word: WORD}, {targets: 'public'})).toBe(
		false,
	);
	expect(machine.count()).toBe(0);
});

test('a market of one machine looks up no name for a host', async () => {
	using machine = await openMachine(socket => socket.end(`${WORD}\n`));
	const door = {address: 'localhost', port: machine.port, word: WORD};
	expect(await answersAt(door, {targets: 'any'})).toBe(false);
	expect(machine.count()).toBe(0);
});
