import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createInputFilter} from '../../../../source/console/terminal/input/input-filter.ts';
import {isKey} from '../../../../source/console/terminal/input/keys.ts';
import {keySequences, reports} from './sequence-table.ts';
import {escape, paste, step, type, withoutBursts} from './typing.ts';
import {runs} from '../../../helpers/property.ts';

const everySequence = [
	...keySequences.map(([sequence]) => sequence),
	...reports,
	paste('rm -r x\r'),
	paste(''),
];

/** Up to two cuts, with and without a flush at each. */
function cutsOf(sequence: string): readonly (readonly string[])[] {
	const ways: string[][] = [];
	const gaps = [[], ['flush']];
	for (let first = 1; first < sequence.length; first += 1) {
		for (let second = first + 1; second <= sequence.length; second += 1) {
			const parts = [
				sequence.slice(0, first),
				sequence.slice(first, second),
				sequence.slice(second),
			];
			for (const [one, two] of gaps.flatMap(gap => gaps.map(other => [gap, other] as const))) {
				ways.push([parts[0] ?? '', ...one, parts[1] ?? '', ...two, parts[2] ?? '']);
			}
		}
	}

	return ways;
}

test('a sequence cut anywhere gives what it gives whole', () => {
	const others = everySequence.flatMap(sequence => {
		const cuts = cutsOf(sequence).filter(moves => !moves.includes('flush'));
		const whole = type(sequence);
		return [...cuts, sequence.split('')].filter(moves => withoutBursts(type(...moves)) !== whole);
	});
	expect(others).toEqual([]);
});

test('a sequence cut anywhere with silence in between gives no letters', () => {
	// What begins with two ESC begins with an Esc that was typed, when silence follows the first.
	const sequences = everySequence.filter(
		sequence => !sequence.startsWith(escape + escape) && sequence !== `${escape}💩`,
	);
	const harmful = sequences.flatMap(sequence =>
		cutsOf(sequence).filter(moves => {
			const shown = withoutBursts(type(...moves));
			return !isHarmless(shown, sequence, moves);
		}),
	);
	expect(harmful).toEqual([]);
});

function isHarmless(shown: string, sequence: string, moves: readonly string[]): boolean {
	const whole = type(sequence);
	const [first, flush, second = '', secondFlush, rest = ''] = moves;
	if (first !== escape || flush !== 'flush') {
		return shown === whole;
	}

	if (!/^[[\]OP_]/.test(second)) {
		return shown === `Esc ${type(sequence.slice(1))}`;
	}

	const end = whole.startsWith('"') ? whole : `!${sequence.replaceAll(escape, '^[')}`;
	if (second.length > 1 || secondFlush !== 'flush') {
		return shown === `Esc ${end}`;
	}

	// After Esc and '[' that stood alone a letter is taken for typed.
	const isTyped = rest === '' || /^[A-Za-z[]/.test(rest);
	return isTyped ? shown.startsWith(`Esc ${second}`) : shown === `Esc ${second} ${end}`;
}

/** The text in pieces of random lengths. */
const inPieces = (text: string, lengths: readonly number[]) => {
	let at = 0;
	const pieces = lengths.map(length => text.slice(at, (at += length)));
	return [...pieces, text.slice(at)];
};

const lengths = fc.array(fc.integer({min: 0, max: 7}), {maxLength: 60});

test('keys, reports and pastes in a row come one by one however they are cut', () => {
	const one = fc.constantFrom(...everySequence, ...'jGx[OP]1;~ Mu'.split(''));
	fc.assert(
		fc.property(fc.array(one), lengths, (sequences, cuts) => {
			const shown = withoutBursts(type(...inPieces(sequences.join(''), cuts)));
			expect(shown).toBe(sequences.map(sequence => type(sequence)).join(' '));
		}),
		{numRuns: runs(500)},
	);
});

test('text outside sequences is never lost', () => {
	const text = fc.string({
		unit: fc.oneof(
			fc.constantFrom(...'[O]P_;1~A '.split('')),
			fc.string({unit: 'grapheme', minLength: 1, maxLength: 1}),
		),
	});
	fc.assert(
		fc.property(text, lengths, fc.boolean(), (typed, cuts, isAfterEsc) => {
			const filter = createInputFilter();
			const start = isAfterEsc ? ['\u001B', 'flush', 'forget'] : [];
			const inputs = [...start, ...inPieces(typed, cuts)].flatMap(move => step(filter, move));
			const keys = inputs
				.slice(isAfterEsc ? 1 : 0)
				.map(input => (input.kind === 'key' ? input.key : ''));
			expect(keys.map(key => (key === 'Space' ? ' ' : key)).join('')).toBe(typed);
		}),
	);
});

test('hostile input never throws, gives no unknown key, and leaves the keyboard working', () => {
	const piece = fc.oneof(
		fc.constantFrom('flush', 'forget', ...everySequence, '\u001B', '\u001B[', '\u001B]1', '\u0018'),
		fc.string({unit: 'binary'}),
		fc.string({
			unit: fc.constantFrom(...'\u001B[O]P_MG$?;1~A\\\u0007\uD83D\uDE00\u200D\r'.split('')),
		}),
	);
	fc.assert(
		fc.property(fc.array(piece), moves => {
			const filter = createInputFilter();
			const inputs = moves.map(move => step(filter, move));
			const keys = inputs.flat().flatMap(input => (input.kind === 'key' ? [input.key] : []));
			expect(keys.filter(key => !isKey(key))).toEqual([]);
			expect(
				inputs.every(
					given => given.filter(input => input.kind === 'key' && !input.isBurst).length <= 1,
				),
			).toBe(true);
			[paste(''), '\r', 'forget'].forEach(move => step(filter, move));
			expect(filter.push('q')).toEqual([{kind: 'key', key: 'q', isBurst: false}]);
		}),
		{numRuns: runs(1000)},
	);
});
