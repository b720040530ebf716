/**
 * File transfer for scp, sftp and editors. Requests are answered in order, for some clients that get
 * replies in another order silently write truncated files.
 */
import type {ServerChannel} from 'ssh2';
import type {Inside} from '../inside/inside.ts';
import {
	createPackets,
	LONGEST_DATA,
	readerOf,
	REQUEST,
	STATUS,
	statusPacket,
	type Reader,
	type Status,
	versionPacket,
} from './file-packets.ts';
import {createFileRequests, Unsupported} from './file-requests.ts';
import type {Guard, Holdings} from './connection.ts';
import {ownFiles} from '../inside/own-files.ts';
import {NotFiles, NotOwn} from '../inside/walk.ts';
import {createRequestQueue, type Piece} from './request-queue.ts';

/** The most waiting requests and replies before a client's input is held back. */
const MOST_WAITING = 256;
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const MOST_UNSENT = 1024 * 1024;

export type Transfer = {
	readonly channel: ServerChannel;
	readonly inside: Inside;
	readonly guard: Guard;
	readonly holdings: Holdings;
	/** Fulfils when the channel is over, also with requests left. */
	readonly gone: Promise<void>;
};

/** Fulfils when the last request was answered, or when the client is gone and its files are closed. */
export async function serveFiles(transfer: Transfer): Promise<void> {
	const giveBack = transfer.holdings.transfers.take();
	if (giveBack === undefined) throw new Error('too many transfers of files are open');
	try {
		await transferFiles(transfer);
	} finally {
		giveBack();
	}
}

async function transferFiles({channel, inside, guard, holdings, gone}: Transfer): Promise<void> {
	const {promise: ended, resolve: end} = Promise.withResolvers<void>();
	const output = createOutput(channel, gone);
	/** Lengths of requests that wait for their replies, which come in the same order. */
	const waiting: number[] = [];
	let waitingBytes = 0;
	const isFull = () => waiting.length > MOST_WAITING || waitingBytes > MOST_WAITING_BYTES;

	function answer(packet: Buffer): void {
		waitingBytes -= waiting.shift() ?? 0;
		output.write(packet);
		if (!isFull() && channel.isPaused()) channel.resume();
	}

	const queue = createRequestQueue((id, error) => answer(statusPacket(id, statusOf(error))));
	const requests = createFileRequests(ownFiles(inside), {
		answer,
		ready: async () => output.ready(),
		places: holdings.files,
	});

	function take(packet: Buffer): void {
		const reader = readerOf(packet);
		const kind = reader.byte();
		if (kind === REQUEST.init) return output.write(versionPacket());
		const id = reader.number();
		const piece =
			kind === REQUEST.read || kind === REQUEST.write
				? readPiece(reader, id, kind === REQUEST.write)
				: undefined;
		waiting.push(packet.length);
		waitingBytes += packet.length;
		if (piece === undefined) queue.next(id, async () => requests.handle(kind, id, reader));
		else queue.piece(piece, async pieces => requests.move(pieces));
	}

	const packets = createPackets();
	const hear = guard.action((bytes: Buffer) => {
		try {
			for (const packet of packets(bytes)) take(packet);
		} catch (error) {
			// Nothing that follows what cannot be read would be understood.
			if (!(error instanceof RangeError)) throw error;
			channel.removeListener('data', hear);
			end();
		}
		if (isFull()) channel.pause();
	});
	channel.on('data', hear);
	channel.on('end', end);
	void gone.then(queue.stop);
	await Promise.race([ended, gone]);
	await queue.idle();
	await requests.close();
}

function createOutput(channel: ServerChannel, gone: Promise<void>) {
	let release: (() => void) | undefined;
	const isFree = () => channel.writableLength < MOST_UNSENT;
	return {
		write: (packet: Buffer) => void channel.write(packet, () => isFree() && release?.()),
		/** Fulfils when the client has taken most of what it was sent. */
		async ready(): Promise<void> {
			if (isFree()) return;
			const {promise, resolve} = Promise.withResolvers<void>();
			release = resolve;
			await Promise.race([promise, gone]);
		},
	};
}

function readPiece(reader: Reader, request: number, isWritten: boolean): Piece {
	const handle = reader.bytes();
	const offset = reader.long();
	if (!isWritten) return {request, handle, offset, length: Math.min(reader.number(), LONGEST_DATA)};
	const data = reader.bytes();
	return {request, handle, offset, data, length: data.length};
}

const statuses: ReadonlyMap<unknown, Status> = new Map([
	['ENOENT', STATUS.missing],
	['ENOTDIR', STATUS.missing],
	['EACCES', STATUS.forbidden],
	['EPERM', STATUS.forbidden],
	['ELOOP', STATUS.forbidden],
	['EROFS', STATUS.forbidden],
]);

function statusOf(error: unknown): Status {
	if (error instanceof NotOwn || error instanceof NotFiles) return STATUS.forbidden;
	if (error instanceof Unsupported) return STATUS.unsupported;
	if (error instanceof RangeError) return STATUS.malformed;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return statuses.get(code) ?? STATUS.failure;
}
