import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {splitLines, linesSince, newLines} from '../../../source/renter/text/new-lines.ts';

test('following a log shows every line once, whatever part of it a look shows', () => {
	const lines = fc
		.array(fc.nat(), {maxLength: 60})
		.map(all => all.map((line, at) => `${at} ${line}`));
	fc.assert(
		fc.property(
			lines,
			fc.integer({min: 1, max: 20}),
			fc.array(fc.nat({max: 10})),
			(all, tail, steps) => {
				const shown: string[] = [];
				let end = 0;
				let before: readonly string[] = [];
				for (const step of [...steps, all.length]) {
					// No more comes between two looks than one shows.
					end = Math.min(all.length, end + Math.min(step, tail));
					const after = all.slice(Math.max(0, end - tail), end);
					shown.push(...newLines(before, after));
					before = after;
				}
				expect(shown).toEqual(all.slice(0, end));
			},
		),
	);
});

test('a log that begins anew is shown from its start', () => {
	expect(newLines(['a', 'b'], ['c'])).toEqual(['c']);
	expect(newLines(['a', 'b'], [])).toEqual([]);
	expect(newLines([], ['a'])).toEqual(['a']);
});

test('a bar that draws on over its line is no other log', () => {
	expect(newLines(['a', ' 5%'], ['a', ' 5%\r 6%', 'b'])).toEqual([' 6%', 'b']);
	expect(newLines(['a', ' 5%'], ['a', ' 55%'])).toEqual(['a', ' 55%']);
});

test('new for certain is what follows lines that are known', () => {
	expect(linesSince(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'e'], 3)).toEqual(['e']);
	expect(linesSince(['a', 'b', 'c', 'd'], ['c', 'd', 'e'], 3)).toBe(undefined);
	expect(linesSince(['a'], ['a', 'b'], 3)).toEqual(['b']);
	expect(linesSince(['a', 'b', 'c', 'd'], [], 3)).toBe(undefined);
});

test('the end of the last line makes no line of its own', () => {
	expect(splitLines('a\r\nb\n\n')).toEqual(['a\r', 'b', '']);
	expect(splitLines('')).toEqual([]);
});
