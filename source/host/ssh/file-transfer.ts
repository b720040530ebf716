/**
 * File transfer for scp, sftp and editors. Requests are answered in order: some clients that get
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
} from './file-packets.ts';
import {createFileRequests, Unsupported} from './file-requests.ts';
import type {Guard} from './connection.ts';
import {OWN_BYTES, type Bytes, type Holdings} from './connection-limits.ts';
import {ownFiles} from '../inside/own-files.ts';
import {NotFiles, NotOwn} from '../inside/walk.ts';
import {createRequestQueue, type Piece} from './request-queue.ts';

/** The most queued requests and replies before a client's input is paused. */
const MOST_WAITING = 256;
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const MOST_UNSENT = 1024 * 1024;
/** The most unsent replies: a short one takes much more memory than its bytes. */
const MOST_REPLIES = 512;

type Transfer = {
	readonly channel: ServerChannel;
	readonly inside: Inside;
	readonly guard: Guard;
	readonly holdings: Holdings;
	/** Fulfils when the channel is over, even with requests left. */
	readonly gone: Promise<void>;
};

/**
 * Fulfils when the last request was answered, or when the client is gone and its files are closed.
 */
export async function serveFiles(transfer: Transfer): Promise<void> {
	const giveBack = transfer.holdings.transfers.take();
	if (giveBack === undefined) throw new Error('too many transfers of files are open');
	const held = {
		requests: 0,
		reading: 0,
		get writableLength() {
			return this.requests + this.reading;
		},
	};
	transfer.holdings.bytes.watch(held);
	try {
		await transferFiles(transfer, held);
	} finally {
		transfer.holdings.bytes.forget(held);
		giveBack();
	}
}

/** Bytes of queued requests, and of reads in progress for them. */
type Held = {requests: number; reading: number};

async function transferFiles(
	{channel, inside, guard, holdings, gone}: Transfer,
	held: Held,
): Promise<void> {
	const {promise: ended, resolve: end} = Promise.withResolvers<void>();
	const output = createOutput(channel, gone, holdings.bytes);
	/** Lengths of queued requests in the order of their replies. */
	const waiting: number[] = [];
	const isFull = () =>
		waiting.length > MOST_WAITING ||
		held.requests > MOST_WAITING_BYTES ||
		(held.requests > OWN_BYTES && holdings.bytes.isFull());

	function answer(packet: Buffer): void {
		held.requests -= waiting.shift() ?? 0;
		held.reading = 0;
		output.write(packet);
		takeAll();
	}

	const queue = createRequestQueue((id, error) => answer(statusPacket(id, statusOf(error))));
	const requests = createFileRequests(ownFiles(inside), {
		answer,
		ready: async () => output.ready(),
		readable(pieces) {
			const some = holdings.bytes.isFull() ? pieces.slice(0, 1) : pieces;
			held.reading = some.reduce((sum, {length}) => sum + length, 0);
			return some;
		},
		slots: holdings.files,
	});

	function take(packet: Buffer): void {
		const reader = readerOf(packet);
		const kind = reader.byte();
		const id = kind === REQUEST.init ? 0 : reader.number();
		const piece =
			kind === REQUEST.read || kind === REQUEST.write
				? readPiece(reader, id, kind === REQUEST.write)
				: undefined;
		waiting.push(packet.length);
		held.requests += packet.length;
		if (piece === undefined) queue.next(id, async () => requests.handle(kind, id, reader));
		else queue.piece(piece, async pieces => requests.move(pieces));
	}

	const takeAll = takeFrom(channel, guard, {isFull, take, onBroken: end});
	channel.on('end', end);
	void gone.then(queue.stop);
	await Promise.race([ended, gone]);
	await queue.idle();
	await requests.close();
}

type Taking = {
	readonly isFull: () => boolean;
	readonly take: (packet: Buffer) => void;
	readonly onBroken: () => void;
};

/**
 * Accepts requests up to the limits. Returns a function that continues; later requests stay unread.
 */
function takeFrom(
	channel: ServerChannel,
	guard: Guard,
	{isFull, take, onBroken}: Taking,
): () => void {
	const packets = createPackets();
	const goOn = guard.action(() => {
		if (channel.listenerCount('data', receive) === 0) return;
		try {
			while (!isFull()) {
				const packet = packets.next();
				if (packet === undefined) return void channel.resume();
				take(packet);
			}
			channel.pause();
		} catch (error) {
			// A malformed packet cannot be resynchronised.
			if (!(error instanceof RangeError)) throw error;
			channel.removeListener('data', receive);
			onBroken();
		}
	});
	const receive = guard.action((bytes: Buffer) => {
		packets.add(bytes);
		goOn();
	});
	channel.on('data', receive);
	return goOn;
}

function createOutput(channel: ServerChannel, gone: Promise<void>, bytes: Bytes) {
	let release: (() => void) | undefined;
	let replies = 0;
	const isFree = () =>
		replies < MOST_REPLIES &&
		(channel.writableLength < OWN_BYTES ||
			(channel.writableLength < MOST_UNSENT && !bytes.isFull()));
	return {
		write(packet: Buffer): void {
			replies += 1;
			channel.write(packet, () => {
				replies -= 1;
				if (isFree()) release?.();
			});
		},
		/** Fulfils when the client has read most of the replies. */
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
