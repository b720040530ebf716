/** What bad networks and services do to one exchange. */
import type {IncomingHttpHeaders, ServerResponse} from 'node:http';

/** A request that arrived. Of the key it is only told whether there was one. */
export type SeenRequest = {
	readonly method: string;
	/** With the query. */
	readonly path: string;
	readonly hasKey: boolean;
	readonly body: string;
};

export type Reply = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	readonly body: Buffer;
};

/** What a fault has in its hands. */
export type Exchange = {
	readonly request: SeenRequest;
	readonly response: ServerResponse;
	/** Lets the service act, and gives what it answers. */
	readonly forward: () => Promise<Reply>;
	/** Resolves when another reply than this has been sent. */
	readonly otherReply: () => Promise<void>;
};

/** What happens to one exchange instead of its being passed on. */
export type Fault = (exchange: Exchange) => Promise<void> | void;

/** Something that waits until it is let go. */
export function createGate() {
	const {promise, resolve} = Promise.withResolvers<void>();
	return {opened: promise, open: resolve};
}

export const passOn: Fault = async ({forward: act, response}) => send(response, await act());

/** The service never hears of it. */
export const dropRequest: Fault = ({response}) => {
	response.destroy();
};

/** The service acts, and nobody hears what it says. */
export const dropReply: Fault = async ({forward: act, response}) => {
	await act();
	response.destroy();
};

/** The reply breaks off after so many bytes of its body. */
export function cutReply(atByte: number): Fault {
	return async ({forward: act, response}) => {
		const {status, headers, body} = await act();
		response.writeHead(status, {...headersOf(headers), 'content-length': body.length});
		const part = body.subarray(0, atByte);
		await new Promise<void>(resolve => {
			response.flushHeaders();
			if (part.length === 0) setImmediate(resolve);
			else response.write(part, () => resolve());
		});
		response.destroy();
	};
}

/** The service hears of it, or its reply goes on, only when a gate is opened. */
export function delayed(until: Promise<void>, where: 'request' | 'reply' = 'reply'): Fault {
	return async ({forward: act, response}) => {
		if (where === 'request') await until;
		const reply = await act();
		await until;
		send(response, reply);
	};
}

/** Nothing is answered until a gate is opened, and then the connection ends. */
export function silent(until: Promise<void> = new Promise(() => undefined), acts = false): Fault {
	return async ({forward: act, response}) => {
		if (acts) await act();
		await until;
		response.destroy();
	};
}

export type Answer = {
	readonly status: number;
	/** JSON, unless it is text. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** Whether the service acts before. */
	readonly acts?: boolean;
};

/** Something in between answers in the place of the service. */
export function answered({status, body = {}, headers = {}, acts = false}: Answer): Fault {
	return async ({forward: act, response}) => {
		if (acts) await act();
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		response.writeHead(status, {'content-type': 'application/json', ...headers}).end(text);
	};
}

/** The reply says something else. */
export function rewritten(change: (body: unknown) => unknown): Fault {
	return async ({forward: act, response}) => {
		const {status, headers, body} = await act();
		const text = JSON.stringify(change(JSON.parse(body.toString('utf8'))));
		const {date} = headersOf(headers);
		response.writeHead(status, {'content-type': 'application/json', ...(date && {date})}).end(text);
	};
}

/** A page for people where JSON should be, after the service has acted or in its place. */
export function html({status = 200, acts = false} = {}): Fault {
	const body = '<!doctype html><title>Sign in</title>';
	return answered({status, body, headers: {'content-type': 'text/html'}, acts});
}

/** The reply as it is, by another name. */
export function typed(contentType: string): Fault {
	return async ({forward: act, response}) => {
		const {headers, ...reply} = await act();
		send(response, {...reply, headers: {...headers, 'content-type': contentType}});
	};
}

/** Another place is named for the call. */
export function redirected(location: string, status = 307): Fault {
	return answered({status, headers: {location}});
}

/** The reply arrives after that of a later request. */
export const overtaken: Fault = async ({forward: act, otherReply, response}) => {
	const other = otherReply();
	const reply = await act();
	await other;
	send(response, reply);
};

/** The reply arrives, and then the connection that was to be kept alive ends. */
export const hungUp: Fault = async ({forward: act, response}) => {
	const {socket} = response;
	send(response, await act());
	response.on('finish', () => socket?.end());
};

function send(response: ServerResponse, {status, headers, body}: Reply): void {
	response.writeHead(status, headersOf(headers)).end(body);
}

/** Headers that are about a message, not about one of the two connections. */
function headersOf(headers: Reply['headers']): IncomingHttpHeaders {
	const {connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest} = headers;
	return Object.fromEntries(
		Object.entries(rest).map(([name, value]) => [
			name,
			typeof value === 'object' ? [...value] : value,
		]),
	);
}
