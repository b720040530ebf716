import {createServer} from 'node:http';
import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {jobOf} from '../../../source/renter/offers/job.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';
import {
	searchOffers,
	splitSearch,
	isTestable,
	passes,
} from '../../../source/renter/offers/local-filter.ts';
import {costOf} from '../../../source/contract/nouns/offer-cost.ts';
import {anyOffers} from '../../../source/contract/nouns/offer-search.ts';
import type {WordSearch} from '../../../source/renter/offers/words/fields.ts';
import {parseLine} from '../../../source/renter/offers/words/parse.ts';
import {requestOf} from '../../../source/renter/offers/words/request.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {requestOfLine} from './words/lines.ts';

const job = jobOf(defaultSettings);
const busy = {...job, inGbPerHour: 25, outGbPerHour: 2};

function searchFor(words: string): WordSearch {
	const {filter} = requestOf(parseLine(words).words.flatMap(({clauses}) => clauses));
	return {...anyOffers, filter, limit: 5000, diskGb: job.diskGb};
}

/** A market that takes no other comparisons than the surest, and counts what it is asked. */
async function openPlainMarket(url: string) {
	const bodies: string[] = [];
	const server = createServer((request, response) => {
		const {authorization = ''} = request.headers;
		let body = '';
		request.setEncoding('utf8').on('data', (part: string) => (body += part));
		request.on('end', () => void answer());
		async function answer(): Promise<void> {
			bodies.push(body);
			if (/"(?:lt|lte|neq|in|notin)":/.test(body)) {
				response.writeHead(400).end('{"success":false,"error":"invalid_args","msg":"no such op"}');
				return;
			}
			const headers = {authorization, 'content-type': 'application/json'};
			const reply = await fetch(url + request.url, {method: 'POST', headers, body});
			response.writeHead(reply.status).end(await reply.text());
		}
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return {
		url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
		bodies,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

test('comparisons that a service refuses are tried once, and tested here with the same result', async () => {
	await using market = await openTestMarket({offers: 300});
	await using plain = await openPlainMarket(market.url);
	const whole = openClient({url: market.url, key: market.key, paceScale: 0});
	const client = openClient({url: plain.url, key: market.key, paceScale: 0});
	const ids = async (of: typeof client, words: string) =>
		(await searchOffers(of, searchFor(words), {job})).offers.map(({id}) => id);
	for (const words of ['<0.5 eu', 'x1..2 price<1', 'loc!=US', '4090,3090 all-in<1']) {
		const expected = await ids(whole, words);
		expect(expected.length).toBeGreaterThan(0);
		expect(await ids(client, words)).toEqual(expected);
	}
	const before = plain.bodies.length;
	await ids(client, '<0.5 eu');
	expect(plain.bodies.length).toBe(before + 1);
	await whole.close();
	await client.close();
});

test('what a service refuses for another reason stays an error', async () => {
	await using market = await openTestMarket({offers: 3});
	const client = openClient({url: market.url, key: 'f'.repeat(64), paceScale: 0});
	await expect(searchOffers(client, searchFor('<0.5'), {job})).rejects.toThrow('401');
	await client.close();
});

test('a price with everything is compared with the traffic in it', async () => {
	await using market = await openTestMarket({offers: 300});
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const {offers: all} = await searchOffers(client, searchFor(''), {job: busy});
	for (const [words, isMeant] of [
		['all-in<0.6', (price: number) => price < 0.6],
		['all-in>0.6', (price: number) => price > 0.6],
		['all-in=0.4..0.8', (price: number) => price >= 0.4 && price <= 0.8],
	] as const) {
		const {offers, unreadable} = await searchOffers(client, searchFor(words), {job: busy});
		const expected = all.filter(offer => isMeant(costOf(offer, busy).allIn ?? Number.NaN));
		expect(expected.length).toBeGreaterThan(0);
		expect(offers.map(({id}) => id)).toEqual(expected.map(({id}) => id));
		expect(unreadable.of).toBeGreaterThanOrEqual(offers.length);
	}
	await client.close();
});

test.each([
	['<0.30/gpu', (price: number) => price < 0.3],
	['price>=0.30/gpu', (price: number) => price >= 0.3],
	['x2.. price=0.2..0.5/gpu', (price: number) => price >= 0.2 && price <= 0.5],
])('%s is about one GPU of each offer, and no service is asked for it', async (words, isMeant) => {
	await using market = await openTestMarket({offers: 300});
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const search = {...searchFor(words), limit: 10};
	const rest = searchFor(words.startsWith('x2') ? 'x2..' : '');
	const {offers: all} = await searchOffers(client, rest, {job});
	const expected = all.filter(({dph_base: price, num_gpus: gpus}) =>
		isMeant(Number(price) / Number(gpus)),
	);
	expect(expected.length).toBeGreaterThan(10);
	const {offers} = await searchOffers(client, search, {job});
	// The first ten of those that are left, and not what is left of the first ten.
	expect(offers.map(({id}) => id)).toEqual(expected.slice(0, 10).map(({id}) => id));
	expect(JSON.stringify(splitSearch(search, job).asked.filter)).not.toContain('gpu"');
	await client.close();
});

test('the list says that a price of one GPU is tested here', async () => {
	await using market = await openTestMarket({offers: 300});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('/<0.30/gpu\r');
	await rentty.sees('filter> per-gpu<0.3');
	await rentty.sees('on-demand . per-gpu tested here');
});

test('without traffic the service is asked for all of it', () => {
	const search = searchFor('all-in<0.6 4090');
	expect(splitSearch(search, job)).toEqual({asked: search, here: []});
});

test('the list says what is tested here, and its chips do', async () => {
	await using market = await openTestMarket({offers: 300});
	const settings = createSettingsStore({...defaultSettings, inGbPerHour: 25});
	await using rentty = openTestConsole({service: market, settings});
	await rentty.sees('1 of ');
	rentty.type('/all-in<0.6\r');
	await rentty.sees('on-demand . all-in tested here');
	rentty.type('/');
	await rentty.sees(/filter> all-in<0\.6 .*End keeps it/);
	rentty.type('\u001B[B');
	await rentty.sees('[all-in<0.6(here)]');
	rentty.type('\u001B');
	await rentty.sees('tested here');
	rentty.type('J');
	// The service can leave out what is too dear already without traffic.
	expect(await rentty.sees('REQUEST')).toContain('"dph_total": {"lt":0.6}');
});

const lines = [
	'4090',
	'!4090 us,ca',
	'x2..4 24g',
	'vram=24 any',
	'unverified',
	'dc <1',
	'!dc rel>=99',
	'all-in<0.5 eu',
	'!europe days>=30',
	'driver>=550 cuda>=12.4',
	'verification!=verified disk>500 ports>=10',
	'gpu!=RTX_5090,RTX_4090 any',
	'cpu_name="AMD Ryzen 5 3600 6-Core Processor" any',
	'static rentable=any ram>=64',
	'driver=575.57.08',
];

test.each(lines)('%s is found here as the service finds it', async line => {
	await using market = await openTestMarket({offers: 200});
	const client = openClient({url: market.url, key: market.key});
	try {
		const request = {...anyOffers, ...requestOfLine(line), limit: 1000, diskGb: 40};
		const [{offers: everything}, {offers: found}] = await Promise.all([
			client.offers.search({filter: [], limit: 1000, diskGb: 40}),
			searchOffers(client, request, {job}),
		]);
		const here = everything.filter(offer => passes(request.filter, offer));
		expect(request.filter.every(({field}) => isTestable(field))).toBe(true);
		expect(new Set(here.map(({id}) => id))).toEqual(new Set(found.map(({id}) => id)));
		expect(found.length).toBeLessThan(everything.length);
	} finally {
		await client.close();
	}
});
