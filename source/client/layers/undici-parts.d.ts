/** A file of undici that is loaded by itself: the whole package takes twice as long. */
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
	export {EnvHttpProxyAgent as default} from 'undici';
}
