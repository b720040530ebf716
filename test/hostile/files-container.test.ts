/** File transfer into containers: all that the container sees, nothing of the kernel, nothing outside. */
import {once} from 'node:events';
import {spawn} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {patient, prepareContainers, waiting} from '../helpers/host/container-host.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {openSftp} from '../helpers/host/sftp-client.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

describe.skipIf(isSkipped)(`files of containers${shown}`, patient, () => {
	test('all that the container sees is reached, and nothing of the kernel', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		using sftp = await openSftp(host.port(), host.key.file);
		expect(await sftp.list('/')).toEqual(expect.arrayContaining(['bin', 'etc', 'root']));
		expect(await sftp.write('/etc/from-outside', 'by sftp')).toBe(true);
		expect((await host.ssh('cat /etc/from-outside')).out).toBe('by sftp');
		const kernel = ['/proc/version', '/proc/1/root/etc/hostname', '/sys/kernel/notes', '/dev/zero'];
		for (const path of kernel) expect([path, await sftp.read(path)]).toEqual([path, undefined]);
		await host.ssh('ln -s /proc/1/root /out; ln -s /etc /in');
		expect(await sftp.read('/out/etc/from-outside')).toBe(undefined);
		expect(await sftp.read('/in/from-outside')).toBe('by sftp');
	});

	test('a forward that is dropped leaves nothing running in the container', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({onstart: 'httpd -p 127.0.0.1:81 -h /etc'}));
		await host.until('running');
		const page = async () => (await host.ssh('wget -qO- http://127.0.0.1:81/hosts')).out;
		await expect.poll(page, waiting).toContain('127.0.0.1');
		const asked = `for d in /proc/[0-9]*; do tr '\\0' ' ' < $d/cmdline; echo; done`;
		const processes = async () =>
			(await host.ssh(asked)).out.split('\n').filter(line => line.startsWith('nc ')).length;
		const by = ['-i', host.key.file, '-p', String(host.port()), '-W', '127.0.0.1:81'];
		const child = spawn('ssh', [...host.user.options, ...by, 'root@127.0.0.1']);
		await expect.poll(processes, waiting).toBe(1);
		child.kill('SIGKILL');
		await once(child, 'close');
		await expect.poll(processes, waiting).toBe(0);
	});
});
