/** The client's connections: requests on the network of the world. */
import {send} from './network.ts';

type Options = {
	readonly method: string;
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | null;
	readonly signal?: AbortSignal;
};

async function* bytesOf(text: string) {
	if (text !== '') yield Buffer.from(text);
}

export class Pool {
	readonly #origin: string;

	constructor(origin: string) {
		this.#origin = origin;
	}

	async request({method, path, headers = {}, body = null, signal}: Options) {
		const received = await send(this.#origin, {method, path, headers, body, signal});
		const text = bytesOf(received.text);
		return {
			statusCode: received.status,
			headers: received.headers,
			body: Object.assign(text, {dump: async () => undefined, destroy: () => undefined}),
		};
	}

	async destroy(): Promise<void> {}
	async close(): Promise<void> {}
}

/** Programs that ask for a proxy have none here. */
// oxlint-disable-next-line import/no-default-export -- as the module that it stands for
export default function request(): never {
	throw new Error('there is no proxy in a simulated world');
}
