/** Bytes that a client does not take are bounded over all that an instance's clients opened. */
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import ssh2 from 'ssh2';
import {describe, expect, test} from 'vitest';
import {REQUEST} from '../../source/host/ssh/file-packets.ts';
import {openAgent} from '../helpers/commands/agent-process.ts';
import {number, packetOf, protocolOf, text, type Protocol} from '../helpers/host/floods.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

/** Megabytes of the agent's own memory. */
const BOUND = 220;

/** Windows of channels: enough for a handle, and much less than a reply. */
const WINDOW = 1000;
const PACKET = 32 * 1024;

const LENGTH = 250_000;
const handle = Buffer.concat([number(4), number(1)]);
const placeOf = (at: number) => Buffer.concat([handle, number(0), number(at * LENGTH)]);

const reads = Array.from({length: 16}, (_, at) =>
	packetOf(REQUEST.read, at, [placeOf(at), number(LENGTH)]),
);
const writes = Array.from({length: 6}, (_, at) =>
	packetOf(REQUEST.write, at, [placeOf(at), number(LENGTH), Buffer.alloc(LENGTH)]),
);
const greeting = packetOf(REQUEST.init, 3, []);
/** To be read and written, and not emptied. */
const opening = packetOf(REQUEST.open, 1, [text('file'), number(3), number(0)]);

function transfer(protocol: Protocol, channel: number, packets: readonly Buffer[]): void {
	protocol.session(channel, WINDOW, PACKET);
	protocol.subsystem(channel, 'sftp', true);
	const bytes = Buffer.concat([greeting, opening, ...packets]);
	for (let from = 0; from < bytes.length; from += PACKET) {
		protocol.channelData(channel, bytes.subarray(from, from + PACKET));
	}
}

const numbers = (length: number) => Array.from({length}, (_, index) => index);

/** Ways to have bytes wait. */
const ways: Readonly<Record<string, (protocol: Protocol, socket: Socket) => void>> = {
	'replies of transfers': protocol => {
		for (const channel of numbers(126)) transfer(protocol, channel, reads);
	},
	'requests of transfers': protocol => {
		for (const channel of numbers(20)) transfer(protocol, channel, [...reads, ...writes]);
	},
	'greetings of a transfer': protocol => {
		for (const channel of numbers(20)) {
			transfer(protocol, channel, Array<Buffer>(100_000).fill(greeting));
		}
	},
	'output and complaints of commands': protocol => {
		for (const channel of numbers(100)) {
			protocol.session(channel, WINDOW, PACKET);
			protocol.exec(channel, 'cat /dev/zero & exec cat /dev/zero >&2', true);
		}
	},
	'answers to requests': (protocol, socket) => {
		socket.pause();
		protocol.session(0, WINDOW, PACKET);
		for (let times = 0; times < 600_000; times++) protocol.env(0, 'LANG', 'C', true);
	},
};

describe.skipIf(noOpenSsh !== undefined)('what nobody takes', () => {
	test.each(Object.entries(ways))(
		'%s take a bounded amount of memory over all of an instance',
		async (_name, say) => {
			await using agent = await openAgent(2);
			const [own, other] = agent.tenants;
			if (own === undefined || other === undefined) throw new Error('two are rented');
			writeFileSync(join(agent.home(own), 'file'), Buffer.alloc(16 * LENGTH));
			const socket = connect(own.port, '127.0.0.1').on('error', () => undefined);
			const client = new ssh2.Client().on('error', () => undefined);
			client.connect({
				sock: socket,
				username: 'root',
				privateKey: readFileSync(agent.where(own).at(-1) ?? ''),
			});
			await once(client, 'ready');
			say(protocolOf(client), socket);
			const held: number[] = [];
			while (held.length < 25) {
				await sleep(100);
				held.push(agent.megabytes());
			}
			// Garbage comes and goes; what waits for the client stays.
			expect(held.toSorted((less, more) => less - more)[12]).toBeLessThan(BOUND);
			socket.destroy();
			expect(await agent.says(other, 'echo yes')).toBe('yes\n');
			expect(await agent.says(own, 'echo yes')).toBe('yes\n');
		},
	);
});
