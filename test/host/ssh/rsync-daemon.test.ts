import {existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {noOpenSsh, noRsync} from '../../helpers/host/open-ssh.ts';
import {processInside} from '../../../source/host/sandbox/choose-inside.ts';
import {rsyncInside} from '../../../source/host/ssh/rsync-daemon.ts';
import type {Child} from '../../../source/host/inside/inside.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openInstance, insides} from '../../helpers/host/ssh-server.ts';

const isMissing = noOpenSsh !== undefined || noRsync !== undefined;
const USER = 'vastai_kaalia';
const isolated = insides.at(-1)?.[1] ?? expect.fail('nothing can be entered here');

type Opened = Awaited<ReturnType<typeof openInstance>>;

const named = (end: string) => end.replace(/^::/, `${USER}@127.0.0.1::`);

/** Runs rsync as existing clients do: one end is `::`, in the instance. */
async function rsync(
	{user, sshServer, key}: Opened,
	from: string,
	to: string,
	...options: string[]
) {
	const shell = ['ssh', ...user.options, '-i', key, '-p', String(sshServer.port)].join(' ');
	return user.run('rsync', ['-arz', '-v', ...options, '-e', shell, named(from), named(to)]);
}

/** A folder with a large file, a link and a name that shells would read. */
function fill(folder: string): Buffer {
	mkdirSync(join(folder, 'data', 'in ner'), {recursive: true});
	const large = Buffer.alloc(3_000_000, 'rsync over a line');
	writeFileSync(join(folder, 'data', 'large'), large);
	writeFileSync(join(folder, 'data', 'in ner', "a $(b) 'c;é"), 'kept');
	symlinkSync('large', join(folder, 'data', 'link'));
	return large;
}

test.skipIf(isMissing).each(insides)(
	'rsync copies into %s and out of it, by the name of the instance and a path',
	async (_, makeInside) => {
		await using instance = await openInstance(makeInside);
		const {folder} = instance.user;
		const {out: home} = await instance.ssh('pwd');
		const inside = home.trim();
		const large = fill(folder);
		const sent = await rsync(instance, 'data', `::C.7/${inside}/`);
		expect(sent).toMatchObject({code: 0, complaint: ''});
		expect(readFileSync(join(instance.home, 'data', 'large')).equals(large)).toBe(true);
		expect(readFileSync(join(instance.home, 'data', 'in ner', "a $(b) 'c;é"), 'utf8')).toBe('kept');
		const back = await rsync(instance, `::7/${inside}/data/`, join(folder, 'back'));
		expect(back).toMatchObject({code: 0, complaint: ''});
		expect(readFileSync(join(folder, 'back', 'link')).equals(large)).toBe(true);
		// What is there already is not sent again.
		const again = await rsync(instance, 'data', `::C.7/${inside}/`, '--stats');
		expect(again.out).toContain('Number of regular files transferred: 0');
	},
);

test.skipIf(isMissing)(
	'for another instance, a path of another name and another key there is nothing',
	async () => {
		await using instance = await openInstance(isolated);
		const {folder} = instance.user;
		writeFileSync(join(folder, 'note'), 'x');
		const other = await rsync(instance, 'note', '::C.8/root/');
		expect(other.code).not.toBe(0);
		expect(other.complaint).toContain('its name is C.7');
		const secluded = await rsync(instance, 'note', '::C.7/root/', '--secluded-args');
		expect(secluded.complaint).toContain('leave out --secluded-args');
		const stranger = instance.user.makeKey('stranger').file;
		const refused = await rsync({...instance, key: stranger}, 'note', '::C.7/root/');
		expect(refused.complaint).toContain('Permission denied');
		expect(existsSync(join(instance.home, 'note'))).toBe(false);
	},
);

test.skipIf(isMissing)(
	'the user who copies runs nothing else, sees no files and reaches no ports',
	async () => {
		await using instance = await openInstance(isolated);
		const {user, sshServer, key} = instance;
		const where = [...user.options, '-i', key, '-p', String(sshServer.port), `${USER}@127.0.0.1`];
		for (const command of [['id'], ['rsync', '--server', '.', '/'], []]) {
			const {code, complaint, out} = await user.run('ssh', [...where, ...command]);
			expect([code, out]).toEqual([1, '']);
			expect(complaint).toContain('copies by rsync, and does nothing else');
		}
		const tunnel = await user.run('ssh', ['-W', `127.0.0.1:${sshServer.port}`, ...where]);
		expect(tunnel.code).not.toBe(0);
		expect(tunnel.out).toBe('');
		const listed = await user.run(
			'sftp',
			[...user.options, '-i', key, '-P', String(sshServer.port), `${USER}@127.0.0.1`],
			{input: Buffer.from('ls /\nls /etc\n')},
		);
		expect(listed.out).not.toMatch(/passwd|home/);
	},
);

const handshake = '@RSYNCD: 31.0 md5\nC.7\n--server\0--sender\0-r\0.\0C.7/\0\0';
const beginning = {variables: {}, terminal: undefined};

/** A copy whose rsync starts when it may, and who has started. */
async function openCopy(folder: string) {
	const {promise: may, resolve: start} = Promise.withResolvers<void>();
	const inside = processInside({folder, hostName: 'seven', env: {}, mounts: []}, '/bin/sh');
	const children: Child[] = [];
	let starts = 0;
	const late = rsyncInside(
		{
			...inside,
			async start(...given) {
				starts += 1;
				await may;
				const child = await inside.start(...given);
				children.push(child);
				return child;
			},
		},
		7,
	);
	const copy = await late.start('rsync --server --daemon .', beginning);
	return {copy, start, children, starts: () => starts};
}

test.skipIf(isMissing).each([
	['abandoned', (copy: Child) => copy.abandon()],
	['killed', (copy: Child) => copy.kill('SIGHUP')],
])('a copy that is %s while its rsync starts leaves none running', async (_, leave) => {
	using folder = openFolder();
	const {copy, start, children, starts} = await openCopy(folder.path);
	copy.input.write(handshake);
	await expect.poll(starts).toBe(1);
	let isBegun = false;
	void copy.begun?.then(() => (isBegun = true));
	leave(copy);
	await new Promise(resolve => setImmediate(resolve));
	expect(isBegun).toBe(false);
	start();
	await copy.ended;
	await copy.begun;
	expect(children).toHaveLength(1);
	await Promise.all(children.map(async child => child.ended));
});

test.skipIf(isMissing)('a copy that is left during its greeting starts no rsync', async () => {
	using folder = openFolder();
	const {copy, start, starts} = await openCopy(folder.path);
	start();
	copy.kill('SIGHUP');
	copy.input.write(handshake);
	await copy.ended;
	expect(starts()).toBe(0);
});
