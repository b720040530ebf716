import {createServer} from 'node:http';

/** Offers as a service sends them, each with a name of its GPU where it has none. */
export type OfferAnswer = ReadonlyArray<{readonly id: number; readonly [field: string]: unknown}>;

/** A service whose offers are whatever the test says, and that notes down what it is asked. */
export async function openOfferAnswers(first: OfferAnswer) {
	let offers = first;
	const asked: unknown[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8');
		request.on('data', (part: string) => (body += part));
		request.on('end', () => {
			if (!request.url?.endsWith('/bundles/')) {
				response.writeHead(404).end();
				return;
			}
			asked.push(JSON.parse(body));
			const complete = offers.map(offer => ({gpu_name: `GPU ${offer.id}`, ...offer}));
			response.writeHead(200, {'content-type': 'application/json'});
			response.end(JSON.stringify({offers: complete}));
		});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		service: {url: `http://127.0.0.1:${port}`, key: 'k'},
		asked,
		change: (next: OfferAnswer) => (offers = next),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}
