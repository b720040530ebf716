import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {describe, expect, test} from 'vitest';
import {processInside} from '../../../source/host/sandbox/choose-inside.ts';
import {sleepers} from '../../helpers/host/local-host.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';
import {best, isSandboxed, openInstance, insides} from '../../helpers/host/ssh-server.ts';

describe.skipIf(noOpenSsh !== undefined).each(insides)('%s', (_name, makeInside) => {
	test('it runs commands: what they say, complain of, and end with', async () => {
		await using instance = await openInstance(makeInside);
		const found = await instance.ssh('echo "$GREETING"; echo "no" >&2; exit 7');
		expect(found).toEqual({out: 'hello "world"\n', complaint: 'no\n', code: 7});
	});

	test('it hands nothing of the environment of this program on', async () => {
		process.env['RENTTY_TEST_SECRET'] = 'secret';
		await using instance = await openInstance(makeInside);
		const {out} = await instance.ssh('env');
		delete process.env['RENTTY_TEST_SECRET'];
		expect(out).toContain('CONTAINER_ID=7\n');
		expect(out).not.toContain('secret');
	});

	test('it takes files and gives them back, in every way of OpenSSH', async () => {
		await using instance = await openInstance(makeInside);
		const {user, home, sshServer, key, ssh} = instance;
		const bytes = randomBytes(3_000_000);
		writeFileSync(join(user.folder, 'sent'), bytes);
		const where = [...user.options, '-i', key, '-P', String(sshServer.port), '-q'];

		await ssh('cat > by-stdin', bytes);
		const copy = async (...words: readonly string[]) =>
			(await user.run('scp', [...where, ...words])).code;
		expect(await copy('sent', 'root@127.0.0.1:by-sftp')).toBe(0);
		expect(await copy('-O', 'sent', 'root@127.0.0.1:by-scp')).toBe(0);
		const isWhole = (file: string) => readFileSync(join(home, file)).equals(bytes);
		expect(['by-stdin', 'by-sftp', 'by-scp'].filter(isWhole)).toHaveLength(3);
		expect(await copy('root@127.0.0.1:by-sftp', 'back')).toBe(0);
		expect(readFileSync(join(user.folder, 'back')).equals(bytes)).toBe(true);
		expect(await copy('root@127.0.0.1:missing', 'back')).toBe(1);
	});

	test('it shows no files by sftp but its own', async () => {
		await using instance = await openInstance(makeInside);
		const {user, home, sshServer, key} = instance;
		writeFileSync(join(user.folder, 'outside'), 'not yours');
		symlinkSync(join(user.folder, 'outside'), join(home, 'link'));
		const batch = ['-get link', '-get ../outside got', '-get /etc/passwd', '-put known_hosts ../x'];
		const where = [...user.options, '-i', key, '-P', String(sshServer.port), '-b', '-'];
		const commands = Buffer.from([...batch, 'mkdir one', 'ls'].join('\n'));
		const {out} = await user.run('sftp', [...where, 'root@127.0.0.1'], {input: commands});
		const got = ['link', 'got', 'passwd', 'x'].filter(file => existsSync(join(user.folder, file)));
		expect(got).toEqual([]);
		expect(out).toContain('one');
	});
});

describe.skipIf(noOpenSsh !== undefined)('who goes through a door', () => {
	test('only root enters, and only with a key that is let in', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, sshServer, key} = instance;
		const other = user.makeKey('other', 'rsa');
		const enter = async (file: string) => (await user.ssh(sshServer.port, file, ['true'])).code;
		const where = ['-i', key, '-p', String(sshServer.port), 'admin@127.0.0.1', 'true'];

		expect(await enter(key)).toBe(0);
		expect((await user.run('ssh', [...user.options, ...where])).code).toBe(255);
		expect(await enter(other.file)).toBe(255);
		sshServer.admit([other.publicKey]);
		expect([await enter(other.file), await enter(key)]).toEqual([0, 255]);
	});

	test('what is rubbish among the keys keeps nobody else out', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, sshServer, key} = instance;
		sshServer.admit(['ssh-ed25519 AAAA', '', readFileSync(`${key}.pub`, 'utf8')]);
		expect((await user.ssh(sshServer.port, key, ['true'])).code).toBe(0);
	});

	test('what a command leaves in the background stays, and what is broken off goes', async () => {
		await using instance = await openInstance(plan => processInside(plan, '/bin/sh'));
		const {user, home, sshServer, key, ssh} = instance;
		const seconds = `6000${process.pid}`;
		await ssh(`sleep ${seconds} >/dev/null 2>&1 </dev/null & echo $! > left`);
		const where = ['-i', key, '-p', String(sshServer.port), 'root@127.0.0.1'];
		const session = spawn('ssh', [...user.options, ...where, 'echo $$ > broken; sleep 60']);
		await expect.poll(() => existsSync(join(home, 'broken'))).toBe(true);
		session.kill('SIGKILL');
		const pidIn = (file: string) => Number(readFileSync(join(home, file), 'utf8'));
		await expect.poll(() => isAlive(pidIn('broken'))).toBe(false);
		expect(sleepers(seconds)).toBe(1);
		process.kill(pidIn('left'));
	});

	test('who is inside when the door is closed is sent out, with what they started', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {home, sshServer, ssh} = instance;
		const session = ssh('echo $$ > pid; sleep 60');
		await expect.poll(() => existsSync(join(home, 'pid'))).toBe(true);
		await sshServer.close();
		expect((await session).code).toBe(255);
		if (!isSandboxed) {
			const pid = Number(readFileSync(join(home, 'pid'), 'utf8'));
			await expect.poll(() => isAlive(pid)).toBe(false);
		}
	});
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
