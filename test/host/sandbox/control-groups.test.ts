import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {
	groupsIn,
	removeGroups,
	handDown,
	treeFolders,
} from '../../../source/host/sandbox/control-groups.ts';
import {resourceLimits} from '../../../source/host/sandbox/resource-limits.ts';
import {readRecord} from '../../../source/host/instance/record.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {openFolder} from '../../helpers/folder.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noGroups, noSandbox, openLocalWorld} from '../../helpers/host/local-host.ts';

const GB = 1024 ** 3;

test('groups of both versions are found where they are mounted, the own one first', () => {
	const hybrid = [
		'33 31 0:30 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct',
		'35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
		'36 31 0:33 / /sys/fs/cgroup/devices rw,relatime - cgroup cgroup rw,devices',
		'40 31 0:40 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
	].join('\n');
	const own = '4:memory:/jobs/one\n2:cpu,cpuacct:/\n0::/unit\n';
	expect(treeFolders(hybrid, own)).toEqual([
		{version: 1, folders: ['/sys/fs/cgroup/cpu'], controllers: ['processors']},
		{
			version: 1,
			folders: ['/sys/fs/cgroup/memory/jobs/one', '/sys/fs/cgroup/memory'],
			controllers: ['memory'],
		},
		{
			version: 2,
			folders: ['/sys/fs/cgroup/unified/unit', '/sys/fs/cgroup/unified'],
			controllers: [],
		},
	]);
});

test.each([
	['/unit/rentty-agent', ['/sys/fs/cgroup/unit', '/sys/fs/cgroup']],
	['/unit/rentty-agent/rentty-agent', ['/sys/fs/cgroup/unit', '/sys/fs/cgroup']],
	['/rentty-agent', ['/sys/fs/cgroup']],
])('an agent in %s makes groups beside its own, as the one before did', (path, folders) => {
	const mounts = '40 31 0:40 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw';
	expect(treeFolders(mounts, `0::${path}\n`)).toEqual([{version: 2, folders, controllers: []}]);
});

test.skipIf((noSandbox ?? noGroups) !== undefined)(
	'what runs stays in its groups, where the next agent would make others',
	async () => {
		using folder = openFolder();
		using tree = openTree();
		const shared = {gpus: 0, processors: 1, memoryBytes: 256 * 1024 * 1024};
		const controllers = ['processes'] as const;
		/** Limits of an agent that makes its groups in a folder. */
		const limitsIn = (place: string) => ({
			groups: groupsIn([{version: 1, folder: place, controllers}]),
			machine: shared,
			hasDisks: false,
		});
		const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
		const work = workOf({launch, args: ['sleep', '60']});
		const groups = async () => (await readRecord(siteOf(folder.path, 7).record))?.groups ?? [];
		const [one, other] = tree.folders;
		const given = {folder: folder.path, kind: 'sandbox'} as const;
		{
			await using world = await openLocalWorld({...given, limits: limitsIn(one)});
			await world.runtime.start(work);
		}
		const before = await groups();
		expect(before.map(group => dirname(group))).toEqual([one]);
		await using world = await openLocalWorld({...given, limits: limitsIn(other)});
		await world.runtime.adopt([work]);
		expect(await groups()).toEqual(before);
		await world.runtime.stop(7);
		await world.runtime.start({...work, boot: 2});
		expect((await groups()).map(group => dirname(group))).toEqual([other]);
		await world.runtime.remove(7);
		expect(tree.left()).toEqual([]);
	},
);

/** Two groups of the kernel, for agents that are in other places. */
function openTree() {
	const [mounts, own] = ['mountinfo', 'cgroup'].map(name =>
		readFileSync(`/proc/self/${name}`, 'utf8'),
	);
	const found = treeFolders(mounts ?? '', own ?? '').find(({version, controllers}) => {
		return version === 1 && controllers.includes('processes');
	});
	const above = mkdtempSync(join(found?.folders.at(-1) ?? '', 'rentty-test-'));
	const folders = [join(above, 'one'), join(above, 'other')] as const;
	for (const one of folders) mkdirSync(one);
	return {
		folders,
		left: () => folders.flatMap(one => readdirSync(one).filter(name => name.startsWith('rentty-'))),
		[Symbol.dispose]() {
			for (const one of [...folders, above]) rmdirSync(one);
		},
	};
}

test('a group of the second version hands down what it has', async () => {
	using folder = openFolder();
	writeFileSync(join(folder.path, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
	writeFileSync(join(folder.path, 'cgroup.subtree_control'), 'memory \npids cpu ');
	expect(await handDown(folder.path)).toEqual(['memory', 'processes', 'processors']);
	writeFileSync(join(folder.path, 'cgroup.controllers'), 'hugetlb\n');
	expect(await handDown(folder.path)).toEqual([]);
});

test('limits of the second version are what was rented, without swap', async () => {
	using folder = openFolder();
	const own = join(folder.path, 'rentty-one');
	mkdirSync(own);
	for (const file of ['memory.max', 'memory.swap.max', 'pids.max', 'cpu.max']) {
		writeFileSync(join(own, file), '');
	}
	const controllers = ['memory', 'processes', 'processors'] as const;
	const groups = groupsIn([{version: 2, folder: folder.path, controllers}]);
	const machine = {gpus: 4, processors: 10, memoryBytes: 8 * GB};
	expect(await groups.make('one', resourceLimits(machine, {gpu_ids: [3]}))).toEqual([own]);
	const written = ['memory.max', 'memory.swap.max', 'pids.max', 'cpu.max'].map(file =>
		readFileSync(join(own, file), 'utf8'),
	);
	expect(written).toEqual([String(2 * GB), '0', '1536', '250000 100000']);
});

test('a machine without GPUs is rented as a whole', () => {
	const machine = {gpus: 0, processors: 2, memoryBytes: GB};
	expect(resourceLimits(machine, {gpu_ids: []})).toEqual({
		memoryBytes: GB,
		processors: 2,
		processes: 1024,
		sharedMemoryBytes: GB / 2,
	});
});

test('groups that are not there are removed', async () => {
	using folder = openFolder();
	mkdirSync(join(folder.path, 'one'));
	await removeGroups([join(folder.path, 'one'), join(folder.path, 'two')]);
	await expect(removeGroups([join(folder.path, 'one')])).resolves.toBeUndefined();
});
