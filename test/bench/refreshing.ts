import {Worker} from 'node:worker_threads';
import {printOfferSearch} from '../../source/contract/nouns/offer-search.ts';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {defaultSearch} from '../../source/console/screens/offers/search.ts';
import {openMarket} from '../../source/market/open.ts';

/** How many of the rows have another price in every answer: one of so many. */
const ONE_OF = 20;

/** What the worker runs: it answers searches with one body after the other. */
const program = `
	const {createServer} = require('node:http');
	const {parentPort, workerData} = require('node:worker_threads');
	const bodies = workerData.map(body => Buffer.from(body));
	let answers = 0;
	const server = createServer((request, response) => {
		request.resume();
		const isSearch = request.url.endsWith('/bundles/');
		response.writeHead(isSearch ? 200 : 404, {'content-type': 'application/json'});
		response.end(isSearch ? bodies[answers++ % bodies.length] : '{}');
	});
	server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * A service of as many offers as wanted, of which one in twenty has another price in every answer. It
 * has a thread of its own and its answers are ready, so that what is measured is the console.
 */
export async function openRefreshingService(amount: number) {
	// Not all of those that a market has can be rented.
	const market = await openMarket({
		file: ':memory:',
		offers: amount * 2,
		seed: 1,
		searchLimit: amount - 1,
	});
	const response = await fetch(`${market.url}/api/v0/bundles/`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${await market.createKey('bench')}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify(printOfferSearch(defaultSearch(defaultSettings))),
	});
	const text = await response.text();
	await market.close();
	let price = 0;
	const changed = text.replaceAll(/"dph_base":[\d.]+/g, found =>
		price++ % ONE_OF === 0 ? `"dph_base":${(1 + price / amount).toFixed(4)}` : found,
	);
	const worker = new Worker(program, {eval: true, workerData: [text, changed]});
	const port = await new Promise<unknown>(resolve => worker.once('message', resolve));
	return {
		url: `http://127.0.0.1:${String(port)}`,
		amount: price,
		close: async () => worker.terminate(),
	};
}
