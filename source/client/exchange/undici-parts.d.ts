/** A file of undici that is loaded separately: loading the whole package takes twice as long. */
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
	export {EnvHttpProxyAgent as default} from 'undici';
}

/**
 * A function that takes the dispatcher as `this`: only the whole package adds it to all of them.
 */
declare module 'undici/lib/api/api-request.js' {
	import type {Dispatcher} from 'undici';

	export default function request(
		this: Dispatcher,
		options: Dispatcher.RequestOptions & {readonly origin: string},
	): Promise<Dispatcher.ResponseData>;
}
