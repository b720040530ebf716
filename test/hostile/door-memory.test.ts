/** What renters send and do not take stays bounded in the agent, which goes on to serve others. */
import {spawn} from 'node:child_process';
import {createReadStream} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {openAgent} from '../helpers/commands/agent-process.ts';
import type {Agent, Tenant} from '../helpers/commands/agent-process.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

/** Megabytes of the agent's own memory. */
const BOUND = 150;

const MEGABYTES = 1_000_000;

/** Runs a command of which nothing is read; what can be written is written to it. */
function overwhelm({where}: Agent, tenant: Tenant, args: readonly string[]) {
	const child = spawn('ssh', [...where(tenant), ...args], {stdio: ['pipe', 'pipe', 'pipe']});
	onTestFinished(() => void child.kill('SIGKILL'));
	child.stdin.on('error', () => undefined);
	createReadStream('/dev/zero').pipe(child.stdin);
	return child;
}

test.skipIf(noOpenSsh !== undefined)(
	'unread output, unread complaints and endless input take a bounded amount of the agent',
	async () => {
		await using agent = await openAgent(2);
		const [own, other] = agent.tenants;
		if (own === undefined || other === undefined) throw new Error('two are rented');
		const host = 'root@127.0.0.1';
		const all = [
			['cat /dev/zero'],
			['cat /dev/zero >&2'],
			['sleep 100'],
			['cat'],
			['cat /dev/zero & cat /dev/zero >&2'],
		].map(command => overwhelm(agent, own, [host, ...command]));
		const typed = overwhelm(agent, own, ['-tt', host, 'cat /dev/zero']);
		const asleep = overwhelm(agent, own, ['-tt', host, 'sleep 100']);
		for (let looks = 0; looks < 20; looks++) {
			expect(await agent.says(other, `head -c ${MEGABYTES} /dev/zero | wc -c`)).toBe(
				`${MEGABYTES}\n`,
			);
			expect(agent.megabytes()).toBeLessThan(BOUND);
		}
		for (const child of [...all, typed, asleep]) child.kill('SIGKILL');
		expect(await agent.says(own, 'echo yes')).toBe('yes\n');
		expect(agent.host.said()).not.toContain('trouble');
	},
);
