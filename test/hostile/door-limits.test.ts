/** What a door bounds: who waits at it, what is agreed on, and what one connection may open. */
import {once} from 'node:events';
import {randomBytes} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {join} from 'node:path';
import {promisify} from 'node:util';
import ssh2 from 'ssh2';
import {expect, onTestFinished, test} from 'vitest';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {openSftp} from '../helpers/host/sftp-client.ts';
import {best, openInstance} from '../helpers/host/ssh-server.ts';

const open = async () => openInstance(plan => best(plan, '/bin/sh'));

type Instance = Awaited<ReturnType<typeof open>>;

async function enter({user, sshServer, key}: Instance, ...options: readonly string[]) {
	const where = ['-p', String(sshServer.port), '-i', key, 'root@127.0.0.1', 'true'];
	const {code, complaint} = await user.run('ssh', [...user.options, ...options, ...where]);
	return {code, complaint};
}

const isIn = {code: 0};
const isOut = {code: 255};

async function connectClient({sshServer, key}: Instance) {
	const client = new ssh2.Client().on('error', () => undefined);
	client.connect({
		host: '127.0.0.1',
		port: sshServer.port,
		username: 'root',
		privateKey: readFileSync(key),
	});
	onTestFinished(() => void client.destroy());
	await once(client, 'ready');
	return client;
}

/** Connections: the first half sends a greeting that is too long, and the rest nothing, so that all places are held. */
function connectMany(port: number, count: number) {
	const sockets = Array.from({length: count}, (_, index): Socket => {
		const socket = connect(port, '127.0.0.1').on('error', () => undefined);
		if (index < count / 2) socket.write(`SSH-2.0-x\r\n${'y'.repeat(100_000)}`);
		return socket;
	});
	return {
		sockets,
		connected: Promise.all(sockets.map(async socket => once(socket, 'connect'))),
		[Symbol.dispose]() {
			for (const socket of sockets) socket.destroy();
		},
	};
}

type OpenSession = (channel: number, window: number, packet: number) => void;

/** Has a client open sessions in another way: with another window, or packets of another size. */
function withSessions(
	client: ssh2.Client,
	change: (session: OpenSession, channel: number, window: number) => void,
): void {
	const protocol: unknown = Reflect.get(client, '_protocol');
	if (typeof protocol !== 'object' || protocol === null) throw new TypeError('it has a protocol');
	const session: unknown = Reflect.get(protocol, 'session');
	if (typeof session !== 'function') throw new TypeError('it opens sessions');
	const usual: OpenSession = (...given) => void Reflect.apply(session, protocol, given);
	Reflect.set(protocol, 'session', (channel: number, window: number) =>
		change(usual, channel, window),
	);
}

test.skipIf(noOpenSsh !== undefined)('SHA-1 and compression are not agreed on', async () => {
	await using instance = await open();
	const counter = ['-o', 'Ciphers=aes128-ctr'];
	expect(await enter(instance, ...counter, '-o', 'MACs=hmac-sha1')).toMatchObject(isOut);
	expect(await enter(instance, ...counter, '-o', 'MACs=hmac-sha1-etm@openssh.com')).toMatchObject(
		isOut,
	);
	expect(await enter(instance, '-o', 'KexAlgorithms=diffie-hellman-group14-sha1')).toMatchObject(
		isOut,
	);
	expect(await enter(instance, ...counter, '-o', 'MACs=hmac-sha2-256')).toMatchObject(isIn);
	expect(await enter(instance, '-C')).toMatchObject(isIn);
});

test.skipIf(noOpenSsh !== undefined)(
	'those who say nothing, or too much, keep nobody out',
	async () => {
		await using instance = await open();
		using crowd = connectMany(instance.sshServer.port, 200);
		// A user who came before the crowd would be the oldest of its address, and leave for it.
		await crowd.connected;
		expect(await enter(instance)).toMatchObject(isIn);
		const [talker] = crowd.sockets;
		for (const socket of crowd.sockets) socket.resume();
		await expect.poll(() => talker?.destroyed).toBe(true);
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
	withSessions(client, (session, channel, window) => session(channel, window, 0));
	client.exec('echo yes', () => undefined);
	await once(client, 'close');
	const other = await connectClient(instance);
	expect(other).toBeInstanceOf(ssh2.Client);
});

test.skipIf(noOpenSsh !== undefined)(
	'somebody enters one instance through the door of another',
	async () => {
		await using way = await open();
		await using target = await open();
		const {sshServer, key, user} = way;
		const through = ['-W', '%h:%p', '-i', key, '-p', String(sshServer.port), 'root@127.0.0.1'];
		const words = ['ssh', ...user.options, ...through].join(' ');
		expect(await enter(target, '-o', `ProxyCommand=${words}`)).toMatchObject(isIn);
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'files are whole however often keys are agreed on anew while they are copied',
	async () => {
		await using instance = await open();
		const {user, sshServer, key, home} = instance;
		const sent = randomBytes(12_000_000);
		writeFileSync(join(user.folder, 'sent'), sent);
		const where = ['-o', 'RekeyLimit=1M', '-i', key, '-P', String(sshServer.port)];
		for (const old of [[], ['-O']]) {
			const copy = async (from: string, to: string) =>
				(await user.run('scp', [...old, ...user.options, ...where, from, to])).complaint;
			expect(await copy('sent', 'root@127.0.0.1:there')).toBe('');
			expect(readFileSync(join(home, 'there')).equals(sent)).toBe(true);
			expect(await copy('root@127.0.0.1:there', 'back')).toBe('');
			expect(readFileSync(join(user.folder, 'back')).equals(sent)).toBe(true);
		}
	},
);

test('a client has a bounded number of files open, and opens others when it closes some', async () => {
	await using instance = await open();
	writeFileSync(join(instance.home, 'file'), 'text');
	using sftp = await openSftp(instance.sshServer.port, instance.key);
	const openOne = promisify(sftp.raw.open.bind(sftp.raw));
	const opened = await Promise.allSettled(
		Array.from({length: 300}, async () => openOne('file', 'r')),
	);
	const handles = opened.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
	expect(handles).toHaveLength(256);
	expect(await sftp.read('file')).toBe(undefined);
	const [first] = handles;
	if (first === undefined) throw new Error('some are open');
	await promisify(sftp.raw.close.bind(sftp.raw))(first);
	expect(await sftp.read('file')).toBe('text');
});

test('a session that takes nothing holds what runs back, and nobody else', async () => {
	await using instance = await open();
	const client = await connectClient(instance);
	withSessions(client, (session, channel) => session(channel, 0, 32_768));
	client.exec('cat /dev/zero', () => undefined);
	client.exec('echo yes', () => undefined);
	const other = await connectClient(instance);
	const said = await new Promise<string>((resolve, reject) => {
		other.exec('echo yes', (error, channel) => {
			if (error !== undefined) reject(error);
			else channel.on('data', (bytes: Buffer) => resolve(bytes.toString()));
		});
	});
	expect(said).toBe('yes\n');
	expect(process.memoryUsage().arrayBuffers).toBeLessThan(64 * 1024 * 1024);
});
