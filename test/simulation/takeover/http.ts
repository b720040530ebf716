/** A server of `node:http` and the listener of `@hono/node-server`, which meet on the network of the world. */
import {EventEmitter} from 'node:events';
import {noteDone} from '../tried.ts';
import {here as processHere} from '../world/world.ts';
import {serveAt, stopServing} from './network.ts';
import {asRead, asWritten} from './older.ts';

type Fetch = (
	request: Request,
	bindings: {readonly incoming: unknown; readonly outgoing: Outgoing},
) => Response | Promise<Response>;

type Outgoing = EventEmitter & {readonly setHeader: (name: string, value: string) => void};

type Incoming = {readonly request: Request; readonly done: (response: Promise<Response>) => void};

/** Takes the place of the listener: it hands over the request that the network has made. */
export function getRequestListener(fetch: Fetch) {
	return (incoming: Incoming, outgoing: Outgoing) => {
		incoming.done(Promise.resolve(fetch(incoming.request, {incoming, outgoing})));
	};
}

export class RequestError extends Error {}

let ports = 9000;

class Server extends EventEmitter {
	listening = false;
	#port = 0;
	#origin = '';

	listen(port: number, address: string): this {
		ports += 1;
		this.#port = port === 0 ? ports : port;
		this.#origin = `http://${address}:${this.#port}`;
		const process = processHere();
		serveAt(this.#origin, async (asked, signal) => {
			const sent = asRead(asked, process);
			const request = new Request(`${this.#origin}${sent.path}`, {
				method: sent.method,
				headers: sent.headers,
				signal,
				...(sent.body !== null && {body: sent.body}),
			});
			const headers: Record<string, string> = {};
			const outgoing = Object.assign(new EventEmitter(), {
				setHeader: (name: string, value: string) => {
					headers[name] = value;
				},
			});
			const response = await new Promise<Response>(done => {
				const facts = {httpVersion: '1.1', headers: {host: 'market'}, url: sent.path};
				const socket = {remoteAddress: '127.0.0.1'};
				this.emit('request', {...facts, request, done, socket}, outgoing);
			});
			outgoing.emit('close');
			if (response.ok) noteDone(sent.method, sent.path);
			const text = await response.text();
			const received = {
				status: response.status,
				headers: {...Object.fromEntries(response.headers), ...headers},
				text,
			};
			return asWritten(received, process);
		});
		this.listening = true;
		queueMicrotask(() => process.isAlive && this.emit('listening'));
		return this;
	}

	address() {
		return {family: 'IPv4', address: '127.0.0.1', port: this.#port};
	}

	close(): void {
		stopServing(this.#origin);
		this.listening = false;
		queueMicrotask(() => this.emit('close'));
	}

	closeAllConnections(): void {}
	closeIdleConnections(): void {}
}

export const createServer = () => new Server();

/** A webhook that cannot be reached. */
export function requestNothing(): never {
	throw Object.assign(new Error('connect ECONNREFUSED'), {code: 'ECONNREFUSED'});
}

export {requestNothing as request};

/** A machine of a world has no proxy. */
export const setGlobalProxyFromEnv = () => () => undefined;
