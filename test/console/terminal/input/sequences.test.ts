import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {isKey} from '../../../../source/console/terminal/input/keys.ts';
import {
	keyOfSequence,
	measureSequence,
} from '../../../../source/console/terminal/input/sequences.ts';
import {keySequences, reports} from './sequence-table.ts';
import {runs} from '../../../helpers/property.ts';

const longKeys = keySequences.filter(([sequence]) => /^[[O]/.test(sequence.slice(1)));

test.each(longKeys)('%j is %s', (sequence, key) => {
	expect(keyOfSequence(sequence.slice(1))).toBe(key);
});

test.each(reports)('%j is no key', report => {
	expect(keyOfSequence(report.slice(1))).toBeUndefined();
});

test('every sequence ends where it ends', () => {
	for (const sequence of [...longKeys.map(([bytes]) => bytes), ...reports]) {
		const {length} = sequence;
		expect(measureSequence(sequence, 1)).toEqual({end: length, isWhole: true});
		expect(measureSequence(`ab${sequence}yz`, 3)).toEqual({end: length + 2, isWhole: true});
		for (let cut = 2; cut < length; cut += 1) {
			expect(measureSequence(sequence.slice(0, cut), 1)).toEqual({end: cut, isWhole: false});
		}
	}
});

test.each([
	['[1;5\r', 4],
	['[\u001B[A', 1],
	['[1é', 2],
	['[ 1', 2],
	['[M!\r', 3],
	['[[\r', 2],
	['O1\r', 2],
	['O é', 1],
	[']11;rgb\r', 7],
	[']1\u001B[A', 2],
	['Pj', 1],
	[']j', 1],
	['_j', 1],
	['P\u001B\\', 1],
])('%j is broken at %i', (text, end) => {
	expect(measureSequence(text, 0)).toEqual({end, isWhole: false});
});

test('other characters begin no sequence', () => {
	expect(measureSequence('x', 0)).toBeUndefined();
	expect(measureSequence('^x', 0)).toBeUndefined();
	expect(measureSequence('', 0)).toBeUndefined();
});

test('every key a sequence stands for has a valid name', () => {
	const numbers = fc.string({unit: fc.constantFrom(...'0123456789;:'.split('')), maxLength: 9});
	fc.assert(
		fc.property(fc.constantFrom('[', 'O'), numbers, fc.string({maxLength: 1}), (...parts) => {
			const key = keyOfSequence(parts.join(''));
			expect(key === undefined || isKey(key)).toBe(true);
		}),
		{numRuns: runs(2000)},
	);
});
