import {expect, test} from 'vitest';
import {readKept, worseThanKept} from './bench/kept.ts';
import {entangled} from './helpers/sizes.ts';

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

test('two folders that import each other are noticed, however they do', () => {
	const files = [
		{path: 'market/offers/a.ts', text: "import type {B} from '../leases/b.ts';"},
		{path: 'market/leases/deep/b.ts', text: "const a = await import('../../offers/a.ts');"},
		{path: 'market/open.ts', text: "export {a} from './offers/a.ts';"},
	];
	expect(entangled(files)).toEqual(['market/leases market/offers']);
});
