import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {connect} from 'node:net';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import {createErrorGuard} from '../../../source/host/ssh/connection.ts';
import {createHoldings, type Holdings} from '../../../source/host/ssh/connection-limits.ts';
import {lead} from '../../../source/host/ssh/forwards.ts';
import {noOpenSsh, noRsync} from '../../helpers/host/open-ssh.ts';
import {openPty} from '../../helpers/console/pty.ts';
import {best, insides, openInstance} from '../../helpers/host/ssh-server.ts';

/** Something that listens on this machine, and answers. */
async function openTarget() {
	const server = createServer((_, answer) => void answer.end('reached')).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: typeof address === 'object' && address !== null ? address.port : 0,
		[Symbol.dispose]() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
	using target = await openTarget();
	return target.port;
}

describe.skipIf(noOpenSsh !== undefined)('what goes through a door', () => {
	test.skipIf(noRsync !== undefined)('rsync works', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, home, sshServer, key} = instance;
		writeFileSync(join(user.folder, 'sent'), 'by rsync');
		const remote = ['ssh', ...user.options, '-i', key, '-p', String(sshServer.port)].join(' ');
		await user.run('rsync', ['-a', '-e', remote, 'sent', 'root@127.0.0.1:got']);
		expect(readFileSync(join(home, 'got'), 'utf8')).toBe('by rsync');
	});

	test('ports are led in and out', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, sshServer, key} = instance;
		using server = await openTarget();
		const target = server.port;
		const [inward, outward] = [await freePort(), await freePort()];
		const forwards = [
			'-L',
			`${inward}:localhost:${target}`,
			'-R',
			`${outward}:127.0.0.1:${target}`,
		];
		const where = ['-i', key, '-p', String(sshServer.port), ...forwards, 'root@127.0.0.1'];
		const child = spawn('ssh', [...user.options, ...where, 'echo ready; cat'], {
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		await once(child.stdout, 'data');
		for (const port of [inward, outward]) {
			const answer = await fetch(`http://127.0.0.1:${port}/`);
			expect(await answer.text()).toBe('reached');
		}
		child.stdin.end();
		await once(child, 'close');
	});

	test('a proxy leads to what is reached from inside', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, sshServer, key} = instance;
		using server = await openTarget();
		const target = server.port;
		const proxy = await freePort();
		const where = ['-D', String(proxy), '-i', key, '-p', String(sshServer.port)];
		const child = spawn('ssh', [...user.options, ...where, 'root@127.0.0.1', 'echo ready; cat'], {
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		await once(child.stdout, 'data');
		const socket = connect(proxy, '127.0.0.1');
		// SOCKS 5: nobody needs to say who they are, and an address of four bytes is wanted.
		socket.write(Buffer.from([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, target >> 8, target & 0xff]));
		socket.write('GET / HTTP/1.0\r\n\r\n');
		expect(await text(socket)).toMatch(/reached$/);
		child.stdin.end();
		await once(child, 'close');
	});
});

describe.skipIf(noOpenSsh !== undefined)('sockets of an instance', () => {
	test.each(insides)('a socket in %s is reached, and none outside of it', async (_, make) => {
		await using instance = await openInstance(make);
		const {user, home, sshServer, key} = instance;
		const servers = [join(home, 'socket'), join(user.folder, 'other')].map(path => {
			const server = createServer((_asked, answer) => void answer.end('reached')).listen(path);
			return {path, server};
		});
		symlinkSync(join(user.folder, 'other'), join(home, 'link'));
		const folder = (await instance.ssh('pwd')).out.trim();
		const ask = async (name: string) => {
			const local = join(user.folder, `to-${name}`);
			const where = ['-i', key, '-p', String(sshServer.port), '-L', `${local}:${folder}/${name}`];
			const child = spawn('ssh', [...user.options, ...where, 'root@127.0.0.1', 'echo ready; cat'], {
				stdio: ['pipe', 'pipe', 'ignore'],
			});
			await once(child.stdout, 'data');
			const socket = connect(local);
			socket.on('error', () => undefined).write('GET / HTTP/1.0\r\n\r\n');
			const said = await text(socket).catch(() => '');
			child.stdin.end();
			await once(child, 'close');
			return said;
		};
		expect(await ask('socket')).toMatch(/reached$/);
		expect(await ask('link')).toBe('');
		expect(await ask('missing')).toBe('');
		for (const {server} of servers) server.close();
	});

	test.each(insides)('a socket in %s leads out, and can be none elsewhere', async (_, make) => {
		await using instance = await openInstance(make);
		const {user, home, sshServer, key} = instance;
		using server = await openTarget();
		mkdirSync(join(user.folder, 'elsewhere'));
		symlinkSync(join(user.folder, 'elsewhere'), join(home, 'link'));
		writeFileSync(join(home, 'file'), 'kept');
		const folder = (await instance.ssh('pwd')).out.trim();
		const ask = async (name: string) => {
			const out = ['-R', `${folder}/${name}:127.0.0.1:${server.port}`];
			const strict = ['-o', 'ExitOnForwardFailure=yes'];
			const where = ['-i', key, '-p', String(sshServer.port), 'root@127.0.0.1'];
			const command = `curl -s --unix-socket ${name} http://somewhere/; ls ${name}`;
			return user.run('ssh', [...user.options, ...strict, ...out, ...where, command]);
		};
		expect((await ask('socket')).out).toBe('reachedsocket\n');
		expect((await ask('link/socket')).code).toBe(255);
		expect(readdirSync(join(user.folder, 'elsewhere'))).toEqual([]);
		expect((await ask('file')).code).toBe(255);
		expect(readFileSync(join(home, 'file'), 'utf8')).toBe('kept');
		await expect.poll(() => readdirSync(home)).not.toContain('socket');
	});
});

describe.skipIf(noOpenSsh !== undefined)('terminals inside', () => {
	test('a terminal that becomes larger is so inside, too', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, sshServer, key} = instance;
		const where = ['-tt', '-i', key, '-p', String(sshServer.port), 'root@127.0.0.1'];
		await using terminal = openPty('ssh', [...user.options, ...where]);
		terminal.type('stty size\r');
		await terminal.sees('24 80');
		terminal.resize(133, 41);
		await expect
			.poll(async () => {
				terminal.type('stty size\r');
				return terminal.screen();
			})
			.toContain('41 133');
	});

	test('a terminal has the size and kind of the one outside', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, sshServer, key} = instance;
		const where = ['-tt', '-i', key, '-p', String(sshServer.port), 'root@127.0.0.1'];
		const asked = 'test -t 0 && echo "$TERM" && stty size';
		const {out} = await user.run('ssh', [...user.options, ...where, asked]);
		expect(out.replaceAll('\r', '')).toMatch(/^\S+\n\d+ \d+\n$/);
	});
});

test('what is led to a stream that is closed is counted nowhere, and to any other until it closes', async () => {
	const stores = new Set<unknown>();
	const bytes: Holdings['bytes'] = {
		watch: store => void stores.add(store),
		forget: store => void stores.delete(store),
		isFull: () => false,
	};
	const connection = {
		guard: createErrorGuard(error => expect.fail(String(error))),
		holdings: {...createHoldings(), bytes},
	};
	const [closed, open] = [new PassThrough(), new PassThrough()];
	await once(closed.destroy(), 'close');
	for (const sink of [closed, open]) lead(new PassThrough(), sink, connection);
	expect([...stores]).toEqual([open]);
	await once(open.destroy(), 'close');
	expect([...stores]).toEqual([]);
});
