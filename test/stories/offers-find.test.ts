/** Somebody looks for a machine, in the whole console and on a real market. */
import {expect, test} from 'vitest';
import {costOf} from '../../source/contract/nouns/offer-cost.ts';
import {countryOf} from '../../source/contract/grammar/filter-match.ts';
import {countriesOf} from '../../source/renter/words/values.ts';
import {parseLine} from '../../source/renter/offers/words/parse.ts';
import {searchOffers} from '../../source/renter/offers/local-filter.ts';
import {requestOf} from '../../source/renter/offers/words/request.ts';
import {anyOffers} from '../../source/contract/nouns/offer-search.ts';
import {openClient} from '../../source/client/client.ts';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {jobOf} from '../../source/renter/offers/job.ts';
import {openTestConsole} from '../helpers/console/console.ts';
import {openTestMarket, type TestMarket} from '../helpers/market/market.ts';

const job = jobOf(defaultSettings);
const allInOf = (frame: string) => Number(/ALL-IN +\$([\d.]+)/.exec(frame)?.[1]);

/** All that can be rented, with the user's disk. */
async function offersOf({url, key}: TestMarket) {
	const client = openClient({url, key, paceScale: 0});
	const {filter} = requestOf(parseLine('').words.flatMap(({clauses}) => clauses));
	const search = {...anyOffers, filter, limit: 10_000, diskGb: job.diskGb};
	const {offers} = await searchOffers(client, search, {job});
	await client.close();
	return offers;
}

test('the cheapest four 4090 in Europe with everything are found in under ten keys', async () => {
	await using market = await openTestMarket({offers: 2000, seed: 3});
	const europe = new Set(countriesOf('EUROPE').map(code => code.toLowerCase()));
	const wanted = (await offersOf(market)).filter(
		({gpu_name: gpu, num_gpus: gpus, geolocation}) =>
			gpu === 'RTX 4090' &&
			gpus === 4 &&
			europe.has(countryOf(geolocation ?? '')?.toLowerCase() ?? ''),
	);
	const prices = wanted.map(offer => costOf(offer, job).allIn ?? Number.NaN);
	expect(wanted.length).toBeGreaterThan(3);
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	let keys = 0;
	const press = (key: string) => {
		keys += 1;
		rentty.type(key);
	};
	press('/');
	press('\u001B[B');
	const facets = await rentty.sees(/^ GPU .*\n QTY .*\n WHERE /m);
	press(/(\w) RTX 4090 /.exec(facets)?.[1] ?? '');
	press('4');
	press(/(\w) EUROPE /.exec(facets)?.[1] ?? '');
	await rentty.sees('gpu=RTX_4090 qty=4 loc=EUROPE');
	press('\r');
	await rentty.sees(`1 of ${wanted.length}`);
	press('o');
	await rentty.sees('ALL-IN^');
	press('\r');
	const frame = await rentty.sees('WHAT YOU PAY');
	expect(frame).toContain('4x RTX 4090');
	expect(allInOf(frame)).toBeCloseTo(Math.min(...prices), 4);
	expect(keys).toBeLessThan(10);
});

test('the same is typed as three words', async () => {
	await using market = await openTestMarket({offers: 2000, seed: 3});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('/4090 x4 europe');
	const typed = await rentty.sees('gpu=RTX_4090 qty=4 loc=EUROPE');
	rentty.type('\u001B[B');
	const chosen = await rentty.sees(/\[4 4x /);
	expect(typed).toContain('4090 x4 europe_');
	expect(chosen).toMatch(/\[\w RTX 4090 [\d,]+\]/);
	expect(chosen).toMatch(/\[\w EUROPE [\d,]+\]/);
	// What was chosen is taken out by the same key.
	rentty.type('4');
	await rentty.sees(/filter> 4090 europe\n/);
});

test('from a search without results to the best that there is it is two keys', async () => {
	await using market = await openTestMarket({offers: 2000, seed: 3});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('/4090 x4 eu <0.0001\r');
	await rentty.sees('Leave one out and you get');
	// The word that keeps them away is the one that is chosen.
	rentty.type('\r');
	await rentty.sees(/filter> gpu=RTX_4090 qty=4 loc=\S+ /);
	await rentty.sees('1 of ');
	rentty.type('o');
	await rentty.sees('ALL-IN^');
});

test('three offers are marked and compared, and the cheapest job is said', async () => {
	await using market = await openTestMarket({offers: 2000, seed: 3});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('   =');
	const frame = await rentty.sees('compare 3');
	const ids = [...frame.matchAll(/\d{8}/g)].map(([id]) => Number(id));
	const compared = (await offersOf(market)).filter(({id}) => ids.includes(id));
	const [cheapest] = compared.toSorted(
		(a, b) => (costOf(a, job).job ?? Infinity) - (costOf(b, job).job ?? Infinity),
	);
	expect(compared).toHaveLength(3);
	await rentty.sees(`cheapest job: ${cheapest?.id}`);
});
