import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';
import {openPracticeWorld} from '../helpers/commands/practice-world.ts';

test.skipIf(noOpenSsh !== undefined)(
	'what is rented on the practice market is entered with OpenSSH, until it is stopped',
	async () => {
		await using world = await openPracticeWorld();
		const {user, client, instances} = world;
		const key = user.makeKey('laptop');
		await client.sshKeys.create(key.publicKey);
		const id = await world.rent('train-a');
		const show = async () => client.instances.show(id);

		const port = Number((await show())?.ssh_port);
		const inside = async (command: string) => user.ssh(port, key.file, [command]);
		expect(await inside('echo "$CONTAINER_ID"; echo kept > file')).toMatchObject({
			out: `${id}\n`,
			code: 0,
		});
		expect(existsSync(join(instances, String(id), 'home', 'file'))).toBe(true);

		await client.instances.stop(id);
		await expect.poll(async () => (await inside('true')).code).toBe(255);
		await client.instances.destroy(id);
		const isThere = () => existsSync(join(instances, String(id)));
		await expect.poll(isThere).toBe(false);
	},
);
