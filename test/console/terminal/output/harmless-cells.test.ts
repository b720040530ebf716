import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {cellsOf, clustersOf, plainWidth} from '../../../../source/renter/text/text-width.ts';
import {regionStart} from '../../../../source/console/terminal/output/screen.ts';
import {isHarmless} from '../../../../source/contract/grammar/harmless-text.ts';
import {attacks, harmfulCharacters} from '../../../helpers/services/harmful-text.ts';
import {foreignIn} from '../../../helpers/console/terminal-bytes.ts';
import {openTestTerminal} from '../../../helpers/console/terminal.ts';
import {openScreen} from './open-screen.ts';
import {runs} from '../../../helpers/property.ts';

/** Painted regions and styles are what frames are made of: no text has them that is drawn. */
const sent = attacks.filter(text => !/[\uE000-\uF8FF]|\[45m$/.test(text));
const joined = ['👨\u200D👩\u200D👧', 'ی\u200Cخ'];

const texts = fc
	.array(
		fc.oneof(
			fc.constantFrom(...harmfulCharacters),
			fc.constantFrom(...sent),
			fc.constantFrom('a', 'b', ' ', 'é', '漢', 'e\u0301', '❤️', '🇩🇪', '한', ...joined),
		),
		{maxLength: 12},
	)
	.map(parts => parts.join(''));

test('every character that is plain is harmless', () => {
	const plain = Array.from({length: 0x1_0000}, (_, code) => code).filter(
		code => plainWidth(code) > 0,
	);
	expect(plain.filter(code => !isHarmless(String.fromCharCode(code)))).toEqual([]);
});

test('whatever is drawn and painted, nothing reaches the terminal but what is seen and what we write', () => {
	const cases = fc.record({
		frame: fc.array(texts, {maxLength: 6}),
		lines: fc.array(texts, {maxLength: 3}),
	});
	fc.assert(
		fc.property(cases, ({frame, lines}) => {
			const {screen, taken} = openScreen(24, 8);
			screen.draw([...frame, regionStart(0, 0), regionStart(0, 1)].join('\n'));
			screen.paint(0, lines);
			screen.paint(0, lines.toReversed());
			// Joiners may stand behind what they join.
			const bytes = taken()
				.join('')
				.replaceAll(/(?<=👨|👩|👧|\uFE0F|ی|خ)[\u200C\u200D]/gu, '');
			expect(foreignIn(bytes)).toEqual([]);
		}),
		{numRuns: runs(1000)},
	);
});

test('no harmful character stands in a cell, whatever stands beside it', () => {
	for (const character of harmfulCharacters) {
		for (const text of [character, `a${character}`, `${character}b`, `漢${character}字`]) {
			const cells = cellsOf(text).join('');
			expect(cells).toBe(text.replace(character, character === '\t' ? ' ' : ''));
		}
	}
});

test('what joins parts of an emoji or letters stays in their cells', () => {
	for (const text of ['👨\u200D👩\u200D👧x', 'می\u200Cخ', '🏳️\u200D🌈']) {
		expect(cellsOf(text)).toEqual(clustersOf(text));
		expect(cellsOf(text).join('')).toBe(text);
	}
});

test('a title is a title, whatever is in it', () => {
	using terminal = openTestTerminal();
	terminal.terminal.setTitle('train\u0007\u001B]52;c;b3duZWQ=\u0007\u009C\u{E0041}\n');
	expect(terminal.written()).toContain('\u001B]0;train��]52;c;b3duZWQ=��� \u0007');
	terminal.terminal.setTitle('rentty');
	expect(foreignIn(terminal.written().replace('train��]52;c;b3duZWQ=��� ', 'rentty'))).toEqual([]);
});
