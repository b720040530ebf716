import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/** Where a program is; undefined where it is not installed. */
export function programNamed(name: string): string | undefined {
	// A shim by this name needs more than itself.
	const asked = name === 'python3' ? "python3 -c 'import sys;print(sys.executable)'" : '';
	const line = asked === '' ? `command -v ${name}` : asked;
	const {stdout, status} = spawnSync('/bin/sh', ['-c', line], {encoding: 'utf8'});
	return status === 0 ? stdout.trim() : undefined;
}

/** What of a machine scripts need to be there at all. */
const tools = 'sh mkdir rm cat grep sed tr cut mv timeout date touch'.split(' ');

/** Where the use of processors is counted: in a control group of either version, or nowhere but with each process. */
export const countsOf = ['version 2', 'version 1', 'processes'] as const;
export type CountsOf = (typeof countsOf)[number];

/** Seconds between the looks of a watchdog, which are those of the hand that lets time pass. */
export const LOOK_SECONDS = 0.05;

/** Sleeps until the uptime is another than the last look saw, or there is a change to learn of. */
function sleeping(root: string): string {
	const real = programNamed('sleep') ?? 'sleep';
	return `#!/bin/sh
[ "$1" = ${LOOK_SECONDS} ]||exec ${real} "$@"
i=0;until [ -f n ]||[ $i = 200 ]||! grep -q "p=$(cut -d. -f1 ${root}/proc/uptime) " s;do ${real} .05;i=$((i+1));done
`;
}

/** What the kernel says of processors that were used. */
function filesOfUse(counts: CountsOf, microseconds: number): ReadonlyArray<[string, string]> {
	switch (counts) {
		case 'version 2':
			return [
				['sys/fs/cgroup/cpu.stat', `usage_usec ${microseconds}\nuser_usec 5\nsystem_usec 5\n`],
			];
		case 'version 1':
			return [
				['sys/fs/cgroup/cpuacct/cpuacct.usage', `${microseconds}123\n`],
				['sys/fs/cgroup/cpuacct/cpuacct.usage_percpu', '1 1\n'],
			];
		case 'processes': {
			const ticks = Math.floor(microseconds / 40_000);
			const used = `${ticks} ${ticks} ${ticks} ${ticks}`;
			return [['proc/31/stat', `31 (a) (b c) S 1 1 1 0 -1 64 9 9 9 9 ${used} 20 0 1 0 9999999\n`]];
		}
	}
}

/** A machine in a folder: programs, a home, and what its kernel says, all of it set by hand. */
export function openHandMachine(installed: readonly string[], counts: CountsOf = 'version 2') {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-machine-'));
	const [root, home, bin] = ['machine', 'home', 'bin'].map(name => join(folder, name));
	if (root === undefined || home === undefined || bin === undefined) throw new Error('no folder');
	for (const place of [home, bin]) mkdirSync(place);
	for (const name of [...tools, ...installed]) {
		symlinkSync(programNamed(name) ?? name, join(bin, name));
	}
	writeFileSync(join(bin, 'sleep'), sleeping(root), {mode: 0o755});
	let uptime = 1000;
	let bytes = 5_000_000;
	let microseconds = 3_000_000;

	function set(file: string, text: string): void {
		const path = join(root ?? '', file);
		mkdirSync(dirname(path), {recursive: true});
		// Whoever reads it finds all of it, as with a kernel.
		writeFileSync(`${path}.new`, text);
		renameSync(`${path}.new`, path);
	}

	const machine = {
		root,
		home,
		bin,
		/** Writes what the kernel says. */
		set,
		/** Lets uptime pass; what it is then. */
		tick(seconds: number): number {
			uptime += seconds;
			set('proc/uptime', `${uptime}.50 99.00\n`);
			return uptime;
		},
		traffic(more: number): void {
			bytes += more;
			const counted = `${bytes} 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0`;
			set('proc/net/dev', ` face |bytes\n    lo: 9${counted}\n  eth0: ${counted}\n`);
			set('sys/class/net/eth0/statistics/rx_bytes', `${bytes}\n`);
		},
		/** Lets what runs in it use so many seconds of processors. */
		work(seconds: number): void {
			microseconds += Math.round(seconds * 1e6);
			for (const [file, text] of filesOfUse(counts, microseconds)) set(file, text);
		},
		/** A process that waits for a disk, or for a clock. */
		waits: (isForDisk: boolean): void =>
			set('proc/32/stat', `32 (cp) ${isForDisk ? 'D' : 'S'} 1 1 1 0 -1 64 9 9 9 9 0 0 0 0 20 0\n`),
		/** What the tool of its GPUs says. */
		gpu(text: string): void {
			writeFileSync(join(bin, 'nvidia-smi'), `#!/bin/sh\necho '${text}'\n`);
			chmodSync(join(bin, 'nvidia-smi'), 0o755);
		},
		remove: (): void => rmSync(folder, {recursive: true, force: true}),
	};
	machine.tick(0);
	machine.traffic(0);
	machine.work(0);
	machine.gpu('0');
	return machine;
}
