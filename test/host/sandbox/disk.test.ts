import {spawnSync} from 'node:child_process';
import {
	closeSync,
	mkdirSync,
	openSync,
	readdirSync,
	rmSync,
	statfsSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import {largestDisk} from '../../../source/host/sandbox/folders.ts';
import {diskTrouble} from '../../../source/host/instance/rounds.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noDisks, noProcesses, noSandbox, openLocalWorld} from '../../helpers/host/local-host.ts';
import {openFolder} from '../../helpers/folder.ts';
import {skipFor} from '../../helpers/missing.ts';

/** A small disk of its own, for as long as a test runs; undefined where none may be mounted. */
function openSmallDisk(megabytes: number) {
	const folder = openFolder();
	const size = `size=${megabytes}m`;
	const isMounted =
		spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder.path]).status === 0;
	return {
		path: isMounted ? folder.path : undefined,
		[Symbol.dispose]() {
			if (isMounted) spawnSync('umount', ['-l', folder.path]);
			folder[Symbol.dispose]();
		},
	};
}

function mayMount(): boolean {
	using disk = openSmallDisk(1);
	return disk.path !== undefined;
}

const problem = skipFor(noProcesses ?? (mayMount() ? undefined : 'no disk may be mounted here'));
const shown = problem === undefined ? '' : ` (skipped: ${problem})`;

/** Writes until nothing more fits. */
function fill(file: string): void {
	const handle = openSync(file, 'w');
	const part = Buffer.alloc(1024 * 1024);
	try {
		for (;;) writeSync(handle, part);
	} catch {
		closeSync(handle);
	}
}

function sleeping(work: Partial<Work> = {}): Work {
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	return workOf({launch, args: ['sleep', '60'], ...work});
}

test.skipIf(problem !== undefined)(
	`a full disk is told of, and waited for by nobody${shown}`,
	async () => {
		using disk = openSmallDisk(100);
		const folder = join(disk.path ?? '', 'host');
		mkdirSync(folder);
		const scheduler = createHandScheduler();
		await using world = await openLocalWorld({folder, scheduler});
		const {runtime} = world;
		await runtime.start(sleeping());
		writeFileSync(join(world.own(7), 'home', 'data'), Buffer.alloc(20_000_000));
		/** What is told when some time has passed. */
		const told = async () => {
			await scheduler.pass(2);
			return world.reports.at(-1);
		};
		await expect.poll(async () => (await told())?.usage?.disk_usage).toBeGreaterThanOrEqual(0.02);
		expect(world.last()?.status_msg).toContain('success');

		const file = join(disk.path ?? '', 'full');
		fill(file);
		const full = "The machine's disk is full";
		await expect.poll(async () => (await told())?.status_msg).toContain(full);
		await runtime.start(sleeping({instance_id: 8}));
		expect(world.last(8)).toMatchObject({status: 'loading'});
		expect(world.last(8)?.status_msg).toContain('ENOSPC');
		await runtime.remove(7);
		rmSync(file);
		const next = async () => {
			await scheduler.pass(2);
			return world.last(8)?.status;
		};
		await expect.poll(next).toBe('running');
		await runtime.remove(8);
	},
);

/** The largest file of this machine's usual file system has 16 TiB. */
const isExt4 = statfsSync(tmpdir()).type === 0xef53;
const noBound =
	noSandbox ?? noDisks ?? skipFor(isExt4 ? undefined : 'files have no bound on this file system');

test.skipIf(noBound !== undefined)(
	'a disk that no file can hold is refused with a sentence, and is not offered',
	async () => {
		const shared = {gpus: 0, processors: 1, memoryBytes: 256 * 1024 * 1024};
		await using world = await openLocalWorld({kind: 'sandbox', shared});
		const largest = await largestDisk(world.folder, 40e12);
		expect(largest).toBeGreaterThan(16e12);
		expect(largest).toBeLessThan(17e12);
		expect(await largestDisk(world.folder, 1e12)).toBe(1e12);
		for (const disk of [17_000, 1e9]) {
			await world.runtime.start(sleeping({disk}));
			expect(world.last()).toMatchObject({status: 'failed'});
			expect(world.last()?.status_msg).toBe(
				`This machine has no disk of ${disk} GB for one instance or volume: none of its files can be so large. Nothing runs, and its disk costs until you destroy it: rent a smaller one.`,
			);
			await world.runtime.remove(7);
		}
		expect(readdirSync(world.folder).filter(name => name.startsWith('trial-'))).toEqual([]);
	},
);

test('what is used beyond what was rented is said, and nothing where all is well', () => {
	const told = [15.9e9, 17e9, undefined].map(diskBytes =>
		diskTrouble(1e9, {diskBytes, diskRented: 16}),
	);
	const tooMuch = 'It uses 17.0 GB of the 16 GB of disk that were rented.';
	expect(told).toEqual([undefined, tooMuch, undefined]);
});
