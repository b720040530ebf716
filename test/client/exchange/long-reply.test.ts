import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {LONG_REPLY, readInPieces} from '../../../source/client/exchange/replies.ts';
import {search} from '../../../source/contract/nouns/offers.ts';
import {runs} from '../../helpers/property.ts';

const schema = search.replies[200];
/** Enough of it makes a reply long, whatever the records are like. */
const filling = 'x'.repeat(LONG_REPLY / 8);

/** A text as it comes over a line. */
function inParts(text: string): readonly string[] {
	const size = 16_384;
	return Array.from({length: Math.ceil(text.length / size)}, (_, at) =>
		text.slice(at * size, (at + 1) * size),
	);
}

const records = fc.array(
	fc.record({
		id: fc.oneof(fc.nat(), fc.nat(3), fc.constantFrom('7', -1, null)),
		gpu_name: fc.oneof(fc.string(), fc.constantFrom('},{', '{"offers":[{', '"},{"', '\\"},{')),
		search: fc.constantFrom(null, {totalHour: 1}, {parts: [{a: 1}, {b: 2}]}),
		other: fc.constantFrom(filling, '', `${filling}},{${filling}`),
	}),
	{minLength: 1, maxLength: 20},
);

test('a list that is read in pieces is the list that is read whole', async () => {
	await fc.assert(
		fc.asyncProperty(
			records,
			fc.constantFrom({}, {total: 3, note: '},{'}),
			async (offers, rest) => {
				const text = JSON.stringify({offers, ...rest});
				const whole = z.parse(schema, JSON.parse(text));
				const inPieces = await readInPieces(inParts(text), schema);
				// Cut in a text, in a record within a record or in what comes behind the list, it is left to be read whole.
				if (inPieces !== undefined) expect(inPieces).toEqual(whole);
				const isCutWrong = offers.some(
					({other, search: part}) => other.length > filling.length || part !== null,
				);
				if (!isCutWrong && !text.replaceAll('},{"id"', '').includes('},{')) {
					expect(inPieces).toBeDefined();
				}
			},
		),
		{numRuns: runs(50)},
	);
});

test('a reply that is cut off or of another shape is left to be read whole', async () => {
	const text = JSON.stringify({offers: Array.from({length: 9}, (_, id) => ({id, filling}))});
	expect(await readInPieces(inParts(text), schema)).toBeDefined();
	expect(await readInPieces(inParts(text.slice(0, -1)), schema)).toBeUndefined();
	expect(await readInPieces(inParts(text.replace('"offers"', '"asks"')), schema)).toBeUndefined();
	expect(await readInPieces(inParts(`[${text}]`), schema)).toBeUndefined();
});

test('records that cannot be read are counted over all pieces, and named by their places', async () => {
	const text = JSON.stringify({offers: Array.from({length: 90}, (_, id) => ({id, filling}))});
	const broken = text
		.replace('"id":7,', '')
		.replace('"id":88', '"id":"88"')
		.replace('"id":89', '"id":3');
	expect(await readInPieces(inParts(broken), schema)).toMatchObject({
		offers: {length: 87},
		unreadable: {
			count: 3,
			of: 90,
			first: [
				{index: 7, name: undefined, why: 'id is missing'},
				{index: 88, name: 'id 88', why: 'id is text'},
				{index: 89, name: 'id 3', why: 'its id is that of number 4'},
			],
		},
	});
});

test('other work comes in between while a long list is read', async () => {
	const text = JSON.stringify({offers: Array.from({length: 90}, (_, id) => ({id, filling}))});
	let turns = 0;
	let isRead = false;
	const count = () => {
		turns += 1;
		if (!isRead) setImmediate(count);
	};
	setImmediate(count);
	await readInPieces(inParts(text), schema);
	isRead = true;
	expect(turns).toBeGreaterThan(2);
});
