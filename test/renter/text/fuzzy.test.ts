import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {found, scoreMatch} from '../../../source/renter/text/fuzzy.ts';
import type {Findable} from '../../../source/renter/text/fuzzy.ts';

const item = (title: string, about = '', names: readonly string[] = []): Findable => ({
	title,
	about,
	names,
});

const titles = (query: string, ...all: readonly Findable[]) =>
	found(query, all).map(({title}) => title);

test('words match anywhere and in any order, and the beginning counts most', () => {
	const all = [
		item('what the states mean', 'help, description'),
		item('redesign'),
		item('open a description'),
		item('destroy this'),
		item('go to Offers'),
	];
	expect(titles('des', ...all)).toEqual([
		'destroy this',
		'open a description',
		'redesign',
		'what the states mean',
	]);
	expect(titles('this DEST', ...all)).toEqual(['destroy this']);
	expect(titles('offers description', ...all)).toEqual([]);
});

test('letters with others between them match from the beginning of a word on', () => {
	expect(titles('gti', item('go to Instances'), item('rigging tips'))).toEqual(['go to Instances']);
	expect(titles('gpx', item('go to Instances'))).toEqual([]);
});

test('the exact name of something comes before all else', () => {
	expect(titles('x', item('x marks'), item('destroy', '', ['x']))).toEqual(['destroy', 'x marks']);
	expect(titles('7', item('7 of them'), item('offer 7', '', ['7']))).toEqual([
		'offer 7',
		'7 of them',
	]);
});

test('what is found equally well stays in its order, and without words all of it does', () => {
	const all = [item('b one'), item('a one'), item('c one')];
	expect(titles('one', ...all)).toEqual(['b one', 'a one', 'c one']);
	expect(titles('  ', ...all)).toEqual(['b one', 'a one', 'c one']);
});

const word = fc.stringMatching(/^[a-zéß日]{1,8}$/);
const text = fc.array(word, {minLength: 1, maxLength: 5}).map(words => words.join(' '));

test('everything is found by its whole title and by each of its words', () => {
	fc.assert(
		fc.property(text, title => {
			expect(scoreMatch(title, item(title))).toBeDefined();
			for (const part of title.split(' ')) expect(scoreMatch(part, item(title))).toBeDefined();
		}),
	);
});

test('typing on never finds what was not found before', () => {
	fc.assert(
		fc.property(
			fc.string({unit: 'grapheme'}),
			fc.string({unit: 'grapheme'}),
			text,
			(query, more, title) => {
				if (scoreMatch(query + more, item(title, 'about it')) === undefined) return;
				expect(scoreMatch(query, item(title, 'about it'))).toBeDefined();
			},
		),
	);
});

test('whatever is typed, what is found is part of what there is', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary'}), fc.array(text), (query, all) => {
			const items = all.map(title => item(title));
			const result = found(query, items);
			expect(new Set(result).size).toBe(result.length);
			expect(result.every(one => items.includes(one))).toBe(true);
		}),
	);
});
