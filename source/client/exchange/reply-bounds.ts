/** Bounds of a reply that hold before it is parsed: a few bytes each can cost a parser seconds and gigabytes. */

/** No reply of the contract has more than ten lists and records within each other. */
const DEEPEST = 100;
/** Lists and records in a reply: a list of 60,000 offers has some 200,000. */
const MOST_RECORDS = 2_000_000;
/** Names in one record: none has more than a list has lines. */
const MOST_NAMES = 100_000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [LIST, LIST_END, RECORD, RECORD_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Takes the bytes of a JSON text as they come, in as many parts as they come in. */
export type TakeBytes = (bytes: Uint8Array) => void;

/** Refuses by a RangeError what no reply is, at the byte at which that shows. */
export function openReplyBounds(): TakeBytes {
	/** Names so far of each record that is open, by how deep it is. */
	const names = new Int32Array(DEEPEST + 1);
	let [depth, records] = [0, 0];
	let [isText, isEscaped] = [false, false];

	function open(): void {
		depth += 1;
		records += 1;
		if (depth > DEEPEST) throw new RangeError('the answer has too many lists within lists');
		if (records > MOST_RECORDS) throw new RangeError('the answer has too many records');
		names[depth] = 0;
	}

	function name(): void {
		const count = (names[depth] ?? 0) + 1;
		if (count > MOST_NAMES) throw new RangeError('the answer has a record with too many names');
		names[depth] = count;
	}

	function takeText(byte: number): void {
		if (isEscaped) isEscaped = false;
		else if (byte === BACKSLASH) isEscaped = true;
		else if (byte === QUOTE) isText = false;
	}

	return bytes => {
		for (const byte of bytes) {
			if (isText) takeText(byte);
			else if (byte === QUOTE) isText = true;
			else if (byte === LIST || byte === RECORD) open();
			else if (byte === LIST_END || byte === RECORD_END) depth = Math.max(0, depth - 1);
			else if (byte === COLON) name();
		}
	};
}
