/**
 * TensorBoard's event files, read in pieces: records of a length, its checksum, a message and its
 * checksum. The file is untrusted: lengths are bounded, both checksums are verified, and only the
 * scalars of a message are used.
 */

export type ScalarEvent = {
	readonly tag: string;
	readonly step: number;
	readonly value: number;
	/** Milliseconds since 1970. */
	readonly at: number | undefined;
};

type EventPiece = {
	readonly scalars: readonly ScalarEvent[];
	/** Number of bytes consumed; an incomplete record is left for the next piece. */
	readonly used: number;
	/** True if a checksum is wrong: records after it have no known boundaries. */
	readonly isDamaged: boolean;
};

const HEAD = 12;
const SUM = 4;
/** Longest message that is read: images and histograms are larger, and skipped. */
const LONGEST_MESSAGE = 32_768;
const LONGEST_TAG = 200;

/** Reads whole records from the beginning of a piece. */
export function readEvents(bytes: Uint8Array): EventPiece {
	const view = viewOf(bytes);
	const scalars: ScalarEvent[] = [];
	let used = 0;
	while (used + HEAD <= bytes.length) {
		const length = view.getUint32(used, true);
		const isHead = view.getUint32(used + 8, true) === maskedSum(bytes.subarray(used, used + 8));
		if (!isHead || view.getUint32(used + 4, true) !== 0) return {scalars, used, isDamaged: true};
		const end = used + HEAD + length + SUM;
		if (length <= LONGEST_MESSAGE) {
			if (end > bytes.length) break;
			const message = bytes.subarray(used + HEAD, end - SUM);
			if (view.getUint32(end - SUM, true) !== maskedSum(message))
				return {scalars, used, isDamaged: true};
			scalars.push(...scalarsIn(message));
		}
		used = end;
	}
	return {scalars, used, isDamaged: false};
}

const table = Uint32Array.from({length: 256}, (_, byte) => {
	let sum = byte;
	for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0x82_f6_3b_78 : sum >>> 1;
	return sum;
});

/** CRC-32C, rotated and offset as in these files. */
export function maskedSum(bytes: Uint8Array): number {
	let sum = 0xff_ff_ff_ff;
	for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
	const whole = ~sum >>> 0;
	return (((whole >>> 15) | (whole << 17)) + 0xa2_82_ea_d8) >>> 0;
}

/** A field of a message: its bytes, or its number. */
type Field = {readonly id: number; readonly bytes: Uint8Array; readonly whole: number};

const none = new Uint8Array();
const viewOf = (bytes: Uint8Array) =>
	new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Fields of a message, up to the first unreadable one. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
	for (let at = 0; at < bytes.length;) {
		const key = varint(bytes, at);
		const extent = key && extentOf(bytes, key.value % 8, key.end);
		if (key === undefined || extent === undefined) return;
		const {from, end, whole} = extent;
		if (end > bytes.length) return;
		yield {id: Math.floor(key.value / 8), bytes: bytes.subarray(from, end), whole};
		at = end;
	}
}

/** Start and end of a value by its kind: of a number, eight bytes, a length, or four. */
function extentOf(bytes: Uint8Array, kind: number, from: number) {
	if (kind === 1) return {from, end: from + 8, whole: NaN};
	if (kind === 5) return {from, end: from + 4, whole: NaN};
	const number = kind === 0 || kind === 2 ? varint(bytes, from) : undefined;
	if (number === undefined) return undefined;
	const {value, end} = number;
	return {from: end, end: kind === 2 ? end + value : end, whole: kind === 0 ? value : NaN};
}

/** A varint, seven bits per byte; undefined if it does not end. */
function varint(bytes: Uint8Array, from: number) {
	let value = 0;
	for (let at = from; at < Math.min(from + 10, bytes.length); at++) {
		const byte = bytes[at] ?? 0;
		value += (byte % 128) * 2 ** (7 * (at - from));
		if (byte < 128) return {value, end: at + 1};
	}
	return undefined;
}

function scalarsIn(message: Uint8Array): readonly ScalarEvent[] {
	let at: number | undefined;
	let step = 0;
	const values: Array<{readonly tag: string; readonly value: number}> = [];
	for (const field of fieldsOf(message)) {
		if (field.id === 1) at = momentOf(floatIn(field.bytes));
		if (field.id === 2) step = field.whole;
		if (field.id === 5)
			for (const {id, bytes} of fieldsOf(field.bytes)) if (id === 1) values.push(...valueIn(bytes));
	}
	if (!Number.isSafeInteger(step)) return [];
	return values.map(one => ({...one, step, at}));
}

/** Times from 2001 to 2286; other numbers are no times. */
const momentOf = (seconds: number | undefined) =>
	seconds !== undefined && seconds > 1e9 && seconds < 1e10 ? Math.round(seconds * 1000) : undefined;

function valueIn(bytes: Uint8Array) {
	let tag = '';
	let value: number | undefined;
	for (const field of fieldsOf(bytes)) {
		if (field.id === 1) tag = new TextDecoder().decode(field.bytes.subarray(0, LONGEST_TAG));
		if (field.id === 2) value = floatIn(field.bytes);
		if (field.id === 8) value ??= scalarOf(field.bytes);
	}
	return value === undefined || tag === '' ? [] : [{tag, value}];
}

/** The number in a tensor that has one: as bytes, or in a list of floats or doubles. */
function scalarOf(tensor: Uint8Array): number | undefined {
	for (const {id, bytes} of fieldsOf(tensor)) {
		if (id === 4 || id === 5 || id === 6) return floatIn(bytes);
	}
	return undefined;
}

function floatIn(bytes: Uint8Array): number | undefined {
	if (bytes.length === 4) return viewOf(bytes).getFloat32(0, true);
	return bytes.length === 8 ? viewOf(bytes).getFloat64(0, true) : undefined;
}

/** Bytes from the output of `base64` or `od -An -v -tx1`; undefined if it is neither. */
export function bytesIn(text: string, encoding: '64' | 'hex'): Uint8Array | undefined {
	const plain = text.replaceAll(/\s+/g, '');
	const isWhole = (encoding === '64' ? /^[A-Za-z\d+/]*={0,2}$/ : /^(?:[\da-f]{2})*$/).test(plain);
	if (!isWhole) return undefined;
	const bytes = Buffer.from(plain, encoding === '64' ? 'base64' : 'hex');
	return bytes.length === 0 ? none : new Uint8Array(bytes);
}
