import {once} from 'node:events';
import {createServer, type Server} from 'node:net';
import {networkInterfaces} from 'node:os';
import {expect, test} from 'vitest';
import {checkReach, createPortChoice, listenFor} from '../../../source/host/machine/port-choice.ts';
import {openAtFree} from '../../../source/host/ssh/entrance.ts';
import {makeAccess} from '../../../source/host/instance/ports.ts';

const listen = '127.0.0.1';

/** Ports that nothing listens at, one after another. */
async function freeRange(count: number) {
	for (let first = 41_000; first < 60_000; first += count) {
		const portRange = {first, last: first + count - 1};
		const choice = createPortChoice({listen, portRange});
		const taken = await Promise.all(
			Array.from({length: count}, async (_, index) =>
				choice
					.freePortOf('one')(first + index)
					.catch(() => 0),
			),
		);
		if (new Set(taken).size === count && !taken.includes(0)) return portRange;
	}
	throw new Error('no ports are free');
}

test('instances get the ports of a range, each another one, until none is left', async () => {
	const portRange = await freeRange(3);
	const choice = createPortChoice({listen, portRange});
	const [one, other] = [choice.freePortOf('one'), choice.freePortOf('other')];
	const ports = [await one(), await one(20_067), await other(portRange.first)];
	expect(ports.toSorted((a, b) => a - b)).toEqual([
		portRange.first,
		portRange.first + 1,
		portRange.last,
	]);
	await expect(other()).rejects.toThrow(/^all ports from \d+ to \d+ are in use$/);
	choice.release('one');
	expect(ports.slice(0, 2)).toContain(await other());
});

test('an instance gets its earlier port again, and nobody else does', async () => {
	const portRange = await freeRange(4);
	const choice = createPortChoice({listen, portRange});
	choice.hold('one', [portRange.last, 0]);
	expect(await choice.freePortOf('other')(portRange.last)).not.toBe(portRange.last);
	expect(await choice.freePortOf('one')(portRange.last)).toBe(portRange.last);
	choice.hold('one', []);
	expect(await choice.freePortOf('other')(portRange.last)).toBe(portRange.last);
});

test('where another program takes a port before it is opened, the next one is', async () => {
	const portRange = await freeRange(2);
	const choice = createPortChoice({listen, portRange});
	const servers: Server[] = [];
	async function at(port: number) {
		const server = createServer().listen(port, listen);
		servers.push(server);
		await once(server, 'listening');
		return port;
	}
	const opened = await openAtFree(choice.freePortOf('one'), portRange.first, async port => {
		// The program that is quicker, between the look for a port and its use.
		if (servers.length === 0) await at(port);
		return at(port);
	});
	expect(opened).toBe(portRange.last);
	const full = openAtFree(choice.freePortOf('two'), portRange.first, at);
	await expect(full).rejects.toThrow(/^all ports/);
	for (const server of servers) server.close();
});

test('a port that another program has is passed over, in a range and without one', async () => {
	const portRange = await freeRange(2);
	const server = createServer().listen(portRange.first, listen);
	await once(server, 'listening');
	const choice = createPortChoice({listen, portRange});
	expect(await choice.freePortOf('one')(portRange.first)).toBe(portRange.last);
	const any = createPortChoice({listen});
	expect(await any.freePortOf('one')(portRange.first)).not.toBe(portRange.first);
	server.close();
});

test('an address that this machine has is bound, and of one that a router has all are', () => {
	const own = Object.values(networkInterfaces()).flatMap(found => found ?? []);
	for (const {address} of own) expect(listenFor(address)).toBe(address);
	expect(listenFor('127.0.0.9')).toBe('127.0.0.9');
	expect(listenFor('203.0.113.7')).toBe('0.0.0.0');
	expect(listenFor('2001:db8::7')).toBe('::');
});

test('a machine that cannot open ports says why before it is offered', async () => {
	await expect(checkReach({address: '203.0.113.7'})).rejects.toThrow(
		'No port for instances can be opened at 203.0.113.7: this machine has no such address.',
	);
	await checkReach({address: '203.0.113.7', listen});
});

test('the address of a router is told with the ports, and none of a machine that nobody reaches', () => {
	const ports = [['8080/tcp', 40_001]] as const;
	expect(makeAccess({address: '203.0.113.7', listen: '0.0.0.0'}, 40_000, ports)).toMatchObject({
		public_ipaddr: '203.0.113.7',
		machine_dir_ssh_port: 40_000,
		ports: {
			'22/tcp': [{HostIp: '203.0.113.7', HostPort: '40000'}],
			'8080/tcp': [{HostIp: '203.0.113.7', HostPort: '40001'}],
		},
	});
	expect(makeAccess({address: listen, isDirect: false}, 40_000, ports)).toMatchObject({
		public_ipaddr: null,
		machine_dir_ssh_port: null,
		// For the market, whose relay leads there.
		ports: {'8080/tcp': [{HostIp: listen, HostPort: '40001'}]},
	});
});
