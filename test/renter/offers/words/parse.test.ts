import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseFilter, printFilter} from '../../../../source/contract/grammar/filter.ts';
import {searchableOffers} from '../../../../source/contract/nouns/offer-search.ts';
import {parseLine, toggleValue, valuesIn} from '../../../../source/renter/offers/words/parse.ts';
import {printClauses, findOfferWord} from '../../../../source/renter/offers/words/fields.ts';
import {clausesOf, goodLine, requestOfLine} from './lines.ts';
import {runs} from '../../../helpers/property.ts';
import {requestOf} from '../../../../source/renter/offers/words/request.ts';

const usual = {verified: {eq: true}, rentable: {eq: true}};

test.each(['<0.30/gpu', 'price<0.3/gpu', 'dph_base<$0.30/gpu', 'per-gpu<0.3'])(
	'%s is the price of one GPU',
	line => {
		const {filter} = requestOfLine(line);
		expect(filter[0]).toEqual({field: 'per-gpu', operator: 'lt', value: 0.3});
		expect(printClauses(clausesOf(line))).toBe('per-gpu<0.3');
	},
);

function filterOf(line: string) {
	return printFilter(requestOfLine(line).filter);
}

test.each<readonly [line: string, filter: object]>([
	['', usual],
	['gpu_name=RTX_4090 num_gpus>=2', {gpu_name: {eq: 'RTX 4090'}, num_gpus: {gte: 2}, ...usual}],
	['gpu_name = "RTX 4090"', {gpu_name: {eq: 'RTX 4090'}, ...usual}],
	['rtx 4090 x2', {gpu_name: {eq: 'RTX 4090'}, num_gpus: {eq: 2}, ...usual}],
	['!rtx pro 6000 ws', {gpu_name: {neq: 'RTX PRO 6000 WS'}, ...usual}],
	['num_gpus gte 2', {num_gpus: {gte: 2}, ...usual}],
	['geolocation in [US,CA]', {geolocation: {in: ['US', 'CA']}, ...usual}],
	['geolocation not in [US, CA]', {geolocation: {notin: ['US', 'CA']}, ...usual}],
	['loc notin cn', {geolocation: {neq: 'CN'}, ...usual}],
	['gpu_ram>=24', {gpu_ram: {gte: 24_000}, ...usual}],
	['vram=24', {gpu_ram: {gte: 24_000, lte: 24_576}, ...usual}],
	['vram>24', {gpu_ram: {gt: 24_576}, ...usual}],
	['vram<24', {gpu_ram: {lt: 24_000}, ...usual}],
	['disk>1t', {disk_space: {gt: 1000}, ...usual}],
	['duration>3', {duration: {gt: 259_200}, ...usual}],
	['days>=12h', {duration: {gte: 43_200}, ...usual}],
	['reliability>0.98', {reliability: {gt: 0.98}, ...usual}],
	['rel>=99.9', {reliability: {gte: 0.999}, ...usual}],
	['cuda_vers>=12.4', {cuda_max_good: {gte: 12.4}, ...usual}],
	['price<1.50 all-in<2', {dph_base: {lt: 1.5}, dph_total: {lt: 2}, ...usual}],
	['speed>100', {dlperf_per_dphtotal: {gt: 100}, ...usual}],
	// The name of before, which searches may be saved with.
	['dlp>100', {dlperf_per_dphtotal: {gt: 100}, ...usual}],
	['dph<1', {dph_total: {lt: 1}, ...usual}],
	['qty=1..4', {num_gpus: {gte: 1, lte: 4}, ...usual}],
	['qty=2.. ', {num_gpus: {gte: 2}, ...usual}],
	['qty=..4', {num_gpus: {lte: 4}, ...usual}],
	['qty=1,2', {num_gpus: {in: [1, 2]}, ...usual}],
	['driver_version>=535.86.05', {driver_version: {gte: 535_086_005}, ...usual}],
	['cpu_name=Xeon_E5', {cpu_name: {eq: 'Xeon E5'}, ...usual}],
	['cpu_name="Xeon_E5"', {cpu_name: {eq: 'Xeon_E5'}, ...usual}],
	['verified=any', {rentable: {eq: true}}],
	['unverified', {verified: {eq: false}, rentable: {eq: true}}],
	['verification=deverified', {verification: {eq: 'deverified'}, rentable: {eq: true}}],
	['any', {}],
	['gpu=any', usual],
	['dc <0.50', {datacenter: {eq: true}, dph_base: {lt: 0.5}, ...usual}],
	[
		'4090 x4 <0.50 24g us,ca dc !unverified',
		{
			gpu_name: {eq: 'RTX 4090'},
			num_gpus: {eq: 4},
			dph_base: {lt: 0.5},
			gpu_ram: {gte: 24_000},
			geolocation: {in: ['US', 'CA']},
			datacenter: {eq: true},
			verified: {eq: true},
			rentable: {eq: true},
		},
	],
	['4x4090', {num_gpus: {eq: 4}, gpu_name: {eq: 'RTX 4090'}, ...usual}],
	[
		'!4090 !us !dc',
		{
			gpu_name: {neq: 'RTX 4090'},
			geolocation: {neq: 'US'},
			datacenter: {eq: false},
			...usual,
		},
	],
	[
		'99% 30d >=80gb',
		{
			reliability: {gte: 0.99},
			duration: {gte: 2_592_000},
			gpu_ram: {gte: 80_000},
			...usual,
		},
	],
])('%s', (line, filter) => {
	expect(parseLine(line).problems).toEqual([]);
	expect(filterOf(line)).toEqual(filter);
});

test('what is sold as 24 GB and has 24,564 MB is found by every way to ask for 24 GB', () => {
	for (const line of ['24g', 'vram=24', 'vram>=24', 'vram<=24', 'vram=16..24', 'gpu_ram>=24']) {
		const {gte = 0, lte = Infinity} = filterOf(line)['gpu_ram'] ?? {};
		expect(Number(gte)).toBeLessThanOrEqual(24_564);
		expect(Number(lte)).toBeGreaterThanOrEqual(24_564);
	}
});

test.each<readonly [line: string, word: string, message: RegExp]>([
	['4090 price<abc dc', 'price<abc', /takes a number of \$ per hour, not abc/],
	['price<', 'price<', /expected a number behind </],
	['4090 foo=3', 'foo=3', /foo is not a field/],
	['x4 vran>=24', 'vran>=24', /Did you mean vram\?/],
	['frobnicate', 'frobnicate', /is no GPU, country or field/],
	['x2 unverifed', 'unverifed', /Did you mean unverified\?/],
	['24 dc', '24', /24g for memory/],
	['vram', 'vram', /needs an operator/],
	['dc>1', 'dc>1', /can only be = or !=/],
	['loc=xx', 'loc=xx', /two letters/],
	['loc in [us', 'loc in [us', /no \]/],
	['gpu="RTX', 'gpu="RTX', /no " at its end/],
	['qty=4..1', 'qty=4..1', /empty/],
	['vram!=24', 'vram!=24', /one size or a range/],
	['price<1 x4 price<2', 'price<2', /already said/],
	['!', '!', /needs a word/],
	['qty=<3', 'qty=<3', /not an operator/],
])('%s is wrong at %s', (line, word, message) => {
	const {problems} = parseLine(line);
	expect(problems.map(({start, end}) => line.slice(start, end))).toEqual([word]);
	expect(problems[0]?.message).toMatch(message);
});

const meant = (line: string) => filterOf(line)['gpu_name'];

test('a short name of a GPU means the closest ones, and says which', () => {
	expect(meant('3080')).toEqual({eq: 'RTX 3080'});
	expect(meant('rtx3080ti')).toEqual({eq: 'RTX 3080 Ti'});
	expect(meant('h100')).toEqual({in: ['H100 NVL', 'H100 PCIE', 'H100 SXM']});
	expect(meant('409')).toEqual({in: ['RTX 4090', 'RTX 4090D']});
	expect(parseLine('h100').words[0]?.note).toBe('h100 is H100 NVL, H100 PCIE, H100 SXM');
	expect(parseLine('gpu=Foo_1').words[0]?.note).toBe('no GPU called Foo 1 was seen here');
	expect(parseLine('foo1', ['Foo 1']).words[0]?.clauses).toMatchObject([
		{test: {operator: 'eq', value: 'Foo 1'}},
	]);
});

test('what is printed reads as the same request', () => {
	fc.assert(
		fc.property(goodLine, line => {
			const printed = printClauses(clausesOf(line));
			expect(parseLine(printed).problems).toEqual([]);
			expect(requestOfLine(printed)).toEqual(requestOfLine(line));
			expect(printClauses(clausesOf(printed))).toBe(printed);
		}),
		{numRuns: runs(200)},
	);
});

test('the service reads what a line asks as it was meant', () => {
	fc.assert(
		fc.property(goodLine, line => {
			const {filter} = requestOfLine(line);
			const read = parseFilter(searchableOffers, printFilter(filter));
			expect(read).toHaveLength(filter.length);
			expect(read).toEqual(expect.arrayContaining([...filter]));
		}),
	);
});

/** What is in no word and in no problem, and is no blank: nothing, or a word was dropped. */
function uncovered(line: string): readonly string[] {
	const {words, problems} = parseLine(line);
	const marks = line.split('').map(unit => unit.trim() === '');
	for (const {start, end} of [...words, ...problems]) {
		expect(start).toBeGreaterThanOrEqual(0);
		expect(end).toBeGreaterThan(start);
		expect(end).toBeLessThanOrEqual(line.length);
		marks.fill(true, start, end);
	}
	return line.split('').filter((_, index) => marks[index] !== true);
}

test('every piece of a good line is read, or is wrong at a place inside it', () => {
	fc.assert(
		fc.property(goodLine, fc.nat(), fc.nat(), (line, from, length) => {
			const start = from % (line.length + 1);
			const piece = line.slice(start, start + (length % (line.length + 1)));
			expect(uncovered(piece)).toEqual([]);
		}),
		{numRuns: runs(500)},
	);
});

test('no text whatever breaks the reader, and no word is dropped', () => {
	const scrap = fc.constantFrom(
		'gpu',
		'price',
		'loc',
		'x',
		'..',
		'=',
		'<',
		'!',
		'[',
		'"',
		"'",
		',',
		' ',
		'4',
		'any',
		' in ',
	);
	const anything = fc.oneof(
		fc.string({unit: 'binary'}),
		fc.array(scrap, {maxLength: 12}).map(scraps => scraps.join('')),
	);
	fc.assert(
		fc.property(anything, line => {
			expect(uncovered(line)).toEqual([]);
		}),
		{numRuns: runs(500)},
	);
});

test('a page that was pasted by mistake is one problem, however long it is', () => {
	const {words, problems} = parseLine('4090 frobnicate '.repeat(100_000));
	expect(words).toEqual([]);
	expect(problems.map(({message}) => message)).toEqual([
		'a search has at most 1000 characters, and this is longer',
	]);
});

test('a GPU with two digits in the wrong order is asked about', () => {
	const [bare] = parseLine('RTX_4909').problems;
	expect(bare?.message).toBe('RTX_4909 is no GPU, country or field. Did you mean RTX_4090?');
	const [word] = parseLine('gpu=RTX_4909').words;
	expect(word?.note).toBe('no GPU called RTX 4909 was seen here. Did you mean RTX_4090?');
});

const gpus = ['RTX 4090', 'RTX 5090', 'H100 SXM'];
const choices = [
	...gpus.map(value => ({field: findOfferWord('gpu_name'), value})),
	...[1, 4, 8].map(value => ({field: findOfferWord('num_gpus'), value})),
	...['EUROPE', 'US'].map(value => ({field: findOfferWord('geolocation'), value})),
];

const toggled = (line: string, choice: (typeof choices)[number]) =>
	toggleValue(line, parseLine(line, gpus), choice, gpus);

/** What a line asks for, whatever the order of its words and values. */
const meaning = (line: string) => {
	const {words, problems} = parseLine(line, gpus);
	expect(problems).toEqual([]);
	const {filter, pricing} = requestOf(words.flatMap(({clauses}) => clauses));
	const sorted = filter.map(condition =>
		Array.isArray(condition.value)
			? {...condition, value: condition.value.map(String).toSorted()}
			: condition,
	);
	return [pricing, ...sorted.map(condition => JSON.stringify(condition)).toSorted()];
};

test('a value is put behind the words, beside its like, and out again', () => {
	const [card, , , , four] = choices;
	if (card === undefined || four === undefined) return;
	expect(toggled('', card)).toBe('gpu=RTX_4090');
	expect(toggled('price<1', four)).toBe('price<1 qty=4');
	expect(toggled('gpu=5090 price<1', card)).toBe('gpu=RTX_5090,RTX_4090 price<1');
	expect(toggled('4x4090 us', card)).toBe('qty=4 us');
});

test('what is toggled twice asks for the same as before, and once for one value more or less', () => {
	// Two words about one field would both have to hold.
	const lines = fc
		.tuple(
			...[
				['', '4090', 'h100,5090'],
				['', 'x4', 'qty=1,8'],
				['', 'us,de', 'eu'],
				['', 'qty>2', 'bid', 'any', '<0.5'],
			].map(words => fc.constantFrom(...words)),
		)
		.map(words => words.join(' '));
	fc.assert(
		fc.property(lines, fc.constantFrom(...choices), (line, choice) => {
			const once = toggled(line, choice);
			const before = valuesIn(parseLine(line, gpus), choice.field);
			const after = valuesIn(parseLine(once, gpus), choice.field);
			expect(Math.abs(after.length - before.length)).toBe(1);
			expect(meaning(toggled(once, choice))).toEqual(meaning(line));
		}),
	);
});
