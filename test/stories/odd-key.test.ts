import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openEntrance} from '../helpers/host/entrance.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

/** A renter whose only registered key has a name that OpenSSH does not try, and is in no agent. */
async function openOddKey(name: string) {
	const world = await openEntrance();
	mkdirSync(world.home('.ssh'));
	const key = world.user.makeKey(join('home', '.ssh', name));
	await world.client.sshKeys.create(key.publicKey);
	const id = await world.rent('train-a');
	return {
		...world,
		id,
		key,
		/** The built program, which never has a terminal here. */
		run: async (...words: readonly string[]) =>
			world.user.run(world.rentty, words, {env: world.env}),
		[Symbol.asyncDispose]: world[Symbol.asyncDispose],
	};
}

test.skipIf(noOpenSsh !== undefined).for(['work laptop', "it's 100%"])(
	'rentty ssh enters with the key "%s", which ssh alone does not try',
	async name => {
		await using world = await openOddKey(name);
		const {run, id, user} = world;
		expect(await run('ssh', 'train-a', '--', 'echo "in-$CONTAINER_ID"')).toMatchObject({
			out: `in-${id}\n`,
			code: 0,
		});
		const {out: printed} = await run('ssh', 'train-a', '--print');
		expect(printed).not.toContain('IdentitiesOnly');
		const inShell = await user.run('sh', ['-c', `${printed.trim()} 'echo shell'`]);
		expect(inShell).toMatchObject({out: 'shell\n', code: 0});
		const chosen = await run('ssh', 'train-a', '--key', '-mine', '--print');
		expect(chosen.out).toMatch(/^ssh -i -mine -o IdentitiesOnly=yes -o /);
		expect((await run('ps', '--json')).out).toMatch(/"command":"ssh -[io] \S+home\/\.ssh\//);
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'the console enters, copies and names instances with a key that ssh alone does not try',
	async () => {
		await using world = await openOddKey('work laptop');
		const {id, user, env} = world;
		// Where the user's file has the line already, the names are kept up to date from the start.
		const config = world.home('config', 'rentty', 'ssh_config');
		const file = world.home('.ssh', 'config');
		writeFileSync(file, `Include ${config}\n`);
		await using terminal = await world.openInstances();
		await terminal.sees(/train-a .*● running[^]*SSH answers/);
		terminal.type('s');
		await terminal.sees('rentty steps aside for');
		terminal.type('echo "in-$CONTAINER_ID"; exit\r');
		await terminal.sees(`Back from ${id} train-a.`);
		expect(terminal.raw()).toContain(`in-${id}`);
		terminal.type('y');
		await terminal.sees(/ssh -i '\S+home\/\.ssh\/work laptop' -p \d+\s+root@127\.0\.0\.1/);
		const named = () => readFileSync(config, 'utf8');
		await expect.poll(named).toContain(`IdentityFile "${world.key.file}"`);
		const entered = await user.run('ssh', ['-F', file, 'rentty-train-a', 'echo named'], {env});
		expect(entered).toMatchObject({out: 'named\n', code: 0});
	},
);
