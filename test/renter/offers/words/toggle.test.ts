import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {fieldOf} from '../../../../source/renter/offers/words/fields.ts';
import {parseLine, toggleValue, valuesIn} from '../../../../source/renter/offers/words/parse.ts';
import {requestOf} from '../../../../source/renter/offers/words/request.ts';

const gpus = ['RTX 4090', 'RTX 5090', 'H100 SXM'];
const choices = [
	...gpus.map(value => ({field: fieldOf('gpu_name'), value})),
	...[1, 4, 8].map(value => ({field: fieldOf('num_gpus'), value})),
	...['EUROPE', 'US'].map(value => ({field: fieldOf('geolocation'), value})),
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
