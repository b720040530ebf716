import {expect, test} from 'vitest';
import {bigLines, bigWidth} from '../../../source/console/ui/big-digits.ts';

test('a figure is five rows of large signs', () => {
	expect(`\n${bigLines(['$4.2/h'], {width: 60, dot: 2}).join('\n')}\n`).toMatchInlineSnapshot(`
		"
		  ██    ██  ██      ██████      ██  ██    
		██████  ██  ██          ██      ██  ██    
		████    ██████      ██████    ██    ██████
		  ████      ██      ██      ██      ██  ██
		██████      ██  ██  ██████  ██      ██  ██
		"
	`);
});

test('the first text that fits is written, and the last where none does', () => {
	const texts = ['$1,234.56/h', '$1,234.56', '$1235'];
	expect(bigLines(texts, {width: 100, dot: 2})).toEqual(
		bigLines(['$1,234.56/h'], {width: 0, dot: 2}),
	);
	expect(bigLines(texts, {width: 40, dot: 2})).toEqual(bigLines(['$1235'], {width: 0, dot: 2}));
	expect(bigLines(texts, {width: 5, dot: 2})).toEqual(bigLines(['$1235'], {width: 0, dot: 2}));
});

test('lines are as wide as they are said to be', () => {
	for (const dot of [2, 3])
		for (const text of ['$18.76/h', '0', '?-,9'])
			expect(bigLines([text], {width: 0, dot})[0]).toHaveLength(bigWidth(text, dot));
});
