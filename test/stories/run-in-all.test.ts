import {expect, test} from 'vitest';
import {openEntrance} from '../helpers/host/entrance.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {agree} from '../helpers/console/pty.ts';

test.skipIf(noOpenSsh !== undefined)(
	'a command runs in all that are marked, goes on behind other screens, and shows what it wrote',
	async () => {
		await using world = await openEntrance();
		await world.registerKey();
		const a = await world.rent('train-a');
		const b = await world.rent('train-b');
		await using terminal = await world.openInstances();
		await terminal.sees(/train-a .*● running[^]*train-b .*● running/);
		terminal.type('*');
		await terminal.sees('2 marked');
		terminal.type('E');
		await terminal.sees('Run a command in 2 instances');
		// One ends, the other goes on until it is stopped; what they write would command a terminal.
		terminal.type(
			`echo "in-$CONTAINER_ID"; printf 'a\\033]0;owned\\007b\\n'; [ $CONTAINER_ID = ${a} ] || sleep 600`,
		);
		await terminal.sees('sleep 600_');
		terminal.type('\r');
		await terminal.sees(new RegExp(`${a} +train-a +>?exit 0 +2 +a\\W+0;owned\\Wb`));
		await terminal.sees(new RegExp(`${b} +train-b +running`));
		await terminal.sees('1 running, 1 done');
		terminal.type('\u001B');
		await terminal.sees(/2 marked/);
		terminal.type('E');
		await terminal.sees('1 running, 1 done');
		terminal.type('q');
		await terminal.sees(/2 marked/);
		terminal.type('q');
		await terminal.sees('Not left: a command still runs in 1 of the instances.');
		terminal.type('E');
		await terminal.sees('1 running, 1 done');
		terminal.type('x');
		await terminal.sees('it runs or waits in 1');
		await agree(terminal, 'it runs or waits in 1');
		await terminal.sees('1 done, 1 failed');
		await terminal.sees(new RegExp(`${b} +train-b +stopped`));
		terminal.type('\r');
		await terminal.sees(new RegExp(`^in-${a}$`, 'm'));
		await terminal.sees(/1 train-a +follow on +2 lines +exit 0/);
		terminal.type('\u001B');
		await terminal.sees('1 done, 1 failed');
		terminal.type('\u001B');
		await terminal.sees('2 marked');
		terminal.type('l');
		await terminal.sees(/LOGS of 2 +follow on .*read /);
		await terminal.sees(new RegExp(`^${a} train-a `, 'm'));
		await terminal.sees(new RegExp(`^${b} train-b `, 'm'));
		terminal.type('\u001B');
		await terminal.sees('2 marked');
		terminal.type('E');
		await terminal.sees('An empty line shows the last one: echo');
		terminal.type('\u001B[A');
		await terminal.sees('sleep 600_');
		expect(terminal.raw()).not.toContain('\u001B]0;owned');
	},
);
