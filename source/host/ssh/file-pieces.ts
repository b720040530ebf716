/** Reads and writes pieces of a file that follow each other, with as few calls as the system allows. */
import type {FileHandle} from 'node:fs/promises';
import type {Piece} from './request-queue.ts';

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
