import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	groupsIn,
	removeGroups,
	handDown,
	treeFolders,
} from '../../../source/host/sandbox/control-groups.ts';
import {resourceLimits} from '../../../source/host/sandbox/resource-limits.ts';
import {openFolder} from '../../helpers/folder.ts';

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
