/** Agents and renters that mean harm to a relay. */
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {testPublication} from '../helpers/host/hosts.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {openBeside} from '../helpers/market/relay-beside.ts';
import {freePorts, HERE, nextOf, openTestRelay, wholeOf} from '../helpers/market/relay.ts';

const MEGABYTE = Buffer.alloc(1 << 20);

const kinds = ['the market’s own relay', 'a relay beside it'] as const;

test.each(kinds)(
	'a renter who takes nothing holds a window of bytes, and nobody else: %s',
	async kind => {
		await using world = await openTestRelay({}, kind);
		let written = 0;
		await world.addAgent(stream => {
			stream.respond({':status': 200});
			const more = () => {
				while (stream.writable && written < 64 << 20) {
					written += MEGABYTE.length;
					if (!stream.write(MEGABYTE)) return;
				}
			};
			stream.on('drain', more);
			stream.once('data', (bytes: Buffer) => {
				if (bytes.toString() === 'all') more();
				else stream.end(Buffer.alloc(8 << 20));
			});
		});
		const stalled = world.enter();
		stalled.pause();
		stalled.write('all');
		const eager = world.enter();
		eager.write('some');
		expect((await wholeOf(eager))?.length).toBe(8 << 20);
		// Besides the stream's window, the kernel holds bytes of both sockets.
		expect(written).toBeLessThan(40 << 20);
	},
);

async function connected(socket: Socket): Promise<Socket> {
	await once(socket, 'connect');
	return socket;
}

test.each(kinds)(
	'renters who connect and cut at once end no other stream of their agent: %s',
	async kind => {
		const limits = {second: 5000, network: 5000, instance: 5000};
		await using world = await openTestRelay({limits}, kind);
		await world.addAgent(stream => {
			stream.respond({':status': 200});
			stream.on('data', (bytes: Buffer) => stream.write(bytes));
		});
		const kept = world.enter();
		kept.write('one');
		await once(kept, 'data');
		for (let round = 0; round < 20; round += 1) {
			const all = await Promise.all(Array.from({length: 50}, async () => connected(world.enter())));
			for (const socket of all) socket.resetAndDestroy();
		}
		await expect.poll(() => world.relay.figures().connections).toBe(1);
		kept.write('two');
		expect(await nextOf(kept)).toBe('two');
	},
);

test.each(kinds)(
	'an agent that sends what is no frame loses its session, and its next one serves: %s',
	async kind => {
		await using world = await openTestRelay({}, kind);
		const bad = await world.addRawAgent('bad-agents-start');
		const ended = once(bad, 'end');
		bad.resume();
		bad.write(Buffer.alloc(1 << 16, 'no frames at all'));
		await ended;
		await world.addAgent(stream => {
			stream.respond({':status': 200});
			stream.end('well');
		}, 'good-agents-start');
		expect(await wholeOf(world.enter())).toBe('well');
	},
);

test('the relay is offered connections by agents of machines alone, each for its own', async () => {
	const first = await freePorts(8);
	await using market = await openTestMarket({relay: {host: HERE, first, last: first + 7}});
	const {port} = new URL(market.url);
	const ask = async (...lines: readonly string[]) => {
		const socket = connect({host: HERE, port: Number(port)});
		const head = 'GET /api/v0/hosts/relay/?machines=1 HTTP/1.1\r\nhost: here\r\n';
		socket.write(`${head}connection: Upgrade\r\nupgrade: reverse\r\n${lines.join('\r\n')}\r\n\r\n`);
		const text = await wholeOf(socket);
		return text?.split('\r\n', 1)[0];
	};
	const start = 'rentty-agent-start: some-start';
	expect(await ask(start)).toMatch(/^HTTP\/1.1 401 /);
	expect(await ask(start, 'authorization: Bearer nobody')).toMatch(/^HTTP\/1.1 401 /);
	const key = `authorization: Bearer ${market.key}`;
	expect(await ask(key)).toMatch(/^HTTP\/1.1 400 /);
	expect(await ask(key, start)).toMatch(/^HTTP\/1.1 400 /);
});

const by = (text: string) => `authorization: Bearer ${text}`;

/** Offers a relay a connection, and answers the first line that it says. */
async function offer(port: number, ...lines: readonly string[]): Promise<string | undefined> {
	const socket = connect({host: HERE, port});
	const head = 'GET /api/v0/hosts/relay/ HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\n';
	socket.write(`${head}upgrade: reverse\r\n${lines.join('\r\n')}\r\n\r\n`);
	const text = await nextOf(socket);
	socket.destroy();
	return text.split('\r\n', 1)[0];
}

test('a relay beside the market takes agents by a ticket of the market for it alone, and asks for no other text', async () => {
	const first = await freePorts(18);
	await using market = await openTestMarket();
	const near = await openBeside(market, {host: HERE, first, last: first + 7});
	const other = await openBeside(market, {
		name: 'other',
		host: HERE,
		first: first + 9,
		last: first + 16,
	});
	const host = openClient({
		url: market.url,
		key: await market.createKey('h', 'host'),
		paceScale: 0,
	});
	const {id} = await host.hosts.publish(testPublication());
	const {relays = []} = await host.hosts.heartbeat([id]);
	const [{url, ticket} = {url: '', ticket: ''}] = relays;
	const [own, strange] = url.endsWith(String(first + 8)) ? [near, other] : [other, near];
	const portAt = (relay: typeof near) => Number(new URL(relay.relay().url).port);
	const start = 'rentty-agent-start: some-start';
	const refused = /^HTTP\/1.1 (400|401) /;
	expect(await offer(portAt(own), start)).toMatch(refused);
	expect(await offer(portAt(own), start, by(market.key))).toMatch(refused);
	expect(await offer(portAt(own), start, by(own.key))).toMatch(refused);
	expect(await offer(portAt(own), by(ticket))).toMatch(refused);
	expect(await offer(portAt(strange), start, by(ticket))).toMatch(refused);
	for (const changed of [ticket.replace(/^\d+/, '99'), ticket.replace(/.$/, '_'), `${ticket}0`])
		expect([changed, await offer(portAt(own), start, by(changed))]).toEqual([
			changed,
			expect.stringMatching(refused),
		]);
	expect(await offer(portAt(own), start, by(ticket))).toBe('HTTP/1.1 101 Switching Protocols');
	market.clock.pass(400);
	expect(await offer(portAt(own), start, by(ticket))).toMatch(refused);
	await Promise.all([host.close(), near.close(), other.close()]);
});
