import {mkdtempSync, rmSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	readPieces,
	writePieces,
	createRequestQueue,
	type Piece,
} from '../../../source/host/ssh/request-queue.ts';
import {runs} from '../../helpers/property.ts';

const [one, other] = [Buffer.from([1]), Buffer.from([2])];

function pieceAt(request: number, offset: number, piece: Partial<Piece> = {}): Piece {
	return {request, handle: one, offset, length: 10, ...piece};
}

/** A queue, and what it does: the requests of each turn. */
function openQueue() {
	const turns: Array<readonly number[]> = [];
	const refused: number[] = [];
	const queue = createRequestQueue(request => refused.push(request));
	return {
		...queue,
		turns,
		refused,
		take: (piece: Piece) =>
			queue.piece(piece, async pieces => {
				turns.push(pieces.map(({request}) => request));
				return pieces.length;
			}),
		other: (request: number) => queue.next(request, async () => void turns.push([request])),
	};
}

test('pieces that follow each other are done in one turn', async () => {
	const queue = openQueue();
	for (const request of [1, 2, 3]) queue.take(pieceAt(request, request * 10));
	await queue.idle();
	queue.take(pieceAt(4, 40));
	await queue.idle();
	expect(queue.turns).toEqual([[1, 2, 3], [4]]);
});

test.each([
	['with something else between them', pieceAt(3, 10), true],
	['of another file', pieceAt(3, 10, {handle: other}), false],
	['with a gap between them', pieceAt(3, 11), false],
	['of which one is read and one is written', pieceAt(3, 10, {data: Buffer.alloc(10)}), false],
	['that are too much for one turn', pieceAt(3, 10, {length: 3_000_000}), false],
])('pieces %s are done one after the other', async (_name, second, hasOther) => {
	const queue = openQueue();
	queue.take(pieceAt(1, 0));
	if (hasOther) queue.other(2);
	queue.take(second);
	await queue.idle();
	expect(queue.turns).toEqual(hasOther ? [[1], [2], [3]] : [[1], [3]]);
});

async function fail(): Promise<never> {
	throw new Error('full');
}

test('each request of a turn that fails is refused, and the next one is done', async () => {
	const queue = openQueue();
	for (const request of [1, 2]) queue.piece(pieceAt(request, request * 10), fail);
	queue.other(3);
	await queue.idle();
	expect([queue.refused, queue.turns]).toEqual([[1, 2], [[3]]]);
});

test('of a turn that fails after its first request, the others alone are refused', async () => {
	const queue = openQueue();
	let done = 0;
	const first = async () => ((done += 1) > 1 ? fail() : 1);
	for (const request of [1, 2, 3]) queue.piece(pieceAt(request, request * 10), first);
	await queue.idle();
	expect(queue.refused).toEqual([2, 3]);
});

/** Neighbouring pieces of these lengths. */
function cut(sizes: readonly number[]): readonly Piece[] {
	let end = 0;
	return sizes.map((length, request) => pieceAt(request, (end += length) - length, {length}));
}

test('what is written in pieces is read in pieces, to the end of the file and no further', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-pieces-'));
	const lengths = fc.array(fc.integer({min: 0, max: 50}), {minLength: 1, maxLength: 20});
	try {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({maxLength: 300}), lengths, lengths, async (bytes, ...all) => {
				await using file = await open(join(folder, 'file'), 'w+');
				const [into, outOf] = all.map(cut);
				const written = (into ?? []).map(piece => ({
					...piece,
					data: Buffer.from(bytes.subarray(piece.offset, piece.offset + piece.length)),
				}));
				await writePieces(file, written);
				const kept = Buffer.concat(written.map(({data}) => data));
				for (const [{offset, length}, part] of await readPieces(file, outOf ?? [])) {
					expect(part).toEqual(kept.subarray(offset, offset + length));
				}
			}),
			{numRuns: runs(50)},
		);
	} finally {
		rmSync(folder, {recursive: true});
	}
});
