/** Disks of an earlier agent, which one that makes none must mount all the same. */
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import {sentenceOf} from '../../../source/contract/rules/thrown.ts';
import {newRecord, writeRecord} from '../../../source/host/instance/record.ts';
import {findInstanceLimits} from '../../../source/host/sandbox/control-groups.ts';
import {isMounted} from '../../../source/host/sandbox/folders.ts';
import {
	closeVolumes,
	listVolumes,
	makeVolume,
	removeVolumeDisk,
} from '../../../source/host/sandbox/volumes.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noDisks, noProcesses, noSandbox, openLocalWorld} from '../../helpers/host/local-host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {waitFor} from '../../helpers/wait-for.ts';

const volume = {volume_id: 3, machine_id: 1, wanted: 'kept', size: 1} as const;
const mounts = [{volume_id: 3, mount_path: '/data', size: 1}];
const reason = 'Its disk cannot be mounted on this machine';

function sleeping(work: Partial<Work> = {}): Work {
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	return workOf({launch, args: ['sleep', '60'], ...work});
}

test.skipIf(noProcesses !== undefined)(
	'what has a disk that cannot be mounted is not begun on a bare folder, and says why',
	async () => {
		using folder = openFolder();
		const scheduler = createHandScheduler();
		await using world = await openLocalWorld({folder: folder.path, scheduler});
		const {runtime} = world;
		// Images that nobody can mount.
		mkdirSync(join(folder.path, 'volumes', '3'), {recursive: true});
		writeFileSync(join(folder.path, 'volumes', '3.image'), 'not a disk');
		mkdirSync(world.own(7), {recursive: true});
		writeFileSync(join(world.own(7), 'disk.image'), 'not a disk');
		await writeRecord(join(world.own(7), 'instance.json'), {
			...newRecord(),
			boot: 1,
			container: 1,
			isStarted: true,
		});

		expect(await runtime.keepVolume(volume).then(() => 'kept', sentenceOf)).toContain(reason);
		// The machine's other instances are taken over.
		const held = await runtime.adopt([sleeping()]);
		expect(held.get(7)).toMatchObject({boot: 1, isStarted: false});
		await runtime.start(sleeping());
		await runtime.start(sleeping({instance_id: 8, mounts}));
		for (const id of [7, 8]) {
			expect(world.last(id)).toMatchObject({status: 'loading'});
			expect(world.last(id)?.status_msg).toContain(reason);
			expect(world.last(id)?.status_msg).not.toContain(folder.path);
		}
		expect(existsSync(join(world.own(7), 'home'))).toBe(false);
		await runtime.remove(7);
		await runtime.remove(8);
		await runtime.removeVolume(3);
		expect(existsSync(join(folder.path, 'volumes', '3.image'))).toBe(false);
	},
);

test.skipIf((noSandbox ?? noDisks) !== undefined)(
	'a volume with a disk of its own is mounted by an agent that makes no disks',
	async () => {
		using folder = openFolder();
		const shared = {gpus: 0, processors: 1, memoryBytes: 256 * 1024 * 1024};
		const file = join(folder.path, 'volumes', '3', 'weights');
		{
			await using world = await openLocalWorld({folder: folder.path, kind: 'sandbox', shared});
			await world.runtime.keepVolume(volume);
			writeFileSync(file, 'a week of training');
		}
		// As the end of the machine does.
		await closeVolumes(folder.path);
		expect(existsSync(file)).toBe(false);
		await using world = await openLocalWorld({folder: folder.path});
		// The kernel takes a moment to give up the loop device.
		await waitFor(async () => world.runtime.keepVolume(volume));
		expect(readFileSync(file, 'utf8')).toBe('a week of training');
		await world.runtime.removeVolume(3);
	},
);

test.skipIf((noSandbox ?? noDisks) !== undefined)(
	'a volume that is wanted twice at once is one disk, and no bare folder to either',
	async () => {
		using folder = openFolder();
		const limits = await findInstanceLimits(folder.path, 0);
		const make = async () => {
			const made = await makeVolume({folder: folder.path, limits}, 3, 1);
			return isMounted(made);
		};
		expect(await Promise.all([make(), make(), make()])).toEqual([true, true, true]);
		await removeVolumeDisk(folder.path, 3);
		expect(readdirSync(join(folder.path, 'volumes'))).toEqual([]);
	},
);

test.skipIf((noSandbox ?? noDisks) !== undefined)(
	'a volume whose disk cannot be made now gets one later, and leaves nothing half-made',
	async () => {
		using folder = openFolder();
		const limits = await findInstanceLimits(folder.path, 0);
		const volumes = {folder: folder.path, limits};
		// As of an agent that is killed in the middle: the image is never done.
		const draft = join(folder.path, 'volumes', '3.image.new');
		mkdirSync(draft, {recursive: true});
		await expect(makeVolume(volumes, 3, 1)).rejects.toThrow('3.image.new');
		expect(await listVolumes(folder.path)).toEqual([3]);
		rmSync(draft, {recursive: true});
		expect(await isMounted(await makeVolume(volumes, 3, 1))).toBe(true);
		await removeVolumeDisk(folder.path, 3);
		writeFileSync(draft, '');
		expect(await listVolumes(folder.path)).toEqual([3]);
		await removeVolumeDisk(folder.path, 3);
		expect(await listVolumes(folder.path)).toEqual([]);
	},
);
