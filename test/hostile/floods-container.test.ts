/** A flood of each request of SSH and of file transfer at a container's door, cut at any byte, leaves nothing. */
import {describe, expect, test} from 'vitest';
import {noteRest} from '../helpers/host/at-rest.ts';
import {patient, prepareContainers, waiting} from '../helpers/host/container-host.ts';
import {floodDoor} from '../helpers/host/floods.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

describe.skipIf(isSkipped)(`floods at the doors of containers${shown}`, patient, () => {
	test('a flood of any request leaves no file, socket, timer or child, and nothing inside', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const inside = async () => (await host.ssh('echo text > file; ls -d /proc/[0-9]* | wc -l')).out;
		const before = Number(await inside());
		const rest = noteRest(120_000);
		await floodDoor({port: host.port(), keyFile: host.key.file}, 0, rest.returns);
		await rest.end();
		await expect.poll(async () => Number(await inside()), waiting).toBeLessThanOrEqual(before);
	});
});
