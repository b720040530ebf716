/** Whoever rents a share of a machine, and tries to use more of it than that. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import type {Work} from '../../source/contract/nouns/host-work.ts';
import {isMounted} from '../../source/host/sandbox/folders.ts';
import {membersOf} from '../../source/host/sandbox/ending.ts';
import {readRecord} from '../../source/host/instance/record.ts';
import {workOf} from '../helpers/host/host.ts';
import {
	noDisks,
	noGroups,
	noProcesses,
	noSandbox,
	openLocalWorld,
} from '../helpers/host/local-host.ts';
import {waitFor} from '../helpers/wait-for.ts';

const problem = noProcesses ?? noSandbox ?? noGroups;
const options = {skip: problem !== undefined};
const withDisks = {skip: (problem ?? noDisks) !== undefined};

const MB = 1024 * 1024;
const shared = {gpus: 0, processors: 1, memoryBytes: 256 * MB};

function lineOf(line: string, work: Partial<Work> = {}): Work {
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	return workOf({launch, args: ['bash', '-c', line], disk: 1, ...work});
}

const openWorld = async (folder?: string) =>
	openLocalWorld({kind: 'sandbox', shared, graceMs: 0, ...(folder !== undefined && {folder})});

const hog = (megabytes: number) =>
	`head -c ${megabytes}m /dev/zero | tail >/dev/null; echo "hog $?" > hog`;

test(
	'more processes than were rented cannot be had, and a neighbour has its own',
	options,
	async () => {
		await using world = await openWorld();
		const many = 'for i in $(seq 1500); do sleep 60 & done 2>errors; jobs -p | wc -l > count; wait';
		await world.runtime.start(lineOf(many));
		const {groups = []} = (await readRecord(join(world.own(7), 'instance.json'))) ?? {};
		const members = async () => (await membersOf({mark: 'NONE=1', groups})).length;
		await expect.poll(members).toBeGreaterThan(400);
		await world.runtime.start(lineOf('echo alive > alive; sleep 60', {instance_id: 8}));
		const alive = join(world.own(8), 'home', 'alive');
		await waitFor(() => expect(existsSync(alive)).toBe(true));
		expect(await members()).toBeLessThanOrEqual(512);
		await world.runtime.stop(7);
		expect(await members()).toBe(0);
	},
);

test('whoever takes too much memory is ended, and nobody else', options, async () => {
	await using world = await openWorld();
	await world.runtime.start(lineOf('echo $$ > pid; sleep 60', {instance_id: 8}));
	await world.runtime.start(lineOf(`${hog(100)}; cp hog little; ${hog(400)}; sleep 60`));
	expect(await world.reads('little')).toBe('hog 0');
	await expect.poll(async () => world.reads('hog')).toBe('hog 137');
	expect(world.last(7)?.status).toBe('running');
	expect(world.last(8)?.status).toBe('running');
});

test('files in memory are bounded, and count as memory', options, async () => {
	await using world = await openWorld();
	const fill = 'head -c 300m /dev/zero > /dev/shm/file; stat -c %s /dev/shm/file > size; sleep 60';
	await world.runtime.start(lineOf(fill));
	const size = Number(await world.reads('size'));
	expect(size).toBeLessThanOrEqual(shared.memoryBytes / 2);
	expect(size).toBeGreaterThan(0);
});

test('a full disk is full inside alone, home, volume and log', withDisks, async () => {
	await using world = await openWorld();
	const mounts = [{volume_id: 3, mount_path: '/data', size: 0.1}];
	const fill = 'for f in ~/f /workspace/f /tmp/f /data/f; do head -c 2G /dev/zero > $f; done';
	const work = lineOf(
		`${fill}; du -smc ~ /workspace /tmp | tail -1 > /dev/stderr; echo end; sleep 60`,
		{mounts},
	);
	await world.runtime.start(work);
	const volume = join(world.folder, 'volumes', '3', 'f');
	await waitFor(() => expect(existsSync(volume)).toBe(true));
	const sizes = ['home/f', 'workspace/f', 'tmp/f'].map(name => {
		const file = join(world.own(7), name);
		return existsSync(file) ? statSync(file).size : 0;
	});
	const total = sizes.reduce((sum, size) => sum + size, 0);
	expect(total).toBeGreaterThan(0.9e9);
	expect(total).toBeLessThan(1.2e9);
	await world.runtime.start(lineOf('echo alive > ~/alive; sleep 60', {instance_id: 8}));
	const alive = join(world.own(8), 'home', 'alive');
	await waitFor(() => expect(readFileSync(alive, 'utf8')).toBe('alive\n'));
	const {disk} = {disk: join(world.own(7), 'disk')};
	expect(await isMounted(disk)).toBe(true);
	await world.runtime.remove(7);
	expect([await isMounted(disk), existsSync(disk)]).toEqual([false, false]);
	await world.runtime.removeVolume(3);
	expect(existsSync(volume)).toBe(false);
});

test(
	'an agent that was killed finds limits and disks again, and takes them away',
	withDisks,
	async () => {
		await using world = await openWorld();
		const work = lineOf('echo > up; sleep 60');
		const agent = spawn(
			process.execPath,
			[join(import.meta.dirname, '..', 'helpers', 'host', 'killed-agent.ts'), world.folder],
			{
				stdio: ['pipe', 'pipe', 'inherit'],
			},
		);
		agent.stdin.end(JSON.stringify(work));
		await once(agent.stdout, 'data');
		agent.kill('SIGKILL');
		await once(agent, 'exit');
		const {groups = []} = (await readRecord(join(world.own(7), 'instance.json'))) ?? {};
		expect(groups.map(group => existsSync(group))).toEqual([true, true, true]);
		const members = await membersOf({mark: 'NONE=1', groups});
		expect(members.length).toBeGreaterThan(0);
		const held = await world.runtime.adopt([work]);
		expect(held.get(7)?.isStarted).toBe(true);
		expect(world.last()?.status).toBe('running');
		const limit = readFileSync(join(groups[0] ?? '', limitFile(groups[0])), 'utf8').trim();
		expect(limit).not.toBe('max');
		await world.runtime.remove(7);
		expect(groups.map(group => existsSync(group))).toEqual([false, false, false]);
		expect(await isMounted(join(world.own(7), 'disk'))).toBe(false);
		expect(existsSync(world.own(7))).toBe(false);
	},
);

/** The files of both versions, by what is there. */
function limitFile(group = ''): string {
	const names = ['memory.max', 'memory.limit_in_bytes', 'pids.max', 'cpu.cfs_quota_us'];
	return names.find(name => existsSync(join(group, name))) ?? '';
}
