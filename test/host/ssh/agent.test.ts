import {existsSync, mkdirSync, readdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {noOpenSsh, openSshAgent} from '../../helpers/host/open-ssh.ts';
import {insides, openInstance} from '../../helpers/host/ssh-server.ts';

type World = Awaited<ReturnType<typeof openInstance>>;

/** Runs a command there, with the agent at a socket or without any. */
async function enter({user, sshServer, key}: World, agent: string | undefined, command: string) {
	const forward = agent === undefined ? [] : ['-A', '-o', `IdentityAgent=${agent}`];
	const where = ['-i', key, '-p', String(sshServer.port), 'root@127.0.0.1', command];
	const env = agent === undefined ? {} : {SSH_AUTH_SOCK: agent};
	return user.run('ssh', [...forward, ...user.options, ...where], {env});
}

describe.skipIf(noOpenSsh !== undefined)('an agent that is forwarded', () => {
	test.each(insides)(
		'is asked by programs in %s, and its socket goes with the connection',
		async (_, make) => {
			await using instance = await openInstance(make);
			using agent = await openSshAgent(instance.user);
			const {out} = await enter(
				instance,
				agent.socket,
				'ssh-add -l; ssh-add -l; ls ~/.ssh/agent | wc -l',
			);
			expect(out).toMatch(/^(\d+ SHA256:\S+ of the laptop \(ED25519\)\n){2}1\n$/);
			const sockets = () => readdirSync(join(instance.home, '.ssh/agent'));
			await expect.poll(sockets).toEqual([]);
		},
	);

	test.each(insides)('is nowhere in %s unless it is asked for', async (_, make) => {
		await using instance = await openInstance(make);
		const {out} = await enter(instance, undefined, 'echo "agent [$SSH_AUTH_SOCK]"');
		expect(out).toBe('agent []\n');
		expect(existsSync(join(instance.home, '.ssh'))).toBe(false);
	});

	test.each(insides)(
		'leads nowhere out of %s by a link in the place of its folder',
		async (_, make) => {
			await using instance = await openInstance(make);
			using agent = await openSshAgent(instance.user);
			const elsewhere = join(instance.user.folder, 'elsewhere');
			mkdirSync(elsewhere);
			mkdirSync(join(instance.home, '.ssh'));
			symlinkSync(elsewhere, join(instance.home, '.ssh/agent'));
			const {out} = await enter(instance, agent.socket, 'echo "agent [$SSH_AUTH_SOCK]"');
			expect(out).toBe('agent []\n');
			expect(readdirSync(elsewhere)).toEqual([]);
		},
	);
});
