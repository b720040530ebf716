import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {describe, expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openOwnHost} from '../../source/commands/host/own-host.ts';
import {openMarket} from '../helpers/market/postgres.ts';
import {patient, prepareContainers, waiting} from '../helpers/host/container-host.ts';
import {IMAGE} from '../helpers/host/engine.ts';
import {openFolder} from '../helpers/folder.ts';

/** An address of this machine that containers reach, too. */
const ownAddress = Object.values(networkInterfaces())
	.flat()
	.find(one => one?.family === 'IPv4' && !one.internal)?.address;

const missing = ownAddress === undefined ? 'this machine has no network' : undefined;
const {engine, isSkipped, shown} = await prepareContainers(missing);

/** A market on loopback, as containers reach it. */
async function openRelay(marketUrl: string) {
	const port = Number(new URL(marketUrl).port);
	const server = createServer(socket => {
		const market = connect(port, '127.0.0.1');
		socket.pipe(market).pipe(socket);
		for (const each of [socket, market]) each.on('error', () => each.destroy());
	}).listen(0, ownAddress);
	await once(server, 'listening');
	const address = server.address();
	const own = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://${ownAddress}:${own}`,
		[Symbol.dispose]: () => void server.close(),
	};
}

/** Has an instance stop itself, with the little that there is in the image. */
const STOPPING = `
echo stopping itself
place=\${CONTAINER_API_URL#http://}
body='{"state": "stopped"}'
{
	printf 'PUT /api/v0/instances/%s/ HTTP/1.0\\r\\n' "$CONTAINER_ID"
	printf 'Authorization: Bearer %s\\r\\nContent-Type: application/json\\r\\n' "$CONTAINER_API_KEY"
	printf 'Host: %s\\r\\nContent-Length: %s\\r\\n\\r\\n%s' "$place" "\${#body}" "$body"
	sleep 2
} | nc "\${place%:*}" "\${place#*:}"`;

describe.skipIf(isSkipped)(`a host with containers${shown}`, patient, () => {
	test('what is rented runs in its image, and stops itself with its own key', async () => {
		using folder = openFolder();
		const market = await openMarket({file: ':memory:', offers: 0, rateScale: 0});
		using relay = await openRelay(market.url);
		process.env['DOCKER_HOST'] = `unix://${engine?.socket}`;
		const host = await openOwnHost({
			url: relay.url,
			key: await market.createKey('provider'),
			folder: join(folder.path, 'host'),
			reach: {address: '127.0.0.1'},
			name: 'rig',
			prices: {perGpuHour: 0.1, storage: 0.1},
			runtime: 'container',
			allowsLocalImages: true,
			endsOnClose: false,
		});
		delete process.env['DOCKER_HOST'];
		const client = openClient({
			url: market.url,
			key: await market.createKey('renter'),
			paceScale: 0,
		});
		const [offer] = (await client.offers.search({limit: 1})).offers;
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: IMAGE,
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
			onstart: STOPPING,
		});
		const shownStatus = async () => (await client.instances.show(id))?.intended_status;
		await expect.poll(shownStatus, waiting).toBe('stopped');
		// The log comes with a later report than the state, and its host may stop it before it has the answer.
		await expect.poll(async () => client.instances.logs(id), waiting).toContain('stopping itself');
		await client.instances.destroy(id);
		const left = await engine?.open();
		const containers = async () =>
			left?.ask({method: 'GET', path: '/containers/json', query: {all: 'true'}});
		await expect.poll(containers, waiting).toEqual([]);
		await left?.close();
		await client.close();
		await host.close();
		await market.close();
	});
});
