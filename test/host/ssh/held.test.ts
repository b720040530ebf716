/** Whatever a connection makes the agent hold ends with it: open files, sockets, waiting requests. */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {promisify} from 'node:util';
import type {ClientChannel} from 'ssh2';
import {describe, expect, test} from 'vitest';
import {processInside} from '../../../source/host/sandbox/choose-inside.ts';
import {LONGEST_REACH_MS} from '../../../source/host/ssh/forwards.ts';
import {noProcesses} from '../../helpers/host/local-host.ts';
import {skipWithout} from '../../helpers/missing.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';
import {openSftp} from '../../helpers/host/sftp-client.ts';
import {openInstance, insides} from '../../helpers/host/ssh-server.ts';

const openFiles = () => readdirSync('/proc/self/fd').length;

/** Requests of each kind that leaves something open, or takes its time. */
const requests = {
	'open a file': async ({raw}) => promisify(raw.open.bind(raw, 'file'))('r'),
	'make a file': async ({raw}) => promisify(raw.open.bind(raw, `made-${Math.random()}`))('w'),
	'open a folder': async ({raw}) => promisify(raw.opendir.bind(raw))('.'),
	'look at a file': async ({raw}) => promisify(raw.stat.bind(raw))('file'),
} satisfies Readonly<Record<string, (sftp: Sftp) => Promise<unknown>>>;

type Sftp = Awaited<ReturnType<typeof openSftp>>;

describe.skipIf((noOpenSsh ?? noProcesses) !== undefined).each(insides)(
	'%s',
	(_name, makeInside) => {
		test.each(Object.entries(requests))(
			'a hundred requests to %s leave nothing open where their connections are cut',
			async (_request, ask) => {
				await using instance = await openInstance(makeInside);
				writeFileSync(join(instance.home, 'file'), 'text');
				expect(await instance.ssh('echo ready')).toMatchObject({out: 'ready\n'});
				const before = openFiles();
				const clients = await Promise.all(
					Array.from({length: 4}, async () => openSftp(instance.sshServer.port, instance.key)),
				);
				for (const client of clients) {
					const all = Array.from({length: 100}, async () => ask(client).catch(() => undefined));
					// Cut once some have been answered, and others wait.
					await all[3];
					client.client.destroy();
				}
				await expect.poll(openFiles).toBeLessThanOrEqual(before);
				expect(await instance.ssh('echo still')).toMatchObject({out: 'still\n', code: 0});
			},
		);

		test('commands with a NUL, which cannot be started, leave nothing open', async () => {
			await using instance = await openInstance(makeInside);
			using sftp = await openSftp(instance.sshServer.port, instance.key);
			const exec = promisify<string, ClientChannel>(sftp.client.exec.bind(sftp.client));
			const before = openFiles();
			for (let count = 0; count < 20; count++) {
				const channel = await exec('true\0');
				await Promise.all([text(channel), text(channel.stderr)]);
			}
			await expect.poll(openFiles).toBeLessThanOrEqual(before);
		});

		test('requests that wait are dropped when their connection is cut', async () => {
			await using instance = await openInstance(makeInside);
			const client = await openSftp(instance.sshServer.port, instance.key);
			const all = Array.from({length: 250}, async () => requests['make a file'](client));
			await all[0];
			client.client.destroy();
			await Promise.allSettled(all);
			// What comes later is done later, so that all that was begun is over then.
			using next = await openSftp(instance.sshServer.port, instance.key);
			await next.list('.');
			expect(readdirSync(instance.home).length).toBeLessThan(125);
		});

		test('the files that clients of an instance hold open are bounded over all of their connections', async () => {
			await using instance = await openInstance(makeInside);
			writeFileSync(join(instance.home, 'file'), 'text');
			let opened = 0;
			const clients = [];
			for (let count = 0; count < 6; count++) {
				const client = await openSftp(instance.sshServer.port, instance.key);
				clients.push(client);
				const all = Array.from({length: 250}, async () => requests['open a file'](client));
				const outcomes = await Promise.allSettled(all);
				opened += outcomes.filter(({status}) => status === 'fulfilled').length;
			}
			expect(opened).toBe(1024);
			for (const {client} of clients) client.destroy();
			using next = await openSftp(instance.sshServer.port, instance.key);
			await expect.poll(async () => next.read('file')).toBe('text');
		});
	},
);

/** A port that takes no connection and refuses none: as many wait there as may. */
const SILENT = `
import socket, sys
listener = socket.socket()
listener.bind(('127.0.0.1', 0))
listener.listen(0)
waiting = [socket.socket() for _ in range(4)]
for one in waiting:
    one.setblocking(False)
    one.connect_ex(listener.getsockname())
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
`;

test.skipIf((noOpenSsh ?? noProcesses ?? skipWithout('python3')) !== undefined)(
	'a forward to a port that never answers ends with its connection',
	async () => {
		await using instance = await openInstance(plan => processInside(plan, '/bin/sh'));
		const silent = spawn('python3', ['-c', SILENT], {stdio: ['pipe', 'pipe', 'inherit']});
		const [port] = await once(silent.stdout, 'data').then(([data]) => [Number(String(data))]);
		const before = openFiles();
		const {client} = await openSftp(instance.sshServer.port, instance.key);
		for (let count = 0; count < 20; count++) {
			client.forwardOut('127.0.0.1', 0, '127.0.0.1', port ?? 0, () => undefined);
		}
		await expect.poll(openFiles).toBeGreaterThanOrEqual(before + 20);
		client.destroy();
		// Sooner than by its own deadline.
		await expect.poll(openFiles, {timeout: LONGEST_REACH_MS - 10_000}).toBeLessThanOrEqual(before);
		silent.stdin.end();
	},
);

const FULL = `
import {openSync} from 'node:fs';
import {startChild} from '${join(import.meta.dirname, '../../../source/host/inside/inside.ts')}';
const open = () => { try { for (;;) openSync('/dev/null'); } catch {} };
open();
try {
	startChild({file: '/bin/true', args: [], cwd: '/', env: {}});
} catch (error) {
	process.stdout.write(error.message);
}
`;

test.skipIf(noProcesses !== undefined)(
	'a program that cannot be started for want of open files says so',
	() => {
		const line = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"';
		const {stdout} = spawnSync('/bin/sh', ['-c', line, process.execPath, FULL], {encoding: 'utf8'});
		expect(stdout).toBe('this machine can open no more files');
	},
);
