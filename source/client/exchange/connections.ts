/**
 * The sockets to one service: one pool, kept alive, or a proxy's pool where the environment names a
 * proxy.
 */
import {Pool, type Dispatcher} from 'undici';
import request from 'undici/lib/api/api-request.js';

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Connections = {
	readonly request: (
		options: Omit<Dispatcher.RequestOptions, 'origin'>,
	) => Promise<Dispatcher.ResponseData>;
	/** Ends every connection. */
	readonly close: () => Promise<void>;
};

const MOST_CONNECTIONS = 8;

const sockets = {connections: MOST_CONNECTIONS, allowH2: false};

/** The pool of a proxy makes tunnels: only a whole pool can. */
const clientFactory = (proxy: URL, options: object) => new Pool(proxy, options);

export function openConnections(origin: string, environment: Environment): Connections {
	const proxies = proxiesFor(new URL(origin), environment);
	if (proxies === undefined) {
		const pool = new Pool(origin, sockets);
		return {
			request: async options => pool.request({...options, origin}),
			close: async () => pool.destroy(),
		};
	}
	// Proxies are rare and their code is large: it is loaded with the first call.
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
			return request.call(await loading, {...options, origin});
		},
		close: async () => (await loading)?.destroy(),
	};
}

type Proxies = {
	readonly httpProxy: string;
	readonly httpsProxy: string;
	readonly noProxy: string;
};

/** Proxy settings from the environment; undefined where none applies to this service. */
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
