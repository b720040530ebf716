/** Whoever rents a sandbox, and tries to reach the machine from it. */
import {chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Work} from '../../source/contract/nouns/host-work.ts';
import {isProcessRunning, listProcesses} from '../../source/host/machine/processes.ts';
import {readRecord} from '../../source/host/instance/record.ts';
import {workOf} from '../helpers/host/host.ts';
import {noProcesses, noSandbox, openLocalWorld} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {waitFor} from '../helpers/wait-for.ts';

const problem = noProcesses ?? noSandbox;
const options = {skip: problem !== undefined};
const ssh = {skip: problem !== undefined || noOpenSsh !== undefined};

function lineOf(line: string, work: Partial<Work> = {}): Work {
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	return workOf({launch, args: ['sh', '-c', line], ...work});
}

test('variables that name programs and libraries do nothing on the machine', ssh, async () => {
	using folder = openFolder();
	using user = openSshUser();
	const key = user.makeKey('mine');
	const traces = join(folder.path, 'traces');
	await using world = await openLocalWorld({kind: 'sandbox'});
	// What a renter can know of the machine is where its home is: a program lies there from before.
	const home = join(world.own(7), 'home');
	mkdirSync(home, {recursive: true});
	for (const name of ['bwrap', 'sh', 'rm', 'mv', 'nsenter', 'bash']) {
		const file = join(home, name);
		writeFileSync(file, `#!/bin/bash\necho ${name} >> ${traces}\n`);
		chmodSync(file, 0o755);
	}
	const script = join(home, 'script');
	writeFileSync(script, `echo sourced >> ${traces}\n`);
	const env: Work['env'] = [
		['PATH', `${home}:/usr/bin:/bin:.`],
		['LD_PRELOAD', join(home, 'library.so')],
		['ENV', script],
		['BASH_ENV', script],
		['SECRET', 'only-inside'],
	];
	const onstart = 'echo "$PATH $LD_PRELOAD $SECRET" > seen';
	await world.runtime.start(workOf({env, onstart, public_keys: [key.publicKey]}));
	expect(await world.reads('seen')).toBe(
		`${home}:/usr/bin:/bin:. ${join(home, 'library.so')} only-inside`,
	);
	const port = Number(world.last()?.access?.ssh_port);
	expect((await user.ssh(port, key.file, ['echo $SECRET'])).out).toBe('only-inside\n');
	await world.runtime.execute({id: 1, instance_id: 7, kind: 'execute', command: 'ls'});
	await world.runtime.stop(7);
	expect(existsSync(traces)).toBe(false);
});

test('variables are in no list of processes and in no environment outside', options, async () => {
	await using world = await openLocalWorld({kind: 'sandbox'});
	const env: Work['env'] = [['SECRET', 'only-inside-4711']];
	await world.runtime.start(lineOf('echo $SECRET > seen; sleep 60', {env}));
	expect(await world.reads('seen')).toBe('only-inside-4711');
	const outside = (await listProcesses()).filter(({name}) => name === 'bwrap' || name === 'sh');
	const words = (await listProcesses()).map(({pid}) => commandLine(pid));
	expect(words.filter(line => line.includes('only-inside-4711'))).toEqual([]);
	const environments = outside.filter(one => one.name === 'bwrap').flatMap(one => one.environment);
	expect(environments).not.toContain('SECRET=only-inside-4711');
	expect(environments.filter(one => one.startsWith('RENTTY_ROOM='))).not.toEqual([]);
});

function commandLine(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
	} catch {
		return '';
	}
}

const volume = {mounts: [{volume_id: 3, mount_path: '/root/deep/data', size: 1}]};

test('a volume within home is mounted apart, and outlives the instance', options, async () => {
	await using world = await openLocalWorld({kind: 'sandbox'});
	const line = 'echo kept > deep/data/file; cat /run/volumes/3/file > seen; sleep 60';
	await world.runtime.start(lineOf(line, volume));
	expect(await world.reads('seen')).toBe('kept');
	await world.runtime.remove(7);
	expect(readFileSync(join(world.folder, 'volumes', '3', 'file'), 'utf8')).toBe('kept\n');
});

test('a mount point that was replaced by a link makes nothing on the machine', ssh, async () => {
	using user = openSshUser();
	using target = openFolder();
	const key = user.makeKey('mine');
	await using world = await openLocalWorld({kind: 'sandbox'});
	const work = workOf({...volume, public_keys: [key.publicKey]});
	const replace = `rm -rf deep; ln -s /oldroot${target.path} deep`;
	await world.runtime.start({...work, onstart: `${replace}; echo > done`});
	await world.reads('done');
	await waitFor(() => expect(existsSync(join(world.own(7), 'home', 'done'))).toBe(true));
	const port = Number(world.last()?.access?.ssh_port);
	const entered = await user.ssh(port, key.file, ['ls -d /run/volumes/3; readlink deep']);
	expect(entered.out).toBe(`/run/volumes/3\n/oldroot${target.path}\n`);
	await world.runtime.stop(7);
	symlinkSync(target.path, join(world.own(7), 'home', 'other'));
	await world.runtime.start({
		...work,
		boot: 2,
		onstart: 'ls -d /run/volumes/* > again',
		mounts: [...volume.mounts, {volume_id: 4, mount_path: '/root/other/made', size: 1}],
	});
	expect(await world.reads('again')).toBe('/run/volumes/3\n/run/volumes/4');
	expect(existsSync(join(target.path, 'data'))).toBe(false);
	expect(existsSync(join(target.path, 'made'))).toBe(false);
});

test.each(['/proc/self/root/oldroot', '/dev/fd', '/etc', '/usr/bin', '/'])(
	'a volume at %s is mounted apart',
	options,
	async path => {
		using target = openFolder();
		await using world = await openLocalWorld({kind: 'sandbox'});
		const mounts = [{volume_id: 3, mount_path: join(path, target.path), size: 1}];
		await world.runtime.start(lineOf('ls -d /run/volumes/* > seen; sleep 60', {mounts}));
		expect(await world.reads('seen')).toBe('/run/volumes/3');
	},
);

test('what is private on the machine is not seen inside', options, async () => {
	await using world = await openLocalWorld({kind: 'sandbox'});
	const looks = ['/etc/ssl', '/sys', '/etc'].map(path => `ls ${path} >> seen`).join('; ');
	await world.runtime.start(lineOf(`${looks}; echo end >> seen; sleep 60`));
	await waitFor(async () => expect(await world.reads('seen')).toContain('end'));
	const seen = (await world.reads('seen')).split('\n');
	for (const name of ['private', 'firmware', 'kernel', 'fs', 'shadow', 'ssh', 'hostname']) {
		expect(seen).not.toContain(name);
	}
	expect(seen).toContain('certs');
});

test(
	'neither processes, nor devices, nor the rights of others are had inside',
	options,
	async () => {
		await using world = await openLocalWorld({kind: 'sandbox'});
		await world.runtime.start(lineOf('sleep 60', {instance_id: 8}));
		const {root} = (await readRecord(join(world.own(8), 'instance.json'))) ?? {};
		const line = [
			'ls /proc | grep -c "^[0-9]" > processes',
			`kill -9 ${root?.pid} 2>/dev/null && echo killed >> seen`,
			'mknod device b 7 0 2>/dev/null && echo device >> seen',
			'mount -t tmpfs none /mnt 2>/dev/null && echo mounted >> seen',
			'chown 1000 processes 2>/dev/null && echo owner >> seen',
			'echo x > /usr/file 2>/dev/null && echo usr >> seen',
			'for f in sys/kernel/core_pattern sys/kernel/modprobe sysrq-trigger irq/default_smp_affinity; do test -w /proc/$f && echo $f >> seen; done',
			'cat /proc/kcore /proc/kmsg /proc/slabinfo /proc/vmallocinfo 2>/dev/null | head -c 9 >> seen',
			'ls /dev/kmsg /dev/mem /dev/loop0 /dev/vda 2>/dev/null >> seen',
			'grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status >> seen',
		];
		await world.runtime.start(lineOf(`${line.join('; ')}; echo end >> seen; sleep 60`));
		await waitFor(async () => expect(await world.reads('seen')).toContain('end'));
		const none = '0000000000000000';
		expect(await world.reads('seen')).toBe(
			`CapEff:\t${none}\nCapBnd:\t${none}\nNoNewPrivs:\t1\nend`,
		);
		expect(Number(await world.reads('processes'))).toBeLessThan(8);
		expect(root !== undefined && (await isProcessRunning(root))).toBe(true);
	},
);
