/** Lines of words for tests, as people would write them. */
import * as fc from 'fast-check';
import {parseLine} from '../../../../source/renter/offers/words/parse.ts';
import {requestOf} from '../../../../source/renter/offers/words/request.ts';

const number = fc.oneof(
	fc.integer({min: 0, max: 5000}).map(String),
	fc.double({min: 0, max: 100, noNaN: true}).map(String),
);
const sign = fc.constantFrom('<', '<=', '>', '>=', '=', '!=', ' >= ', ' lt ', ' gte ');
const range = fc
	.tuple(fc.integer({min: 0, max: 50}), fc.integer({min: 50, max: 900}))
	.map(([from, to]) => `=${from}..${to}`);
const gpu = fc.constantFrom(
	'4090',
	'h100',
	'RTX_4090',
	'"RTX 4090"',
	'"4090"',
	'a100',
	'rtx3080ti',
	'409',
	'MyOwn_GPU',
	`'odd "one"'`,
	'"one_two"',
);
const text = fc.oneof(
	fc.stringMatching(/^[\w.-]{1,8}$/),
	fc.stringMatching(/^[^"]{1,8}$/).map(quoted => `"${quoted}"`),
);
const place = fc.constantFrom('us', 'CA', 'eu', 'Europe', '"Washington, US"', 'de');
const list = (item: fc.Arbitrary<string>) =>
	fc
		.tuple(
			fc.array(item, {minLength: 1, maxLength: 3}),
			fc.constantFrom(['=', ''], ['!=', ''], [' in [', ']'], [' notin [', ']'], [' = ', '']),
		)
		.map(([items, [before = '', after = '']]) => before + items.join(',') + after);
const yes = fc.constantFrom('=yes', '=no', '=true', '=any', '!=yes', ' = 0');

/** A word about a matter of its own, so that words of a line do not contradict each other. */
const matters: ReadonlyArray<fc.Arbitrary<string>> = [
	fc.oneof(
		gpu.filter(name => !name.includes('own') && !name.includes('odd') && !name.includes('one')),
		list(gpu).map(rest => `gpu${rest}`),
		gpu.map(name => `gpu_name=${name}`),
	),
	fc.oneof(
		fc.constantFrom('x4', '2x', 'x2..4', '!x8', 'qty=1,2,4', 'num_gpus in [1,2]'),
		fc.tuple(sign, number).map(([operator, value]) => `num_gpus${operator}${value}`),
	),
	fc.oneof(
		fc.constantFrom('<0.50', '>$0.1', '<=2$', 'price<1.50', 'dph_base<3'),
		range.map(rest => `price${rest}`),
	),
	fc.constantFrom('24g', '>=24gb', '!16g', 'vram=24', 'gpu_ram>=23.5', 'vram=16..24', 'vram<1t'),
	fc.oneof(
		fc.constantFrom('us,ca', 'eu', '!cn', 'us, ca'),
		list(place).map(rest => `loc${rest}`),
	),
	fc.constantFrom('99%', 'rel>=99.9', 'reliability>0.98', 'rel=90..99'),
	fc.constantFrom('30d', 'days>=1h', 'duration>3', 'days=1w'),
	fc.oneof(
		fc.constantFrom('dc', '!dc', 'datacenter'),
		yes.map(rest => `dc${rest}`),
	),
	fc.oneof(
		fc.constantFrom('verified', 'unverified', '!unverified', 'verified=any'),
		yes.map(rest => `verified${rest}`),
	),
	fc.constantFrom('any', 'rentable=no', '!rentable', 'rentable=any'),
	fc.constantFrom('bid', 'on-demand', 'interruptible', 'reserved'),
	fc.constantFrom('driver>=535.86.05', 'driver_version=550', 'driver!=535.86'),
	list(text).map(rest => `cpu_name${rest}`),
	fc.tuple(sign, number).map(([operator, value]) => `dlperf${operator}${value}`),
	fc.tuple(sign, number).map(([operator, value]) => `all-in${operator}${value}`),
];

/** A line in which every word can be understood. */
export const goodLine: fc.Arbitrary<string> = fc
	.subarray([...matters])
	.chain(words => fc.tuple(...words))
	.map(words => words.join(' '))
	.filter(line => parseLine(line).problems.length === 0);

/** What a line asks of the service. */
export function requestOfLine(line: string, seen: readonly string[] = []) {
	return requestOf(clausesOf(line, seen));
}

export function clausesOf(line: string, seen: readonly string[] = []) {
	return parseLine(line, seen).words.flatMap(({clauses}) => clauses);
}
