import {array, assert, constantFrom, nat, property, string} from 'fast-check';
import {expect, test} from 'vitest';
import {
	countHits,
	finder,
	mergeLines,
	MOST_KEPT_LINES,
	nextHit,
	readLogLines,
	SPARE_LINES,
	wrappedRows,
} from '../../../../../source/console/screens/instances/logs/log-lines.ts';
import {widthOf} from '../../../../../source/renter/text/text-width.ts';
import {runs} from '../../../../helpers/property.ts';

const asLines = (texts: readonly string[]) => texts.map(text => ({text}));
const texts = (lines: ReadonlyArray<{readonly text: string}>) => lines.map(({text}) => text);

test('whatever a program logs, no control character is left of it', () => {
	assert(
		property(string({unit: 'binary'}), text => {
			expect(readLogLines(text).filter(line => /\p{Cc}/u.test(line))).toEqual([]);
		}),
		{numRuns: runs(50)},
	);
	expect(readLogLines('\u001B[32mok\u001B[0m\ttabbed\n\u001B]0;owned\u0007\u009B2J\n')).toEqual([
		'ok    tabbed',
		'�]0;owned��2J',
	]);
});

test('of progress that writes over itself the last is kept', () => {
	expect(readLogLines('10%\r50%\r100%\ndone\r\n')).toEqual(['100%', 'done']);
});

test('what is read again is put behind what is kept, without doubling a line', () => {
	const kept = asLines(['a', 'b', 'c']);
	const {lines, isWhole} = mergeLines(kept, ['b', 'c', 'd']);
	expect(texts(lines)).toEqual(['a', 'b', 'c', 'd']);
	expect(isWhole).toBe(true);
	// Lines that are kept stay the same objects, so that they are not broken anew.
	expect(lines[0]).toBe(kept[0]);
	expect(mergeLines(kept, ['c']).lines).toBe(kept);
	expect(mergeLines(kept, ['x', 'y']).isWhole).toBe(false);
});

test('any log that grows is kept as it is, however it is read', () => {
	assert(
		property(array(constantFrom('a', 'b'), {maxLength: 30}), nat(10), (all, step) => {
			const kept = all.slice(0, Math.max(0, all.length - step));
			const fresh = all.slice(Math.max(0, kept.length - 12));
			// Of equal lines nobody can tell how many are new: there is never more than there was.
			const {lines} = mergeLines(asLines(kept), fresh);
			expect(lines.length).toBeLessThanOrEqual(all.length);
			expect(texts(lines).slice(-fresh.length)).toEqual(fresh);
		}),
	);
});

test('only so many lines are kept, the last ones, and the first ones go all at once', () => {
	const kept = asLines(
		Array.from({length: MOST_KEPT_LINES + SPARE_LINES}, (_, at) => `line ${at}`),
	);
	const last = `line ${MOST_KEPT_LINES + SPARE_LINES - 1}`;
	expect(mergeLines(kept.slice(1), [last, 'new']).dropped).toBe(0);
	const {lines, dropped} = mergeLines(kept, [last, 'new']);
	expect(dropped).toBe(SPARE_LINES + 1);
	expect(lines).toHaveLength(MOST_KEPT_LINES);
	expect(lines.at(-1)?.text).toBe('new');
});

test('what is known of lines is the same whether they came at once or one after the other', () => {
	assert(
		property(
			array(constantFrom('a', 'some words', 'Words'), {minLength: 1}),
			nat(),
			(list, cut) => {
				const all = asLines(list);
				const some = all.slice(0, 1 + (cut % all.length));
				// What is known of some is asked for before, and for another purpose in between.
				wrappedRows(some, 4);
				countHits(some, 'words');
				const fresh = asLines(list);
				expect(wrappedRows(all, 4)).toEqual(wrappedRows(fresh, 4));
				expect(countHits(all, 'words')).toBe(countHits(fresh, 'words'));
				expect(wrappedRows(all, 3)).toEqual(wrappedRows(fresh, 3));
				expect(countHits(all, 'A')).toBe(countHits(fresh, 'A'));
			},
		),
	);
});

test('broken lines fit, and have all that they had', () => {
	assert(
		property(array(string({unit: 'grapheme'})), nat({max: 30}), (list, more) => {
			const width = more + 2;
			const lines = asLines(readLogLines(list.join('\n')));
			const rows = wrappedRows(lines, width);
			for (const {text} of rows) expect(widthOf(text)).toBeLessThanOrEqual(width);
			expect(rows.map(({text}) => text).join('')).toBe(texts(lines).join(''));
		}),
	);
});

test('a search finds words as they are, large or small, and goes round', () => {
	const lines = asLines(['Loss (1)', 'x', 'loss (2)']);
	const pattern = finder('LOSS (') ?? /^/;
	expect(nextHit(lines, pattern, -1, 1)).toBe(0);
	expect(nextHit(lines, pattern, 0, 1)).toBe(2);
	expect(nextHit(lines, pattern, 2, 1)).toBe(0);
	expect(nextHit(lines, pattern, 0, -1)).toBe(2);
	expect(nextHit(lines, finder('none') ?? /^/, 0, 1)).toBeUndefined();
});
