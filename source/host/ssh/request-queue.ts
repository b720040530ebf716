/**
 * Queue of a client's requests, done in order. Neighbouring pieces of a file that wait together are
 * handed over together, as a single disk access.
 */
import type {FileHandle} from 'node:fs/promises';

/** A part of a file to read, or, with data, to write. */
export type Piece = {
	readonly request: number;
	readonly handle: Buffer;
	readonly offset: number;
	readonly length: number;
	readonly data?: Buffer;
};

type Action = () => Promise<void>;

type RequestQueue = {
	/** Runs an action after all earlier ones. */
	readonly next: (request: number, action: Action) => void;
	/**
	 * Runs an action, which returns the number done, on a piece and neighbours that arrive before
	 * its turn.
	 */
	readonly piece: (first: Piece, action: (pieces: readonly Piece[]) => Promise<number>) => void;
	/** Fulfils when all requests are done, including those added meanwhile. */
	readonly idle: () => Promise<void>;
	/** Drops queued requests of a disconnected client. */
	readonly stop: () => void;
};

/** @param refuse Called for each failed request. */
export function createRequestQueue(
	refuse: (request: number, error: unknown) => void,
): RequestQueue {
	let last = Promise.resolve();
	let isStopped = false;
	/** Pieces at the end of the queue, which neighbours can join. */
	let gathered: Piece[] = [];

	function add(action: Action, requests: () => readonly number[]): void {
		const begin = async () => {
			if (!isStopped) await action();
		};
		last = last.then(begin).catch((error: unknown) => {
			for (const request of requests()) refuse(request, error);
		});
	}

	return {
		next(request, action) {
			gathered = [];
			add(action, () => [request]);
		},
		piece(piece, action) {
			if (isNext(gathered, piece)) {
				gathered.push(piece);
				return;
			}
			const pieces = [piece];
			gathered = pieces;
			const begin = async () => {
				if (gathered === pieces) gathered = [];
				pieces.splice(0, await action(pieces));
				if (pieces.length > 0 && !isStopped) await begin();
			};
			add(begin, () => pieces.map(({request}) => request));
		},
		async idle() {
			for (let waited; waited !== last;) {
				waited = last;
				// oxlint-disable-next-line no-await-in-loop -- an answer makes room for requests that waited unread
				await waited;
			}
		},
		stop: () => {
			isStopped = true;
		},
	};
}

/** The most bytes of a disk access: other clients wait for the disk, too. */
const MOST_BYTES = 2 * 1024 * 1024;

function isNext(pieces: readonly Piece[], next: Piece): boolean {
	const [first] = pieces;
	const before = pieces.at(-1);
	if (first === undefined || before === undefined) return false;
	return (
		(before.data === undefined) === (next.data === undefined) &&
		before.handle.equals(next.handle) &&
		before.offset + before.length === next.offset &&
		next.offset + next.length - first.offset <= MOST_BYTES
	);
}

/** Reads consecutive pieces of a file, shorter or empty ones at its end. */
export async function readPieces(
	file: FileHandle,
	pieces: readonly Piece[],
): Promise<ReadonlyArray<readonly [piece: Piece, bytes: Buffer]>> {
	const start = pieces[0]?.offset ?? 0;
	const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
	const bytes = Buffer.allocUnsafe(length);
	let known = 0;
	while (known < length) {
		const {bytesRead} = await file.read(bytes, known, length - known, start + known);
		if (bytesRead === 0) break;
		known += bytesRead;
	}
	return pieces.map(piece => {
		const from = piece.offset - start;
		return [piece, bytes.subarray(from, Math.max(from, Math.min(known, from + piece.length)))];
	});
}

/** Writes consecutive pieces with as few system calls as possible. */
export async function writePieces(file: FileHandle, pieces: readonly Piece[]): Promise<void> {
	let position = pieces[0]?.offset ?? 0;
	let rest: readonly Buffer[] = pieces.flatMap(({data}) => data ?? []);
	while (rest.length > 0) {
		const {bytesWritten} = await file.writev(rest, position);
		position += bytesWritten;
		rest = withoutFirst(rest, bytesWritten);
	}
}

/** Buffers without their first bytes, cut within a buffer if needed. */
function withoutFirst(buffers: readonly Buffer[], bytes: number): readonly Buffer[] {
	let gone = bytes;
	return buffers.flatMap(buffer => {
		const part = buffer.subarray(Math.min(gone, buffer.length));
		gone -= buffer.length - part.length;
		return part.length === 0 ? [] : [part];
	});
}
