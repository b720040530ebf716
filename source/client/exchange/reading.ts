/** Reads an address that is no endpoint, through the service's proxy and certificates and without the key. */
import {StringDecoder} from 'node:string_decoder';
import {openConnections, type Connections, type Environment} from './connections.ts';

/** Deepest nesting: no reply of the contract has more than ten levels of lists and records. */
const DEEPEST = 100;
/** Most lists and records in a reply: a list of 60,000 offers has some 200,000. */
const MOST_RECORDS = 2_000_000;
const MOST_NAMES = 100_000;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [LIST, LIST_END, RECORD, RECORD_END] = [0x5b, 0x5d, 0x7b, 0x7d];

type TakeBytes = (bytes: Uint8Array) => void;

/**
 * Throws a RangeError at the first byte at which a text is too deep or too large for a reply,
 * before it is parsed: a few bytes each can cost a parser seconds and gigabytes.
 */
export function openReplyBounds(): TakeBytes {
	/** Count of names of each open record, by its depth. */
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

type Page = {
	readonly status: number;
	/** Target of a redirect. */
	readonly location: string | undefined;
	/** Empty for any status but 200. */
	readonly text: string;
};

type ReadOptions = {
	readonly signal: AbortSignal;
	/** @throws RangeError for more */
	readonly longestBytes: number;
};

/** Reads once; redirects are not followed. */
export type Read = (address: URL, options: ReadOptions) => Promise<Page>;

type ReaderOptions = {
	readonly origin: string;
	readonly connections: Connections;
	readonly environment: Environment;
	readonly userAgent: string;
};

export function createRead({origin, connections, environment, userAgent}: ReaderOptions): Read {
	return async ({origin: other, pathname, search}, {signal, longestBytes}) => {
		const isOwn = other === origin;
		const opened = isOwn ? connections : openConnections(other, environment);
		try {
			const {statusCode, headers, body, drop} = await opened.request({
				method: 'GET',
				path: pathname + search,
				headers: {'user-agent': userAgent},
				signal,
			});
			const {location} = headers;
			const text = statusCode === 200 ? await readText(body, longestBytes) : '';
			if (statusCode !== 200) await drop();
			return {
				status: statusCode,
				location: typeof location === 'string' ? location : undefined,
				text,
			};
		} finally {
			if (!isOwn) await opened.close();
		}
	};
}

/** @throws RangeError for more bytes */
async function readText(body: AsyncIterable<Buffer>, longestBytes: number): Promise<string> {
	return (await readParts(body, longestBytes)).join('');
}

/**
 * A text in the parts in which it arrived: joining a long reply takes as long as several key
 * presses, and as much memory again.
 *
 * @throws RangeError for more bytes, or if `take` refuses
 */
export async function readParts(
	body: AsyncIterable<Buffer>,
	longestBytes: number,
	/** Called with each chunk before it is kept; a RangeError refuses the reply. */
	take: TakeBytes = () => undefined,
): Promise<readonly string[]> {
	const decoder = new StringDecoder('utf8');
	const parts: string[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > longestBytes) throw new RangeError('the answer is too long');
		take(chunk);
		parts.push(decoder.write(chunk));
	}
	return [...parts, decoder.end()];
}
