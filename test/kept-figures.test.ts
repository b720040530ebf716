import {expect, test} from 'vitest';
import {readKept, worseThanKept} from './bench/kept.ts';

const kept = readKept(
	['| figure | kept | goal |', '|---|---|---|', '| a key, bytes | 50.4 | 100 |'].join('\n'),
);

test('a figure that grew by more than a tenth is named, with what is kept', () => {
	expect(worseThanKept(kept, new Map([['a key, bytes', 56]]))).toEqual([
		'a key, bytes: 56.0, and 50.4 is kept',
	]);
});

test('a figure that grew by less, and one that is not kept, are not worse', () => {
	const measured = new Map([
		['a key, bytes', 55],
		['another', 900],
	]);
	expect(worseThanKept(kept, measured)).toEqual([]);
});
