import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {matches} from '../../../../source/contract/grammar/filter-match.ts';
import {readVersion} from '../../../../source/contract/grammar/filter.ts';
import {searchableOffers, anyOffers} from '../../../../source/contract/nouns/offer-search.ts';
import {
	parseLine,
	lineWithout,
	searchPartsOf,
} from '../../../../source/renter/offers/words/parse.ts';
import type {WordSearch} from '../../../../source/renter/offers/words/fields.ts';
import {
	findWhyZero,
	type ResultWithoutConditions,
} from '../../../../source/renter/offers/words/why-zero.ts';
import type {Offer} from '../../../../source/contract/nouns/offers.ts';
import {requestOfLine} from './lines.ts';

/** An offer with what its service works out of it. */
function fieldsOf(offer: Offer): Record<string, unknown> {
	return {
		...offer,
		verified: offer.verification === 'verified',
		datacenter: offer.hosting_type === 1,
		driver_version: readVersion(offer.driver_version),
	};
}

/** A service with some offers, which lists so many at most. */
function openService(offers: readonly Offer[], most = 10_000) {
	const asked: WordSearch[] = [];
	return {
		asked,
		ask: async (search: WordSearch): Promise<readonly Offer[]> => {
			asked.push(search);
			return offers
				.filter(offer => {
					const record = fieldsOf(offer);
					return matches(searchableOffers, search.filter, offer, (_, field) => {
						const value = record[field];
						return isScalar(value) ? value : undefined;
					});
				})
				.toSorted((a, b) => (a.dph_total ?? 0) - (b.dph_total ?? 0))
				.slice(0, Math.min(search.limit, most))
				.map(offer => pick(offer, search.columns ?? []));
		},
	};
}

function isScalar(value: unknown): value is string | number | boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

/** An offer as the service sends it: with the columns asked for, and no others. */
function pick(offer: Offer, columns: readonly string[]): Offer {
	const sent = Object.entries(offer).filter(([field]) => columns.includes(field));
	return {id: offer.id, ...Object.fromEntries(sent)};
}

async function why(line: string, service: ReturnType<typeof openService>, mostCalls = 8) {
	const search = {...anyOffers, ...requestOfLine(line)};
	return findWhyZero({search, parts: searchPartsOf(parseLine(line)), ask: service.ask, mostCalls});
}

const told = ({without, count, isLeast, best}: ResultWithoutConditions) =>
	`${without.map(({label}) => label).join('+')} ${count}${isLeast ? '+' : ''} ${best?.id ?? '-'}`;

const good: Offer = {
	id: 1,
	gpu_name: 'H100 SXM',
	num_gpus: 8,
	dph_base: 7,
	dph_total: 7.1,
	reliability: 0.999,
	geolocation: 'Iceland, IS',
	verification: 'verified',
	rentable: true,
};

test('the one word that keeps everything away is found, with the cheapest offer behind it', async () => {
	const service = openService([
		{...good, id: 2, num_gpus: 1, dph_total: 2.4},
		{...good, id: 3, num_gpus: 2, dph_total: 2.3},
		{...good, id: 4, num_gpus: 1, dph_base: 12},
	]);
	const {singles, pairs, calls} = await why('h100 x8 <8 rel>=99.9 loc=IS', service);
	expect(singles.map(told)).toEqual([
		'h100 0 -',
		'x8 2 3',
		'<8 0 -',
		'rel>=99.9 0 -',
		'loc=IS 0 -',
		'verified 0 -',
		'rentable 0 -',
	]);
	expect(pairs).toEqual([]);
	expect(calls).toBe(2);
});

test('where no single word helps, two together are named', async () => {
	const service = openService([
		{...good, id: 2, dph_base: 14.9, geolocation: 'Sweden, SE'},
		{...good, id: 3, dph_base: 15, geolocation: 'Norway, NO'},
	]);
	const {singles, pairs, calls} = await why('h100 x8 <8 rel>=99.9 loc=IS', service);
	expect(singles.every(({count}) => count === 0)).toBe(true);
	expect(pairs.map(told)).toEqual(['<8+loc=IS 2 2']);
	expect(calls).toBeLessThanOrEqual(5);
});

test('a list that was cut is not trusted: its words are asked for in smaller groups', async () => {
	const many = Array.from({length: 300}, (_, index) => ({...good, id: index + 10, num_gpus: 1}));
	const service = openService([...many, {...good, id: 2, verification: 'unverified'}], 64);
	const {singles} = await why('x8 <8', service);
	expect(singles.map(told)).toEqual(['x8 64+ 10', '<8 0 -', 'verified 1 2', 'rentable 0 -']);
});

test('every count is what the service itself says, in few calls', async () => {
	const word = fc.constantFrom(
		'h100',
		'a100',
		'x8',
		'<8',
		'loc=IS',
		'dc',
		'rel>=99',
		'driver>=550',
	);
	const offer = fc.record({
		id: fc.integer({min: 1, max: 1e6}),
		gpu_name: fc.constantFrom('H100 SXM', 'A100 PCIE'),
		num_gpus: fc.constantFrom(1, 8),
		dph_base: fc.constantFrom(2, 7, 9),
		dph_total: fc.constantFrom(2.1, 7.1, 9.1),
		reliability: fc.constantFrom(0.9, 0.995),
		hosting_type: fc.constantFrom(0, 1),
		geolocation: fc.constantFrom('Iceland, IS', 'Texas, US'),
		driver_version: fc.constantFrom('535.86.05', '560.1.2'),
		verification: fc.constantFrom('verified', 'unverified'),
		rentable: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.uniqueArray(word, {maxLength: 6}),
			fc.array(offer, {maxLength: 40}),
			async (words, offers) => {
				const line = words.filter(text => text !== 'a100' || !words.includes('h100')).join(' ');
				const service = openService(offers);
				const {singles, pairs, calls, untried} = await why(line, service);
				expect(untried).toEqual([]);
				expect(calls).toBeLessThanOrEqual(5);
				for (const {without, count} of [...singles, ...pairs]) {
					const search = {...anyOffers, ...requestOfLine(lineWithout(line, without)), limit: 1000};
					expect(await service.ask(search)).toHaveLength(count);
				}
			},
		),
	);
});

test('no more is asked than is allowed, and what was not tried is said', async () => {
	const many = Array.from({length: 300}, (_, index) => ({...good, id: index + 10, num_gpus: 1}));
	const service = openService(many, 64);
	const {calls, untried} = await why('x8 <8 loc=IS rel>=99 h100', service, 3);
	expect(calls).toBe(3);
	expect(service.asked).toHaveLength(3);
	expect(untried.length).toBeGreaterThan(0);
});

test('a word is left out of the line together with its blanks, and a default by saying so', () => {
	const line = '4090  x4 <0.50';
	const parts = searchPartsOf(parseLine(line));
	const without = (...labels: readonly string[]) =>
		lineWithout(
			line,
			parts.filter(({label}) => labels.includes(label)),
		);
	expect(without('x4')).toBe('4090 <0.50');
	expect(without('4090', '<0.50')).toBe('x4');
	expect(without('verified')).toBe('4090  x4 <0.50 verified=any'.replaceAll('  ', ' '));
});
