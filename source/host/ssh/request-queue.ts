/**
 * Queue of a client's requests, done one after the other in their order. Neighbouring pieces of a
 * file that wait together are handed over together: the disk is then asked once for all.
 */
import type {FileHandle} from 'node:fs/promises';

/** A part of a file that is asked for, or that is written, where there is data. */
export type Piece = {
	readonly request: number;
	readonly handle: Buffer;
	readonly offset: number;
	readonly length: number;
	readonly data?: Buffer;
};

type Action = () => Promise<void>;

type RequestQueue = {
	/** Does something when all before it is done. */
	readonly next: (request: number, action: Action) => void;
	/** The same for a piece, and for those that follow it and come before it is its turn. */
	readonly piece: (first: Piece, action: (pieces: readonly Piece[]) => Promise<void>) => void;
	/** Fulfils when all is done that was asked for so far. */
	readonly idle: () => Promise<void>;
	/** Drops what waits: whoever asked for it is gone. */
	readonly stop: () => void;
};

/** @param refuse Told each request of which something failed. */
export function createRequestQueue(
	refuse: (request: number, error: unknown) => void,
): RequestQueue {
	let last = Promise.resolve();
	let isStopped = false;
	/** The pieces at the end of the queue, as long as nothing else stands there. */
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
				await action(pieces);
			};
			add(begin, () => pieces.map(({request}) => request));
		},
		idle: async () => last,
		stop: () => {
			isStopped = true;
		},
	};
}

/** The most that is read or written at once: others wait for the disk, too. */
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

/** Reads pieces of a file: shorter ones, or none, at its end. */
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

/** Writes pieces that follow each other, with as few calls as the system allows. */
export async function writePieces(file: FileHandle, pieces: readonly Piece[]): Promise<void> {
	let position = pieces[0]?.offset ?? 0;
	let rest: readonly Buffer[] = pieces.flatMap(({data}) => data ?? []);
	while (rest.length > 0) {
		const {bytesWritten} = await file.writev(rest, position);
		position += bytesWritten;
		rest = withoutFirst(rest, bytesWritten);
	}
}

/** Buffers without so many of their bytes, which may end in the middle of one. */
function withoutFirst(buffers: readonly Buffer[], bytes: number): readonly Buffer[] {
	let gone = bytes;
	return buffers.flatMap(buffer => {
		const part = buffer.subarray(Math.min(gone, buffer.length));
		gone -= buffer.length - part.length;
		return part.length === 0 ? [] : [part];
	});
}
