/**
 * Queue of a client's requests, done one after the other in their order. Neighbouring pieces of a
 * file that wait together are handed over together: the disk is then asked once for all.
 */

/** A part of a file that is asked for, or that is written, where there is data. */
export type Piece = {
	readonly request: number;
	readonly handle: Buffer;
	readonly offset: number;
	readonly length: number;
	readonly data?: Buffer;
};

type Action = () => Promise<void>;

export type RequestQueue = {
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
