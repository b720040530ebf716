import {spawn} from 'node:child_process';
import process from 'node:process';
import {expect, test} from 'vitest';
import {familyOf, listProcesses} from '../../../source/host/machine/processes.ts';

/** A shell that begins one program after the other. */
function openShell(mark: string) {
	const env = {PATH: process.env['PATH'] ?? '', MARK: mark};
	const child = spawn('/bin/sh', ['-c', 'while :; do /bin/true; done'], {env});
	return {
		pid: child.pid ?? 0,
		[Symbol.dispose]: () => void child.kill('SIGKILL'),
	};
}

test('a process is of its family also while it changes its program', async () => {
	using shell = openShell('family');
	const strangers: string[] = [];
	for (let seen = 0; seen < 50;) {
		const all = await listProcesses();
		const marked = new Set(familyOf(all.map(withoutParent), {mark: 'MARK=family'}));
		const children = all.filter(({parent}) => parent === shell.pid);
		seen += children.length;
		const pids = new Set([...marked].map(({pid}) => pid));
		strangers.push(...children.filter(({pid}) => !pids.has(pid)).map(({name}) => name));
	}
	expect(strangers).toEqual([]);
});

/** As after the end of the process that began it. */
const withoutParent = <One extends object>(one: One) => ({...one, parent: 1});
