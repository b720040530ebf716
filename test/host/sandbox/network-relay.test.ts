import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import {text} from 'node:stream/consumers';
import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {networkCalls, SOCKET} from '../../../source/host/sandbox/network-calls.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openNetworkRelay} from '../../helpers/host/network-relay.ts';

const never = new AbortController().signal;

test('connections that are cut here leave none in the program of the network', async () => {
	await using relay = await openNetworkRelay();
	const {calls, port, files, taken} = relay;
	// The connection by which it learns what is cut stays.
	const before = files() + 1;
	(await calls.connect('127.0.0.1', port, never)).destroy();
	await expect.poll(files).toBe(before);
	const open = await Promise.all(
		Array.from({length: 60}, async () => calls.connect('127.0.0.1', port, never)),
	);
	expect(files()).toBe(before + 120);
	// What has ended its input still listens, and is kept until it is cut.
	for (const socket of open) socket.end();
	await expect.poll(() => taken.filter(socket => socket.readableEnded).length).toBe(61);
	expect(files()).toBe(before + 120);
	for (const socket of open) socket.destroy();
	await expect.poll(files).toBe(before);
});

test('connections of listeners, and all of an agent that is gone, are cut, too', async () => {
	await using relay = await openNetworkRelay();
	const {folder, calls, port, files} = relay;
	const before = files() + 1;
	(await calls.connect('127.0.0.1', port, never)).destroy();
	await expect.poll(files).toBe(before);
	const taken = Promise.withResolvers<void>();
	const listener = await calls.listen(0, socket => {
		socket.destroy();
		taken.resolve();
	});
	const stranger = connect({port: listener.port, host: '127.0.0.1', allowHalfOpen: true});
	stranger.on('error', () => undefined);
	await taken.promise;
	listener.close();
	await expect.poll(files).toBe(before);
	// An agent in a process of its own, which is killed.
	const program = `
		import {networkCalls} from ${JSON.stringify(new URL('../../../source/host/sandbox/network-calls.ts', import.meta.url).href)};
		const calls = networkCalls(process.argv[1]);
		const signal = new AbortController().signal;
		for (let times = 0; times < 20; times++) await calls.connect('127.0.0.1', Number(process.argv[2]), signal);
		console.log('open');
		setInterval(() => undefined, 1000);
	`;
	const agent = spawn(process.execPath, [
		'--input-type=module',
		'-e',
		program,
		folder,
		String(port),
	]);
	await once(agent.stdout, 'data');
	expect(files()).toBeGreaterThanOrEqual(before + 40);
	agent.kill('SIGKILL');
	await expect.poll(files).toBe(before);
	stranger.destroy();
});

test('a program that cannot hold connections, of an older agent, leads as before', async () => {
	using folder = openFolder();
	const older = createServer({allowHalfOpen: true}, socket => {
		socket.on('error', () => undefined);
		socket.once('data', request => {
			const line = String(request);
			if (line.startsWith('connect ')) socket.write(`ok\n${line}`);
			socket.end(line.startsWith('connect ') ? '' : 'no such host\n');
		});
	});
	await once(older.listen(`${folder.path}/${SOCKET}`), 'listening');
	const calls = networkCalls(folder.path);
	for (let times = 0; times < 2; times++) {
		const socket = await calls.connect('127.0.0.1', 80, never);
		expect(await text(socket)).toBe('connect 127.0.0.1 80\n');
		socket.destroy();
		await setImmediate();
	}
	older.close();
});
