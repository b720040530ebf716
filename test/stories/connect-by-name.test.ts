import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openEntrance} from '../helpers/host/entrance.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {agree} from '../helpers/console/pty.ts';

test.skipIf(noOpenSsh !== undefined)(
	'somebody lets OpenSSH know their instances by name, and uses the names outside of rentty',
	async () => {
		await using world = await openEntrance();
		await world.registerKey();
		const id = await world.rent('train a');
		await using terminal = await world.openInstances();
		await terminal.sees(/train a .*● running[^]*SSH answers/);
		const choose = async () => {
			terminal.type('a');
			await terminal.sees('ACTIONS');
			terminal.type('give name');
			await terminal.sees(/> +give it a name for ssh, scp, rsync and editors/);
			terminal.type('\r');
		};
		await choose();
		await terminal.sees('What happens');
		const config = world.home('.ssh', 'config');
		expect(existsSync(config)).toBe(false);
		await agree(terminal, 'What happens');
		await terminal.sees('ssh rentty-train-a');
		expect(readFileSync(config, 'utf8')).toMatch(/^Include \S+ssh_config\n\n$/);

		// Never a synchronous call: the door of the instance is in this very process.
		const run = async (program: string, ...args: readonly string[]) =>
			world.user.run(program, ['-F', config, '-o', 'BatchMode=yes', ...args], {env: world.env});
		const entered = async () => (await run('ssh', 'rentty-train-a', 'echo "in-$CONTAINER_ID"')).out;
		await expect.poll(entered).toBe(`in-${id}\n`);
		const file = join(world.user.folder, 'data');
		writeFileSync(file, 'some data');
		expect(await run('scp', file, 'rentty-train-a:there')).toMatchObject({code: 0});
		expect(await run('ssh', 'rentty-train-a', 'cat there')).toMatchObject({out: 'some data'});

		// Asked once: from then on it only says the name, and the names go with the instances.
		await choose();
		await terminal.sees('ssh rentty-train-a');
		expect(readFileSync(config, 'utf8').match(/Include/g)).toHaveLength(1);
		await world.client.instances.destroy(id);
		// Where no file knows a name, OpenSSH takes it for that of a host.
		const isUnknown = async () => {
			terminal.type('R');
			return (await run('ssh', '-G', 'rentty-train-a')).out.includes('hostname rentty-train-a');
		};
		await expect.poll(isUnknown, {interval: 500}).toBe(true);
	},
);
