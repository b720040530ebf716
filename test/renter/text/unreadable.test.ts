import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {ReplyError} from '../../../source/client/exchange/errors.ts';
import {noneUnreadable, type Unreadable} from '../../../source/contract/grammar/unreadable.ts';
import {
	firstRecord,
	unreadableLines,
	unreadableSentence,
	unreadableCountText,
} from '../../../source/renter/text/unreadable.ts';

const two: Unreadable = {
	count: 2,
	of: 40,
	first: [
		{index: 2, name: undefined, why: 'id is missing'},
		{index: 16, name: 'id 7', why: 'id is text'},
	],
};

const many: Unreadable = {...two, count: 300, of: 300};

const sentences: ReadonlyArray<
	readonly [unreadable: Unreadable, most: number, sentence: string | undefined]
> = [
	[noneUnreadable, 3, undefined],
	[{...noneUnreadable, of: 40}, 3, undefined],
	[
		two,
		3,
		'2 of 40 offers could not be read: number 3 (id is missing), number 17 with id 7 (id is text).',
	],
	[two, 1, '2 of 40 offers could not be read: number 3 (id is missing), and 1 more.'],
	[two, 0, '2 of 40 offers could not be read.'],
	[many, 0, 'None of 300 offers could be read.'],
	[many, 1, 'None of 300 offers could be read: number 3 (id is missing), and 299 more.'],
	[
		{count: 1, of: 1, first: [{index: 0, name: undefined, why: 'it is null'}]},
		3,
		'1 of 1 offers could not be read: number 1 (it is null).',
	],
];

test.each(sentences)('of %j at most %d are named', (unreadable, most, sentence) => {
	expect(unreadableSentence(unreadable, {noun: 'offers', most})).toBe(sentence);
});

test('a few words say how many there are of how many', () => {
	expect(unreadableCountText(noneUnreadable)).toBeUndefined();
	expect(unreadableCountText(two)).toBe('2 of 40 could not be read');
	expect(unreadableCountText(many)).toBe('none of 300 could be read');
	expect(unreadableLines(two)).toEqual([
		'number 3 (id is missing)',
		'number 17 with id 7 (id is text)',
	]);
});

test('a sentence names no more than is wanted, and counts all', () => {
	fc.assert(
		fc.property(fc.nat(25), fc.integer({min: 1, max: 500}), (most, count) => {
			const first = Array.from({length: Math.min(20, count)}, (_, index) => ({
				index,
				name: undefined,
				why: 'id is missing',
			}));
			const unreadable = {count, of: count + 1, first};
			const said = unreadableSentence(unreadable, {noun: 'offers', most}) ?? '';
			const named = said.split('number ').length - 1;
			const more = Number(/and (\d+) more/.exec(said)?.[1] ?? 0);
			expect(named).toBeLessThanOrEqual(most);
			if (named > 0) expect(named + more).toBe(count);
		}),
	);
});

test('the first record is what was asked for, unless nothing of what came can be read', () => {
	expect(firstRecord('find offer 7', [], noneUnreadable)).toBeUndefined();
	expect(firstRecord('find offer 7', [7], two)).toBe(7);
	expect(() => firstRecord('find offer 7', [], two)).toThrow(ReplyError);
	expect(() => firstRecord('find offer 7', [], two)).toThrow(
		'Could not find offer 7: the answer is not what the service documents (id is missing)',
	);
});
