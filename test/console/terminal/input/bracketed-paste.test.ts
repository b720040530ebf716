import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {longestPaste} from '../../../../source/console/terminal/input/sequences.ts';
import {
	createInputFilter,
	type Input,
} from '../../../../source/console/terminal/input/input-filter.ts';
import {paste, type} from './typing.ts';

/** All that a filter gives for the text, cut at these places. */
function inputsOf(text: string, cuts: readonly number[]): readonly Input[] {
	const filter = createInputFilter();
	const places = [0, ...cuts.toSorted((one, other) => one - other), text.length];
	return places.slice(1).flatMap((to, index) => filter.push(text.slice(places[index], to)));
}

const endMarker = '\u001B[201~';

test('a paste of 100 kB is one input with the same text however it is cut', () => {
	const line = `ssh root@host -p 22 \u001B[A \u001B[201 \u001B\u001B[20 é 日 😀 q\r\n`;
	const text = line.repeat(Math.ceil(100_000 / line.length));
	const sent = `j${paste(text)}k`;
	const cut = fc.integer({min: 0, max: sent.length});
	const cutNearEnd = fc.integer({min: sent.length - 8, max: sent.length});
	fc.assert(
		fc.property(fc.array(fc.oneof(cut, cutNearEnd), {maxLength: 300}), cuts => {
			const [first, pasted, last, ...rest] = inputsOf(sent, cuts);
			expect(first).toMatchObject({kind: 'key', key: 'j'});
			expect(pasted?.kind === 'paste' && pasted.text === text).toBe(true);
			expect(last).toMatchObject({kind: 'key', key: 'k'});
			expect(rest).toEqual([]);
		}),
	);
});

test('nothing inside a paste is a key, and its own start is text', () => {
	fc.assert(
		fc.property(
			fc.string({unit: fc.constantFrom(...'\u001B[]O201~\r\u0003qj'.split(''))}),
			inside => {
				fc.pre(!`${inside}${endMarker}`.slice(0, -1).includes(endMarker));
				expect(inputsOf(paste(inside), [])).toEqual([{kind: 'paste', text: inside}]);
				expect(type(...paste(inside).split(''))).toBe(JSON.stringify(inside));
			},
		),
	);
	expect(type(paste('\u001B[200~a'))).toBe('"\\u001b[200~a"');
});

test('pastes that touch stay apart', () => {
	expect(type(`${paste('a')}${paste('')}${paste('b')}\r`)).toBe('"a" "" "b" Enter*');
});

test('a paste that is not finished is held through silence', () => {
	expect(type('\u001B[200~yes\u001B', 'flush', 'forget', '[201', 'flush', '~q')).toBe('"yes" q*');
});

test('the end of a paste without its beginning is swallowed', () => {
	expect(type(`${endMarker}q`)).toBe('!^[[201~ q');
});

test('what is too long in a paste is dropped up to its end', () => {
	const filter = createInputFilter();
	filter.push('\u001B[200~');
	for (let count = 0; count < 40; count += 1) {
		expect(filter.push('0123456789'.repeat(5000))).toEqual([]);
	}

	const [pasted, key, ...rest] = filter.push(`${endMarker}q`);
	expect(pasted?.kind === 'paste' && pasted.text.length).toBe(longestPaste);
	expect(pasted?.kind === 'paste' && pasted.text.startsWith('01234567890123')).toBe(true);
	expect(key).toMatchObject({key: 'q'});
	expect(rest).toEqual([]);
});

// Looking at the whole again at each push takes many times as long.
test('a paste in many pushes is read in time', {timeout: 4000}, () => {
	const filter = createInputFilter();
	filter.push('\u001B[200~');
	for (let count = 0; count < 200_000; count += 1) {
		filter.push(count % 10 === 0 ? '\u001B' : 'x');
	}

	const [pasted] = filter.push(endMarker);
	expect(pasted?.kind === 'paste' && pasted.text.length).toBe(200_000);
});
