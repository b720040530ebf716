/** Services that say what a test has them say, and clients that are closed with it. */
import {createServer} from 'node:http';
import type {RequestListener} from 'node:http';
import {openClient} from '../../../source/client/client.ts';

/** A client of a service, closed at the end of the test. */
export function openTestClient(options: Parameters<typeof openClient>[0]) {
	const client = openClient(options);
	return {...client, [Symbol.asyncDispose]: client.close};
}

/** A service that answers as it is told to. */
export async function openToldService(answer: RequestListener) {
	const server = createServer(answer);
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
	return {
		url: `http://127.0.0.1:${address.port}`,
		server,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

/** Answers everything with one body. */
export function saying(body: unknown, status = 200): RequestListener {
	return (_, response) => {
		response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
	};
}
