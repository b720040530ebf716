/** Reading an address that is no endpoint: by the proxies and certificates of the service, without the key. */
import {StringDecoder} from 'node:string_decoder';
import type {TakeBytes} from './reply-bounds.ts';
import {openConnections, type Connections, type Environment} from './connections.ts';

export type Page = {
	readonly status: number;
	/** Target of a redirect. */
	readonly location: string | undefined;
	/** Empty for any status but 200. */
	readonly text: string;
};

export type ReadOptions = {
	readonly signal: AbortSignal;
	/** @throws RangeError where more comes */
	readonly longestBytes: number;
};

/** Reads once; redirects are not followed. */
export type Read = (address: URL, options: ReadOptions) => Promise<Page>;

type Given = {
	/** The service, whose connections are used again. */
	readonly origin: string;
	readonly connections: Connections;
	readonly environment: Environment;
	readonly userAgent: string;
};

export function createRead({origin, connections, environment, userAgent}: Given): Read {
	return async ({origin: other, pathname, search}, {signal, longestBytes}) => {
		const isOwn = other === origin;
		const opened = isOwn ? connections : openConnections(other, environment);
		try {
			const {statusCode, headers, body} = await opened.request({
				method: 'GET',
				path: pathname + search,
				headers: {'user-agent': userAgent},
				signal,
			});
			const {location} = headers;
			const text = statusCode === 200 ? await readText(body, longestBytes) : '';
			if (statusCode !== 200) await body.dump();
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

/** @throws RangeError where more bytes come */
async function readText(body: AsyncIterable<Buffer>, longestBytes: number): Promise<string> {
	return (await readParts(body, longestBytes)).join('');
}

/**
 * A text in the parts in which it came: to make one of a long answer takes as long as several keys
 * have, and as much memory again.
 *
 * @throws RangeError where more bytes come, or what `take` refuses
 */
export async function readParts(
	body: AsyncIterable<Buffer>,
	longestBytes: number,
	/** Told of all bytes before they are kept: it refuses them by a RangeError. */
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
