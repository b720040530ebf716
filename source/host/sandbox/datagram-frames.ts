/** Datagrams on a stream: each with its length before it. */
import type {Writable} from 'node:stream';

const HEADER_BYTES = 2;

/** Most buffered bytes of a stream; further datagrams are dropped, as UDP allows. */
const MOST_WAITING = 256 * 1024;

/** Writes a datagram, or drops it if the other end reads too slowly. */
export function writeDatagram(stream: Writable, datagram: Uint8Array): void {
	if (!stream.writable || stream.writableLength > MOST_WAITING) return;
	const header = Buffer.alloc(HEADER_BYTES);
	header.writeUInt16BE(datagram.length);
	stream.write(Buffer.concat([header, datagram]));
}

/** Splits a stream into its datagrams. Takes chunks of any size, and returns the complete ones. */
export function createDatagramReader(): (bytes: Buffer) => readonly Buffer[] {
	let rest: Buffer = Buffer.alloc(0);
	return bytes => {
		const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
		const datagrams: Buffer[] = [];
		let from = 0;
		while (all.length - from >= HEADER_BYTES) {
			const end = from + HEADER_BYTES + all.readUInt16BE(from);
			if (end > all.length) break;
			datagrams.push(all.subarray(from + HEADER_BYTES, end));
			from = end;
		}
		rest = all.subarray(from);
		return datagrams;
	};
}
