/**
 * Takes an engine's stream of a container without a terminal apart: what it says and what it
 * complains of come in frames, each behind a header of eight bytes.
 */

export type Channel = 'output' | 'complaint';

export type Part = {readonly channel: Channel; readonly bytes: Buffer};

const HEADER_BYTES = 8;
const LENGTH_AT = 4;

/** The number of the channel of complaints; all others are output. */
const COMPLAINTS = 2;

/** Takes bytes as they come, cut anywhere, and answers what of their contents is there already. */
export function createDemultiplexer(): (bytes: Buffer) => readonly Part[] {
	const header = Buffer.alloc(HEADER_BYTES);
	let headerBytes = 0;
	/** Bytes that are missing from the present frame. Frames may be larger than memory. */
	let missing = 0;

	return bytes => {
		const parts: Part[] = [];
		let from = 0;
		while (from < bytes.length) {
			if (missing === 0) {
				const taken = bytes.copy(header, headerBytes, from, from + HEADER_BYTES - headerBytes);
				headerBytes += taken;
				from += taken;
				if (headerBytes < HEADER_BYTES) break;
				headerBytes = 0;
				missing = header.readUInt32BE(LENGTH_AT);
				continue;
			}
			const part = bytes.subarray(from, from + missing);
			parts.push({channel: header[0] === COMPLAINTS ? 'complaint' : 'output', bytes: part});
			missing -= part.length;
			from += part.length;
		}
		return parts;
	};
}

/** All that a whole stream says, in its order. */
export function plainBytes(stream: Buffer): Buffer {
	return Buffer.concat(createDemultiplexer()(stream).map(part => part.bytes));
}
