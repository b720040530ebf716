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
const tools = ['sh', 'mkdir', 'rm', 'cat', 'grep', 'mv', 'sleep', 'timeout', 'date', 'touch'];

/** A machine in a folder: programs, a home, and what its kernel says, all of it set by hand. */
export function openHandMachine(installed: readonly string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-machine-'));
	const [root, home, bin] = ['machine', 'home', 'bin'].map(name => join(folder, name));
	if (root === undefined || home === undefined || bin === undefined) throw new Error('no folder');
	for (const place of [home, bin]) mkdirSync(place);
	for (const name of [...tools, ...installed]) {
		symlinkSync(programNamed(name) ?? name, join(bin, name));
	}
	let uptime = 1000;
	let bytes = 5_000_000;

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
			set('sys/class/net/eth0/statistics/rx_bytes', `${bytes}\n`);
			set('sys/class/net/eth0/statistics/tx_bytes', '1000\n');
		},
		load: (value: number): void => set('proc/loadavg', `${value.toFixed(2)} 0 0 1/1 1\n`),
		/** What the tool of its GPUs says. */
		gpu(text: string): void {
			writeFileSync(join(bin, 'nvidia-smi'), `#!/bin/sh\necho '${text}'\n`);
			chmodSync(join(bin, 'nvidia-smi'), 0o755);
		},
		remove: (): void => rmSync(folder, {recursive: true, force: true}),
	};
	machine.tick(0);
	machine.traffic(0);
	machine.load(0.2);
	machine.gpu('0');
	return machine;
}
