/** A flood of each request of SSH and of file transfer, cut at any byte, leaves the agent as it was. */
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {countKept, noteRest} from '../../helpers/host/at-rest.ts';
import {copied, extensions, floodDoor, said} from '../../helpers/host/floods.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';
import {openSftp} from '../../helpers/host/sftp-client.ts';
import {COPYING_USER} from '../../../source/host/ssh/rsync-daemon.ts';
import {best, openInstance} from '../../helpers/host/ssh-server.ts';

/** What the server hears that nobody asks for. */
const events = new Set(['authentication', 'ready', 'error', 'end', 'rekey', 'close', 'request']);

test('every request that the server hears is among the floods', () => {
	const folder = join(import.meta.dirname, '../../../source/host/ssh');
	const heard = readdirSync(folder).flatMap(file => {
		const code = readFileSync(join(folder, file), 'utf8');
		const all = code.matchAll(
			/\b(?:client|session)\.on\('([\w.-]+)'|\b(?:name|trim\(\)) [!=]== '([^']+)'/g,
		);
		return Array.from(all, ([, event, name]) => event ?? name ?? '');
	});
	const names = new Set(heard).difference(events);
	expect([...names].toSorted()).toEqual(
		Object.keys({...said, ...copied, ...extensions})
			.filter(name => name !== '')
			.toSorted(),
	);
});

/** So few places that one which a flood does not give back is missed by those after it. */
const few = {
	connections: 20,
	sessions: 20,
	transfers: 20,
	files: 60,
	forwards: 60,
	listeners: 60,
	ports: 0,
	bytes: 1_000_000,
};

test.skipIf(noOpenSsh !== undefined)(
	'a flood of any request that is cut at any byte leaves no file, socket, timer or child',
	async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'), few);
		writeFileSync(join(instance.home, 'file'), 'text');
		expect((await instance.ssh('echo ready')).out).toBe('ready\n');
		const rest = noteRest();
		await floodDoor({port: instance.sshServer.port, keyFile: instance.key}, 10, rest.returns);
		await rest.end();
		expect((await instance.ssh('echo still')).out).toBe('still\n');
		using sftp = await openSftp(instance.sshServer.port, instance.key);
		expect(await sftp.read('file')).toBeDefined();
		await promisify(sftp.client.forwardIn.bind(sftp.client))('127.0.0.1', 0);
		const lead = promisify(sftp.client.forwardOut.bind(sftp.client, '127.0.0.1', 0));
		await lead('127.0.0.1', instance.sshServer.port);
	},
);

/** Has every connection that is accepted meanwhile noted. */
function noteAccepted() {
	const sockets: Array<WeakRef<object>> = [];
	const name = 'net.server.socket';
	const note = (message: unknown) => {
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node documents it so
		sockets.push(new WeakRef((message as {readonly socket: object}).socket));
	};
	subscribe(name, note);
	return {sockets, [Symbol.dispose]: () => void unsubscribe(name, note)};
}

test.skipIf(noOpenSsh !== undefined)(
	'nothing is kept of connections that are over, whatever was said in them',
	async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		writeFileSync(join(instance.home, 'file'), 'text');
		using accepted = noteAccepted();
		await floodDoor(
			{port: instance.sshServer.port, keyFile: instance.key},
			0,
			async () => undefined,
		);
		const {user, key, sshServer} = instance;
		const where = ['-i', key, '-p', String(sshServer.port), `${COPYING_USER}@127.0.0.1`];
		for (const greeting of ['@RSYNCD: 31.0 md5\nC.8\n', '@RSYNCD: 29.0\nC.7\n', 'x\n']) {
			const input = Buffer.from(greeting);
			await user.run('ssh', [...user.options, ...where, 'rsync --server --daemon .'], {input});
		}
		expect(accepted.sockets.length).toBeGreaterThan(30);
		await expect.poll(() => countKept(accepted.sockets)).toBe(0);
	},
);
