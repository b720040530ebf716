import {spawn} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {HostTask} from '../../../source/contract/nouns/host-work.ts';
import {listOf, textAt} from '../../../source/contract/grammar/json.ts';
import {readRecord} from '../../../source/host/instance/record.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {patient, prepareContainers, waiting} from '../../helpers/host/container-host.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';
import {freePorts} from '../../helpers/market/relay.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

const programAlone = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;

function taskOf(task: Partial<HostTask>): HostTask {
	return {id: 1, instance_id: 7, kind: 'logs', ...task};
}

describe.skipIf(isSkipped)(`instances are containers${shown}`, patient, () => {
	test('one is entered by SSH, and is told what an instance is told', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({env: [['GREETING', 'hello "world"']]}));
		const running = await host.until('running');
		expect(running?.access?.ports).toHaveProperty('22/tcp');
		const found = await host.ssh('echo "$GREETING $CONTAINER_ID"; pwd; echo no >&2; exit 7');
		expect(found).toEqual({out: 'hello "world" 7\n/root\n', complaint: 'no\n', code: 7});
		const size = ['-tt', '-i', host.key.file, '-p', String(host.port()), 'root@127.0.0.1'];
		// It waits for the end of its input: Podman drops what a command said that ended before.
		const {out} = await host.user.run('ssh', [...host.user.options, ...size, 'stty size; cat']);
		expect(out.trim()).toBe('24 80');
	});

	test('files go in and out by SFTP, at home and where data is kept, beside those of the image', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {user, key} = host;
		writeFileSync(join(user.folder, 'sent'), 'by sftp');
		const where = [...user.options, '-i', key.file, '-P', String(host.port()), '-q'];
		await user.run('scp', [...where, 'sent', 'root@127.0.0.1:got']);
		await user.run('scp', [...where, 'sent', 'root@127.0.0.1:/workspace/data']);
		const {out} = await host.ssh('cat got /workspace/data of-the-image; echo > made-inside');
		expect(out).toBe('by sftpby sftpit came with the image');
		await user.run('scp', [...where, 'root@127.0.0.1:made-inside', 'back']);
		expect(readFileSync(join(user.folder, 'back'), 'utf8')).toBe('\n');
	});

	test('who goes takes along what they started', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const where = ['-i', host.key.file, '-p', String(host.port()), 'root@127.0.0.1'];
		const session = spawn('ssh', [...host.user.options, ...where, 'sleep 1234'], {stdio: 'pipe'});
		const sleepers = async () => (await host.ssh('ps | grep -c "[s]leep 1234"')).out.trim();
		await expect.poll(sleepers, waiting).not.toBe('0');
		session.kill();
		await expect.poll(sleepers, waiting).toBe('0');
	});
});

describe.skipIf(isSkipped)(`stopping and removing containers${shown}`, patient, () => {
	test('stopping keeps its files and its door, and starting goes on with them', async () => {
		// Of ports that systems give away, another program may take the one that it had.
		const first = await freePorts(8);
		await using host = await openHost({portRange: {first, last: first + 7}});
		await host.runtime.start(host.work({onstart: 'echo once >> /root/starts; echo x >> /own'}));
		await host.until('running');
		const port = host.port();
		await expect.poll(async () => (await host.ssh('cat starts')).out, waiting).toBe('once\n');
		await host.runtime.stop(7);
		expect((await host.ssh('true')).code).toBe(255);
		host.told.length = 0;
		await host.runtime.start(host.work({boot: 2, onstart: 'echo once >> /root/starts'}));
		await host.until('running');
		expect(host.port()).toBe(port);
		await expect
			.poll(async () => (await host.ssh('cat starts /own')).out, waiting)
			.toBe('once\nonce\nx\nx\n');
	});

	test('removing leaves nothing: no container, no volume, no file', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		await host.runtime.remove(7);
		const all = {all: 'true'};
		const left = await host.engine.ask({method: 'GET', path: '/containers/json', query: all});
		const volumes = await host.engine.ask({method: 'GET', path: '/volumes'});
		expect(left).toEqual([]);
		expect(volumes).toMatchObject({Volumes: []});
		expect(readdirSync(join(host.folder, 'instances'))).toEqual([]);
	});
});

describe.skipIf(isSkipped)(`what becomes of containers${shown}`, patient, () => {
	test('one whose program ends has exited, with its code', async () => {
		await using host = await openHost();
		const args = ['/bin/sh', '-c', 'echo working; exit 3'];
		await host.runtime.start(host.work({launch: programAlone, args}));
		const exited = await host.until('exited');
		expect(exited?.status_msg).toBe('Its program ended with code 3.');
		expect(await host.runtime.logs(taskOf({}))).toBe('working\n');
	});

	test('what is not the name of an image fails at once', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({image: '../not an image'}));
		const failed = await host.until('failed');
		expect(failed?.status_msg).toBe('"../not an image" is not the name of an image');
	});

	test('a program that is not there fails in the words of the engine', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({launch: programAlone, args: ['/bin/does-not-exist']}));
		const failed = await host.until('failed');
		expect(failed?.status_msg).toContain('does-not-exist');
	});
});

describe.skipIf(isSkipped)(`finding containers again${shown}`, patient, () => {
	test('what runs goes on when the agent ends, and is found again with its door', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({api_key: 'its key'}));
		await host.until('running');
		const port = host.port();
		await host.ssh('echo kept > /tmp/file');
		await host.reopen();
		const held = await host.runtime.adopt([host.work({api_key: null})]);
		expect(held).toEqual(new Map([[7, {boot: 1, container: 1, isStarted: true}]]));
		await host.until('running');
		expect(host.port()).toBe(port);
		const {out} = await host.ssh('cat /tmp/file; echo $CONTAINER_API_KEY');
		expect(out).toBe('kept\nits key\n');
	});

	test('one that ended while no agent was there is told of', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		await host.reopen();
		const all = await host.engine.ask({method: 'GET', path: '/containers/json'});
		for (const one of listOf(all)) {
			const path = `/containers/${textAt(one, 'Id')}/kill`;
			await host.engine.ask({method: 'POST', path});
		}
		await host.runtime.adopt([host.work()]);
		expect((await host.until('exited'))?.status_msg).toBe('Its program ended with code 137.');
	});

	test('instance 0, whose record is lost, goes where nobody wants it', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({instance_id: 0}));
		await host.until('running');
		await host.reopen();
		rmSync(join(host.folder, 'instances'), {recursive: true});
		expect(await host.runtime.adopt([])).toEqual(new Map([[0, expect.anything()]]));
		await host.runtime.remove(0);
		const query = {all: 'true'};
		const left = await host.engine.ask({method: 'GET', path: '/containers/json', query});
		expect(left).toEqual([]);
	});
});

const hostKeyOf = async (folder: string) => (await readRecord(siteOf(folder, 7).record))?.hostKey;

describe.skipIf(isSkipped)(`making and starting containers anew${shown}`, patient, () => {
	test('a container that is made anew keeps its API key, also when the agent was started anew', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({api_key: 'its key'}));
		await host.until('running');
		await host.reopen();
		await host.runtime.adopt([host.work({api_key: null})]);
		await host.runtime.remove(7, true);
		host.told.length = 0;
		await host.runtime.start(host.work({boot: 2, container: 2, api_key: null}));
		await host.until('running');
		expect((await host.ssh('echo $CONTAINER_API_KEY')).out).toBe('its key\n');
	});

	test('the API key outlives an agent that ends between removing a container and starting the next', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({api_key: 'its key'}));
		await host.until('running');
		const hostKey = await hostKeyOf(host.folder);
		await host.runtime.remove(7, true);
		await host.reopen();
		const next = host.work({boot: 2, container: 2, api_key: null});
		expect(await host.runtime.adopt([next])).toEqual(new Map());
		await host.runtime.start(next);
		await host.until('running');
		expect((await host.ssh('echo $CONTAINER_API_KEY')).out).toBe('its key\n');
		expect(await hostKeyOf(host.folder)).toBe(hostKey);
		await host.runtime.remove(7);
		expect(existsSync(siteOf(host.folder, 7).own)).toBe(false);
	});

	test('one that ended with the machine is to be started again, with its files', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		await host.ssh('echo kept > /tmp/file');
		await host.machineEnds();
		const held = await host.runtime.adopt([host.work()]);
		expect(held).toEqual(new Map([[7, {boot: 1, container: 1, isStarted: false}]]));
		expect(host.told).toEqual([]);
		await host.runtime.start(host.work());
		await host.until('running');
		expect((await host.ssh('cat /tmp/file')).out).toBe('kept\n');
	});

	test('what is no longer wanted and had no container yet leaves no folder', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({instance_id: 8, image: 'localhost:1/none:1'}));
		await expect.poll(() => host.told.length, waiting).toBeGreaterThan(1);
		await host.reopen();
		expect(await host.runtime.adopt([])).toEqual(new Map());
		expect(readdirSync(join(host.folder, 'instances'))).toEqual([]);
	});
});

describe.skipIf(isSkipped)(`what is asked about containers${shown}`, patient, () => {
	test('logs are what it wrote: the last lines, and those with a text', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({onstart: 'for i in 1 2 3 12; do echo line $i; done'}));
		await host.until('running');
		const log = async (task: Partial<HostTask>) => host.runtime.logs(taskOf(task));
		await expect.poll(async () => log({tail: 1}), waiting).toBe('onstart ended with 0\n');
		expect(await log({filter: '2'})).toBe('line 2\nline 12\n');
		expect(await log({filter: '2', tail: 1})).toBe('line 12\n');
		expect(await log({tail: 0})).toBe('');
		expect(await log({daemon_logs: true})).toContain('Creating container');
	});

	test('files are looked at and removed while it runs, and while it stands still', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({onstart: 'echo 1 > one; echo 2 > two'}));
		await host.until('running');
		const run = async (command: string) => host.runtime.execute(taskOf({kind: 'execute', command}));
		await expect.poll(async () => run('ls'), waiting).toBe('of-the-image\none\nonstart.sh\ntwo\n');
		expect(await run('cat one')).toBe('cat: command not found\n');
		await host.runtime.stop(7);
		expect(await run('rm one nothing')).toMatch(/can't remove 'nothing'/);
		expect(await run('ls')).toBe('of-the-image\nonstart.sh\ntwo\n');
	});

	test('files that are looked at twice at once while it stands still are both told', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		await host.runtime.stop(7);
		const look = async () => host.runtime.execute(taskOf({kind: 'execute', command: 'ls'}));
		const said = 'of-the-image\n';
		expect(await Promise.all([look(), look()])).toEqual([said, said]);
	});

	test('what a killed agent left looking at files ends with the next one, and keeps no instance', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		await host.runtime.stop(7);
		const {promise: looks, resolve: look} = Promise.withResolvers<void>();
		host.hear(async ({path}) => {
			if (!path.includes('look') || !path.endsWith('/wait')) return;
			look();
			await new Promise(() => undefined);
		});
		void host.runtime.execute(taskOf({kind: 'execute', command: 'ls /'}));
		await looks;
		host.hear(async () => undefined);
		await host.reopen();
		const list = async () =>
			listOf(
				await host.engine.ask({method: 'GET', path: '/containers/json', query: {all: 'true'}}),
			);
		expect(await list()).toHaveLength(2);
		await host.runtime.adopt([]);
		expect(await list()).toHaveLength(1);
		await host.runtime.remove(7);
		expect(await list()).toHaveLength(0);
	});

	test('a volume outlives the instances that it is mounted in', async () => {
		await using host = await openHost();
		const volume = {volume_id: 5, machine_id: 1, size: 10};
		const mounts = [{volume_id: 5, mount_path: '/data', size: 10}];
		await host.runtime.keepVolume({...volume, wanted: 'kept'});
		await host.runtime.start(host.work({mounts}));
		await host.until('running');
		await host.ssh('echo kept > /data/file');
		await host.runtime.remove(7);
		host.told.length = 0;
		await host.runtime.start(host.work({instance_id: 8, mounts}));
		await host.until('running');
		expect((await host.ssh('cat /data/file')).out).toBe('kept\n');
		await host.runtime.remove(8);
		expect(await host.runtime.listVolumes()).toEqual([5]);
		await host.runtime.removeVolume(5);
		expect(await host.engine.ask({method: 'GET', path: '/volumes'})).toMatchObject({Volumes: []});
	});
});
