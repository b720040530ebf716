/** What one renter does at a door of the built agent ends their own connection, and nothing else. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {openAgent} from '../helpers/commands/agent-process.ts';
import type {Agent, Tenant} from '../helpers/commands/agent-process.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

/** Each is what one renter can do with OpenSSH alone. */
const attacks: ReadonlyArray<readonly [name: string, args: readonly string[]]> = [
	['a subsystem that there is not', ['-s', 'HOST', 'nonexist']],
	['a forward of a socket that is refused', ['-R', '/tmp/there:/tmp/here', 'HOST', 'true']],
	[
		'a session that is dropped before anything runs in it',
		['-o', 'ExitOnForwardFailure=yes', '-R', '1:127.0.0.1:1', 'HOST'],
	],
	['a command of 36 kB', ['HOST', `: ${'x'.repeat(36_000)}`]],
	['a command of 100 kB', ['HOST', `: ${'x'.repeat(100_000)}`]],
];

async function attack({user, where}: Agent, tenant: Tenant, args: readonly string[]) {
	const words = args.map(word => (word === 'HOST' ? 'root@127.0.0.1' : word));
	await user.run('ssh', [...where(tenant), ...words]);
}

test.skipIf(noOpenSsh !== undefined)(
	'what a renter does at a door leaves the agent and the doors of others as they were',
	async () => {
		await using agent = await openAgent(2);
		const [own, other] = agent.tenants;
		if (own === undefined || other === undefined) throw new Error('two are rented');
		for (const [name, args] of attacks) {
			await attack(agent, own, args);
			const served = [await agent.says(own, 'echo yes'), await agent.says(other, 'echo yes')];
			expect([name, ...served]).toEqual([name, 'yes\n', 'yes\n']);
		}
		expect(agent.host.said()).not.toContain('trouble');
	},
);

test.skipIf(noOpenSsh !== undefined)(
	'an instance is gone although somebody holds connections to its door and says nothing',
	async () => {
		await using agent = await openAgent(1);
		const [tenant] = agent.tenants;
		if (tenant === undefined) throw new Error('one is rented');
		const silent = Array.from({length: 20}, () => connect(tenant.port, '127.0.0.1'));
		for (const socket of silent) socket.on('error', () => undefined);
		await Promise.all(silent.map(async socket => once(socket, 'connect')));
		const inside = spawn('ssh', [...agent.where(tenant), 'root@127.0.0.1', 'echo in; cat']);
		await once(inside.stdout, 'data');
		await agent.client.instances.destroy(tenant.id);
		const shown = async () => agent.client.instances.show(tenant.id);
		await expect.poll(shown).toBe(undefined);
		await expect.poll(async () => agent.running(tenant)).toBe(0);
		for (const socket of silent) socket.destroy();
		inside.kill();
	},
);
