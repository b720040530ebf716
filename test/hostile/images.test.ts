/** Renters who ask for images that are the provider's own, or lie in the provider's network. */
import {createServer} from 'node:net';
import {once} from 'node:events';
import {describe, expect, test} from 'vitest';
import {textAt} from '../../source/contract/grammar/json.ts';
import {isPublicAddress} from '../../source/contract/rules/public-address.ts';
import {CannotStart} from '../../source/host/base/retry.ts';
import {readImageName} from '../../source/host/engine/image-name.ts';
import {refuseLocalImage} from '../../source/host/engine/images.ts';
import {patient, prepareContainers} from '../helpers/host/container-host.ts';
import {IMAGE} from '../helpers/host/engine.ts';

const {engine, isSkipped, shown, openHost} = await prepareContainers();

async function refusal(text: string, addresses: readonly string[] = ['140.82.112.33']) {
	const name = readImageName(text);
	if (name === undefined) return new Error('it is no name');
	return refuseLocalImage(text, name, async () => addresses).catch((error: unknown) => error);
}

test.each([
	`sha256:${'a'.repeat(64)}`,
	'sha256:0123456789ab',
	'0123456789ab',
	'localhost/own',
	'localhost:5000/own',
	'127.0.0.1:5000/x',
	'127.1:80/x',
	'2130706433:80/x',
	'0x7f.1/x',
	'0x7f.0.0.0x1/x',
	'10.0.0.7/x',
	'140.82.112.33/x',
	'registry:5000/x',
	'registry.local/x',
	'metadata.google.internal/x',
])('%s is refused: it is the provider’s', async text => {
	expect(await refusal(text)).toBeInstanceOf(CannotStart);
});

test.each(['ubuntu', 'me/own:1', 'ghcr.io/one/two', 'registry.example.com:5000/x'])(
	'%s is everybody’s',
	async text => {
		expect(await refusal(text)).toBeUndefined();
	},
);

test('a name that leads to the provider’s network is refused like its address', async () => {
	const said = String(await refusal('registry.example.com/x', ['140.82.112.33', '192.168.0.9']));
	expect(said).toContain('The registry registry.example.com is on this machine or in its network');
});

test.each(['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00::1', 'fe80::1', 'x'])(
	'%s is no address that everybody reaches',
	address => {
		expect(isPublicAddress(address)).toBe(false);
	},
);

describe.skipIf(isSkipped)(`images that are the provider’s${shown}`, patient, () => {
	test('the number of an image and its name on this machine start nothing', async () => {
		await using host = await openHost({allowsLocalImages: false});
		const about = await host.engine.ask({method: 'GET', path: `/images/${IMAGE}/json`});
		await host.runtime.start(host.work({image: textAt(about, 'Id') ?? ''}));
		expect((await host.until('failed'))?.status_msg).toContain('is the number of an image');
		host.told.length = 0;
		await host.runtime.start(host.work({image: IMAGE, boot: 2}));
		expect((await host.until('failed'))?.status_msg).toMatch(/^The registry localhost is on this/);
	});

	test('the engine connects to no port of this machine, and tells nothing of what answers', async () => {
		await using host = await openHost({allowsLocalImages: false});
		let connections = 0;
		const server = createServer(socket => {
			connections += 1;
			socket.resume().end('SECRET 1.0\r\n');
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : 0;
		await host.runtime.start(host.work({image: `127.0.0.1:${port}/x`}));
		await host.until('failed');
		expect(connections).toBe(0);
		await host.reopen({allowsLocalImages: true});
		await host.runtime.start(host.work({image: `127.0.0.1:${port}/x`, boot: 2}));
		await expect.poll(() => host.told.at(-1)?.status_msg).toContain('does not answer as one');
		expect(JSON.stringify(host.told)).not.toMatch(/SECRET|malformed|http:/);
		expect(host.log.join('\n')).toMatch(/^Instance 7: Image 127\.0\.0\.1:\d+\/x cannot be pulled/);
		server.close();
	});

	test('an image that one renter logged in for is not had by the next one without', async () => {
		await using host = await openHost();
		const registry = `127.0.0.1:${engine?.registry.port}`;
		const image_login = `-u me -p secret ${registry}`;
		await host.runtime.start(host.work({image: `${registry}/locked:1`, image_login}));
		await host.until('running');
		await host.reopen();
		await host.runtime.start(host.work({instance_id: 8, image: `${registry}/locked:1`}));
		expect((await host.until('failed'))?.status_msg).toContain('asks for a login');
	});

	test('no volume is mounted over what belongs to the system, whatever a market says', async () => {
		await using host = await openHost();
		const mounts = [{volume_id: 5, mount_path: '/proc/sys', size: 1}];
		await host.runtime.start(host.work({mounts}));
		expect((await host.until('failed'))?.status_msg).toMatch(
			/^No volume is mounted at \/proc\/sys/,
		);
	});
});
