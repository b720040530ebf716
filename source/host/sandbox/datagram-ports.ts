/** UDP ports of this machine that forward into the network of an instance. */
import {createSocket} from 'node:dgram';
import {once} from 'node:events';
import {isIPv6} from 'node:net';
import type {Duplex} from 'node:stream';
import type {NetworkSlots} from '../ssh/connection-limits.ts';
import {createDatagramReader, writeDatagram} from './datagram-frames.ts';

/** Opens a stream of datagrams to and from a container port, with its own source port there. */
export type OpenDatagrams = (port: number) => Promise<Duplex>;

type DatagramPort = {
	/** Address to listen on. */
	readonly address: string;
	readonly openDatagrams: OpenDatagrams;
	/** Slots for outside addresses that exchange datagrams. */
	readonly slots: NetworkSlots;
};

/** Silence after which an address outside is forgotten, and that of one without any answer. */
const SILENT_MS = 120_000;
const UNANSWERED_MS = 30_000;

/** Bytes of answers that wait for the machine's network; answers beyond them are lost. */
const MOST_UNSENT = 256 * 1024;

/** Datagrams buffered until the stream inside is open. */
const MOST_EARLY = 16;

/** Publishes a port of the instance at one of the machine, 0 for any free one. */
export async function publishDatagrams(
	{address, openDatagrams, slots}: DatagramPort,
	inside: number | 'same',
	outside: number,
): Promise<{readonly port: number; readonly close: () => void}> {
	const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
	socket.bind(outside, address);
	await once(socket, 'listening');
	// A reply to an address that is gone is lost, as with any UDP.
	socket.on('error', () => undefined);
	const {port} = socket.address();
	const target = inside === 'same' ? port : inside;
	const senders = new Map<string, ReturnType<typeof lead>>();
	socket.on('message', (datagram, {address: host, port: from}) => {
		const name = `${host} ${from}`;
		const known = senders.get(name);
		if (known !== undefined) {
			known.take(datagram);
			return;
		}
		const giveBack = slots.take(host);
		if (giveBack === undefined) return;
		const sender = lead(openDatagrams(target), {
			answer(answered) {
				if (socket.getSendQueueSize() > MOST_UNSENT) return;
				socket.send(answered, from, host, () => undefined);
			},
			end() {
				senders.delete(name);
				giveBack();
			},
		});
		senders.set(name, sender);
		sender.take(datagram);
	});
	return {
		port,
		close() {
			socket.close();
			for (const {end} of senders.values()) end();
		},
	};
}

type Leading = {
	readonly answer: (datagram: Buffer) => void;
	/** Called once, after a long silence, or at the end of the stream. */
	readonly end: () => void;
};

/** Forwards the datagrams of one outside address over a stream. */
function lead(opening: Promise<Duplex>, {answer, end}: Leading) {
	const early: Buffer[] = [];
	const gone = new AbortController();
	let silent = setTimeout(() => gone.abort(), UNANSWERED_MS).unref();
	let stream: Duplex | undefined;
	gone.signal.addEventListener('abort', () => {
		clearTimeout(silent);
		stream?.destroy();
		end();
	});

	async function start(): Promise<void> {
		const opened = await opening;
		if (gone.signal.aborted) {
			opened.destroy();
			return;
		}
		stream = opened;
		const read = createDatagramReader();
		opened.once('data', () => {
			clearTimeout(silent);
			silent = setTimeout(() => gone.abort(), SILENT_MS).unref();
		});
		opened.on('data', (bytes: Buffer) => {
			silent.refresh();
			for (const datagram of read(bytes)) answer(datagram);
		});
		opened.on('error', () => opened.destroy()).on('close', () => gone.abort());
		for (const datagram of early.splice(0)) writeDatagram(opened, datagram);
	}

	start().catch(() => gone.abort());
	return {
		take(datagram: Buffer): void {
			silent.refresh();
			if (stream !== undefined) writeDatagram(stream, datagram);
			else if (early.length < MOST_EARLY) early.push(datagram);
		},
		end: () => gone.abort(),
	};
}
