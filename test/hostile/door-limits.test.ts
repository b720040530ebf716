/** What a door bounds: who waits at it, what is agreed on, and what one connection may open. */
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import type {Socket} from 'node:net';
import ssh2 from 'ssh2';
import {expect, onTestFinished, test} from 'vitest';
import {noOpenSsh} from '../helpers/open-ssh.ts';
import {best, openInstance} from '../helpers/ssh-door.ts';

const open = async () => openInstance(plan => best(plan, '/bin/sh'));

type Instance = Awaited<ReturnType<typeof open>>;

async function enter({user, door, key}: Instance, ...options: readonly string[]) {
	const where = ['-p', String(door.port), '-i', key, 'root@127.0.0.1', 'true'];
	return (await user.run('ssh', [...user.options, ...options, ...where])).code;
}

async function connectClient({door, key}: Instance) {
	const client = new ssh2.Client().on('error', () => undefined);
	client.connect({
		host: '127.0.0.1',
		port: door.port,
		username: 'root',
		privateKey: readFileSync(key),
	});
	onTestFinished(() => void client.destroy());
	await once(client, 'ready');
	return client;
}

test.skipIf(noOpenSsh !== undefined)('SHA-1 and compression are not agreed on', async () => {
	await using instance = await open();
	const counter = ['-o', 'Ciphers=aes128-ctr'];
	expect(await enter(instance, ...counter, '-o', 'MACs=hmac-sha1')).toBe(255);
	expect(await enter(instance, ...counter, '-o', 'MACs=hmac-sha1-etm@openssh.com')).toBe(255);
	expect(await enter(instance, '-o', 'KexAlgorithms=diffie-hellman-group14-sha1')).toBe(255);
	expect(await enter(instance, ...counter, '-o', 'MACs=hmac-sha2-256')).toBe(0);
	expect(await enter(instance, '-C')).toBe(0);
});

test.skipIf(noOpenSsh !== undefined)(
	'those who say nothing, or too much, keep nobody out',
	async () => {
		await using instance = await open();
		const all = Array.from({length: 200}, (_, index): Socket => {
			const socket = connect(instance.door.port, '127.0.0.1').on('error', () => undefined);
			if (index % 2 === 0) socket.write(`SSH-2.0-x\r\n${'y'.repeat(100_000)}`);
			return socket;
		});
		expect(await enter(instance)).toBe(0);
		const [talker] = all;
		for (const socket of all) socket.resume();
		await expect.poll(() => talker?.destroyed).toBe(true);
		for (const socket of all) socket.destroy();
	},
);

test('a connection opens a bounded number of forwards, and goes on', async () => {
	await using instance = await open();
	const client = await connectClient(instance);
	const answers = Array.from(
		{length: 300},
		async () =>
			new Promise<boolean>(resolve => {
				client.forwardOut('127.0.0.1', 1, '127.0.0.1', 1, error => resolve(error === undefined));
			}),
	);
	expect((await Promise.all(answers)).filter(isOpen => isOpen)).toEqual([]);
	const said = await new Promise<string>((resolve, reject) => {
		client.exec('echo still here', (error, channel) => {
			if (error !== undefined) reject(error);
			else channel.on('data', (bytes: Buffer) => resolve(bytes.toString()));
		});
	});
	expect(said).toBe('still here\n');
});

test('packets that can hold nothing end the connection that asks for them', async () => {
	await using instance = await open();
	const client = await connectClient(instance);
	const protocol: unknown = Reflect.get(client, '_protocol');
	if (typeof protocol !== 'object' || protocol === null) throw new TypeError('it has a protocol');
	const session: unknown = Reflect.get(protocol, 'session');
	if (typeof session !== 'function') throw new TypeError('it opens sessions');
	const small = (channel: number, window: number) =>
		void Reflect.apply(session, protocol, [channel, window, 0]);
	Reflect.set(protocol, 'session', small);
	client.exec('echo yes', () => undefined);
	await once(client, 'close');
	const other = await connectClient(instance);
	expect(other).toBeInstanceOf(ssh2.Client);
});
