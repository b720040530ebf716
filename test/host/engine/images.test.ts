import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {at, listOf} from '../../../source/contract/grammar/json.ts';
import {patient, prepareContainers, waiting} from '../../helpers/host/container-host.ts';
import {IMAGE} from '../../helpers/host/engine.ts';

const {engine, isSkipped, shown, openHost} = await prepareContainers();

describe.skipIf(isSkipped)(`images of containers${shown}`, patient, () => {
	const registry = `127.0.0.1:${engine?.registry.port}`;

	test('one is pulled, and its ports are opened', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({image: `${registry}/name:1`}));
		const running = await host.until('running');
		expect(running?.access?.ports).toHaveProperty('8000/tcp');
		expect(host.told[0]).toMatchObject({
			status: 'loading',
			status_msg: `Pulling image: ${registry}/name:1`,
		});
	});

	test('one that a registry does not have fails, and the reason is told', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({image: `${registry}/name:2`}));
		const failed = await host.until('failed');
		const why = 'its registry has no such image (manifest unknown)';
		expect(failed?.status_msg).toBe(`Image ${registry}/name:2 cannot be pulled: ${why}`);
	});

	test('one behind a lock is had with the right words, and not without', async () => {
		await using host = await openHost();
		const image = `${registry}/locked:1`;
		await host.runtime.start(host.work({image}));
		expect((await host.until('failed'))?.status_msg).toMatch(/unauthorized|authentication/i);
		await host.runtime.stop(7);
		const image_login = `-u me -p secret ${registry}`;
		await host.runtime.start(host.work({image, image_login, boot: 2}));
		const running = await host.until('running');
		expect(running?.boot).toBe(2);
		expect(JSON.stringify(host.told)).not.toContain('secret');
	});

	test('one that is kept warm is there before it is rented, and an unused one goes where the disk is full', async () => {
		let free = 0.5;
		await using host = await openHost({
			warm: [`${registry}/warm:1`],
			diskSpace: {free: async () => free},
		});
		await expect.poll(() => host.log, waiting).toContain(`Image ${registry}/warm:1 is there.`);
		await host.runtime.start(host.work({image: `${registry}/unused:1`}));
		await host.until('running');
		await host.runtime.remove(7);
		const file = join(host.folder, 'pulled-images.json');
		const longAgo = readFileSync(file, 'utf8').replaceAll(/:\d+([,}])/g, ':1$1');
		writeFileSync(file, longAgo);
		await host.reopen();
		free = 0.01;
		await host.runtime.start(host.work({image: `${registry}/other:1`, container: 2}));
		await host.until('running');
		const listed = listOf(await host.engine.ask({method: 'GET', path: '/images/json'}));
		const images = listed.flatMap(one => listOf(at(one, 'RepoTags')));
		expect(images).toContain(`${registry}/warm:1`);
		expect(images).toContain(`${registry}/other:1`);
		expect(images).not.toContain(`${registry}/unused:1`);
		expect(images).toContain(IMAGE);
	});
});
