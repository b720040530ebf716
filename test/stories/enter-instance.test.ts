import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openEntrance} from '../helpers/host/entrance.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

test.skipIf(noOpenSsh !== undefined)(
	'someone enters an instance with s, leaves it, and is back in the list as it was',
	async () => {
		await using world = await openEntrance();
		await world.registerKey();
		const id = await world.rent('train-a');
		await using terminal = await world.openInstances();
		// The port was tried by then, and what answers there is SSH.
		await terminal.sees(/train-a .*● running[^]*SSH answers/);
		terminal.type('s');
		await terminal.sees('rentty steps aside for');
		await terminal.sees(/\$ ssh .* -- 127\.0\.0\.1/s);
		expect(terminal.isAlternate()).toBe(false);
		// Typed ahead, as people do: nothing else gets into it.
		terminal.type('echo "in-$CONTAINER_ID"; exit\r');
		await terminal.sees(`Back from ${id} train-a.`);
		expect(terminal.isAlternate()).toBe(true);
		expect(terminal.raw()).toContain(`in-${id}`);
		await terminal.sees(/train-a .*● running/);
		// The host's key is in a file of its own, by the instance and not by its port.
		const known = join(world.home('state'), 'rentty', 'known_hosts');
		const name = `rentty-${world.service}-${id}-direct`;
		expect(spawnSync('ssh-keygen', ['-F', name, '-f', known]).status).toBe(0);
		terminal.type('y');
		await terminal.sees(/ssh -p \d+ root@127\.0\.0\.1/);
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'someone reads the logs of an instance, gives it a label, and finds in Activity what was done',
	async () => {
		await using world = await openEntrance();
		await world.registerKey();
		const id = await world.rent('train-a');
		await using terminal = await world.openInstances();
		await terminal.sees(/train-a .*● running/);
		terminal.type('l');
		await terminal.sees(/LOGS +follow on +\d+ lines? +read /);
		terminal.type('/');
		await terminal.sees('search> _');
		terminal.type('no such words');
		await terminal.sees('search> no such words_');
		terminal.type('\r');
		await terminal.sees('No line of the logs has "no such words" in it.');
		terminal.type('e');
		await terminal.sees('label> train-a_');
		terminal.type('-2');
		await terminal.sees('label> train-a-2_');
		terminal.type('\r');
		await terminal.sees(`${id} is labelled "train-a-2".`);
		terminal.type('5');
		await terminal.sees(new RegExp(`label +${id} train-a-2 .* done`));
		terminal.type('\r');
		await terminal.sees(/asked for +instances\.change/);
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'who has registered no SSH key is told so before SSH is run, and what to do',
	async () => {
		await using world = await openEntrance();
		await world.rent('train-a');
		await using terminal = await world.openInstances();
		await terminal.sees(/train-a .*● running/);
		terminal.type('s');
		await terminal.sees('no SSH key is registered');
		expect(terminal.isAlternate()).toBe(true);
	},
);
