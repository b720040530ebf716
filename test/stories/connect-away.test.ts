import {readFileSync, writeFileSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {openEntrance} from '../helpers/host/entrance.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {openPty} from '../helpers/console/pty.ts';
import {skipWithout} from '../helpers/missing.ts';

const noTmux = skipWithout('tmux', '-V');

test.skipIf(noOpenSsh !== undefined)(
	'the terminal belongs to the instance while somebody is away, and the screen fits when they come back',
	async () => {
		await using world = await openEntrance();
		await world.registerKey();
		const id = await world.rent('train-a');
		await using terminal = await world.openInstances();
		await terminal.sees(/train-a .*● running[^]*SSH answers/);
		terminal.type('s');
		await terminal.sees(/\$ ssh .* -- 127\.0\.0\.1/s);
		terminal.type('echo "in-$CONTAINER_ID"\r');
		await terminal.sees(`in-${id}`);
		terminal.resize(110, 30);
		await expect
			.poll(async () => {
				terminal.type('stty size\r');
				return terminal.sees('30 110', 1000).catch(() => '');
			})
			.not.toBe('');
		// A key that would destroy, and one that stops programs, are the shell's while it is there.
		terminal.type('x\u0003');
		terminal.type('stty -echo; exit 3\r');
		await terminal.sees(`Back from ${id} train-a.`);
		expect(terminal.isAlternate()).toBe(true);
		const back = await terminal.sees(/^─{110}$/m);
		expect(back.split('\n')).toHaveLength(30);
		// Keys come one by one again, unechoed: the terminal is as it was before.
		terminal.type('\r');
		await terminal.sees('[Connect]');
		terminal.type(']');
		await terminal.sees('[Ports]');
		expect(await world.client.instances.show(id)).toMatchObject({actual_status: 'running'});
	},
);

test.skipIf(noOpenSsh !== undefined || noTmux !== undefined)(
	'in tmux, where somebody wants it, SSH opens a window beside the list',
	async () => {
		await using world = await openEntrance();
		await world.registerKey();
		const id = await world.rent('train-a');
		await mkdir(world.home('config', 'rentty'), {recursive: true});
		writeFileSync(world.home('config', 'rentty', 'settings.json'), '{"ssh": "tmuxWindow"}');
		const server = ['-S', world.home('tmux'), '-f', '/dev/null'];
		await using terminal = openPty('tmux', [...server, 'new-session', world.rentty], {
			env: world.env,
		});
		try {
			await terminal.sees(/1 of [\d,]+/);
			terminal.type('2');
			await terminal.sees(/train-a .*● running[^]*SSH answers/);
			terminal.type('s');
			await terminal.sees(new RegExp(String.raw`1:${id} train-a\*`));
			terminal.type('echo "in-$CONTAINER_ID"\r');
			await terminal.sees(`in-${id}`);
			terminal.type('exit\r');
			await terminal.sees('SSH is in a window of tmux.');
			await terminal.sees(/train-a .*● running/);
		} finally {
			const panes = spawnSync('tmux', [...server, 'list-panes', '-a', '-F', '#{pane_pid}']);
			spawnSync('tmux', [...server, 'kill-server']);
			// The console keeps what it knows when it leaves, in folders that are removed after the test.
			for (const pid of String(panes.stdout).trim().split('\n')) {
				// oxlint-disable-next-line no-await-in-loop -- it is one process, or two
				await expect.poll(() => commandOf(pid)).toBe('');
			}
		}
	},
);

/** The command line of a process; empty once it has ended. */
function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}
