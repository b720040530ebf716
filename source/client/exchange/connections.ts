/**
 * The sockets to one service: one pool, kept alive, or a proxy's pool if the environment names a
 * proxy.
 */
import {Pool, type Dispatcher} from 'undici';
import requestBy from 'undici/lib/api/api-request.js';

export type Environment = Readonly<Record<string, string | undefined>>;

type Answered = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & {
	readonly body: AsyncIterable<Buffer>;
	/** Discards the body. */
	readonly drop: () => Promise<void>;
};

export type Connections = {
	readonly request: (options: RequestOptions) => Promise<Answered>;
	readonly close: () => Promise<void>;
};

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'body'> & {
	readonly body?: string | null;
};

/** Answers a call in this process, for a service that runs in it. */
export type AnswerHere = (request: Request) => Promise<Response>;

const MOST_CONNECTIONS = 8;

const sockets = {connections: MOST_CONNECTIONS, allowH2: false};

/** Client factory of a proxy's pool: only a whole pool can make tunnels. */
const clientFactory = (proxy: URL, options: object) => new Pool(proxy, options);

export function openConnections(origin: string, environment: Environment): Connections {
	const proxies = proxiesFor(new URL(origin), environment);
	if (proxies === undefined) {
		const pool = new Pool(origin, sockets);
		return {
			request: async options => droppable(await pool.request({...options, origin})),
			close: async () => pool.destroy(),
		};
	}
	// Proxies are rare and their code is large, so it is loaded with the first call.
	let loading: Promise<Dispatcher> | undefined;
	const load = async () => {
		const {default: EnvHttpProxyAgent} =
			await import('undici/lib/dispatcher/env-http-proxy-agent.js');
		const tls = {proxyTls: {allowH2: false}, requestTls: {allowH2: false}};
		return new EnvHttpProxyAgent({...sockets, ...tls, ...proxies, clientFactory});
	};
	return {
		async request(options) {
			loading ??= load();
			return droppable(await requestBy.call(await loading, {...options, origin}));
		},
		close: async () => (await loading)?.destroy(),
	};
}

function droppable({statusCode, headers, body}: Dispatcher.ResponseData): Answered {
	return {statusCode, headers, body, drop: async () => body.dump()};
}

/** Connections without sockets: calls are answered in this process. */
export function connectionsHere(origin: string, answer: AnswerHere): Connections {
	return {
		async request({method, path, headers, body = null}) {
			const given = new Headers();
			for (const [name, value] of Object.entries(headers ?? {})) given.set(name, String(value));
			const call = {method, headers: given, ...(body !== null && {body})};
			const response = await answer(new Request(new URL(path, origin), call));
			const whole = async () => Buffer.from(await response.arrayBuffer());
			return {
				statusCode: response.status,
				headers: Object.fromEntries(response.headers),
				body: chunksOf(whole),
				drop: async () => void (await whole()),
			};
		},
		close: async () => undefined,
	};
}

async function* chunksOf(whole: () => Promise<Buffer>): AsyncGenerator<Buffer> {
	yield await whole();
}

type Proxies = {
	readonly httpProxy: string;
	readonly httpsProxy: string;
	readonly noProxy: string;
};

/** Proxy settings from the environment; undefined if none applies to this service. */
export function proxiesFor(
	{protocol, hostname}: URL,
	environment: Environment,
): Proxies | undefined {
	const named = (name: string) => environment[name] || environment[name.toUpperCase()] || '';
	const httpProxy = named('http_proxy');
	const httpsProxy = named('https_proxy');
	const proxy = protocol === 'https:' ? httpsProxy : httpProxy;
	// A service on this machine is never behind a proxy.
	if (proxy === '' || isLoopback(hostname)) return undefined;
	return {httpProxy, httpsProxy, noProxy: named('no_proxy')};
}

function isLoopback(hostname: string): boolean {
	return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
