/** What renters send into a container and do not take stays bounded in the agent. */
import {spawn} from 'node:child_process';
import {createReadStream, readFileSync} from 'node:fs';
import {pipeline} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {patient, prepareContainers} from '../helpers/host/container-host.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

/** What the agent may take beside what it has before, in megabytes: what is not bounded takes gigabytes. */
const MOST_GROWTH = 160;

/** What is sent, or taken, while it is looked at what the agent holds. */
const MEGABYTES = 16;

/** This process is the agent, too. */
function megabytes(): number {
	const status = readFileSync('/proc/self/status', 'utf8');
	return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

describe.skipIf(isSkipped)(`floods into containers${shown}`, patient, () => {
	test('unread output, unread complaints and endless input take a bounded amount', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const where = ['-i', host.key.file, '-p', String(host.port()), 'root@127.0.0.1'];
		const before = megabytes();
		// Ended before the host is, which looks for what the process then still holds.
		using senders = new DisposableStack();
		for (const command of [
			'cat /dev/zero',
			'cat /dev/zero >&2',
			'sleep 100',
			'cat',
			'cat /dev/zero & cat /dev/zero >&2',
		]) {
			const child = spawn('ssh', [...host.user.options, ...where, command]);
			senders.defer(() => void child.kill('SIGKILL'));
			pipeline(createReadStream('/dev/zero'), child.stdin, () => undefined);
		}
		for (let looks = 0; looks < 10; looks++) {
			const {out} = await host.ssh(`head -c ${MEGABYTES}000000 /dev/zero | wc -c`);
			expect(out).toBe(`${MEGABYTES}000000\n`);
			expect(megabytes() - before).toBeLessThan(MOST_GROWTH);
		}
	});
});
