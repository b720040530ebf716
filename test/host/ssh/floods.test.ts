/** A flood of each request of SSH and of file transfer, cut at any byte, leaves the agent as it was. */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {noteRest} from '../../helpers/at-rest.ts';
import {copied, extensions, floodDoor, said} from '../../helpers/floods.ts';
import {noOpenSsh} from '../../helpers/open-ssh.ts';
import {openSftp} from '../../helpers/sftp-client.ts';
import {best, openInstance} from '../../helpers/ssh-server.ts';

/** What the server hears that nobody asks for. */
const events = new Set(['authentication', 'ready', 'error', 'end', 'rekey', 'close', 'request']);

test('every request that the server hears is among the floods', () => {
	const folder = join(import.meta.dirname, '../../../source/host/ssh');
	const heard = readdirSync(folder).flatMap(file => {
		const code = readFileSync(join(folder, file), 'utf8');
		const all = code.matchAll(
			/\b(?:client|session)\.on\('([\w-]+)'|\b(?:name|trim\(\)) [!=]== '([^']+)'/g,
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
