import {describe, expect, test} from 'vitest';
import {patient, prepareContainers} from '../../helpers/container-host.ts';

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
});
