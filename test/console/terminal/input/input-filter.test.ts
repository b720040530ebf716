import {expect, test} from 'vitest';
import {createInputFilter} from '../../../../source/console/terminal/input/input-filter.ts';
import {keySequences, reports} from './sequence-table.ts';
import {escape, paste, step, type, withoutBursts} from './typing.ts';

test.each(keySequences)('%j gives %s', (sequence, key) => {
	expect(type(sequence)).toBe(key);
	expect(type('j', sequence, 'k')).toBe(`j ${key} k`);
	expect(withoutBursts(type(`j${sequence}k`))).toBe(`j ${key} k`);
});

test.each(reports)('%j is a report and no key', sequence => {
	expect(createInputFilter().push(sequence)).toEqual([{kind: 'report', sequence}]);
	expect(withoutBursts(type(`j${sequence}k`))).toBe(`j !${sequence.replaceAll(escape, '^[')} k`);
});

test.each([
	['ESC, then the rest', [escape, 'flush', '[A'], 'Esc !^[[A'],
	['ESC, then O and the rest', [escape, 'flush', 'OPj'], 'Esc !^[OP j'],
	['ESC, then the rest in two', [escape, 'flush', '[1', ';5C'], 'Esc !^[[1;5C'],
	['ESC, then the rest in two, late', [escape, 'flush', '[1', 'flush', ';5C'], 'Esc !^[[1;5C'],
	['ESC, then [ late, then A', [escape, 'flush', '[', 'A'], 'Esc !^[[A'],
	['ESC, then a paste', [escape, 'flush', '[200~x\u001B[201~'], 'Esc "x"'],
	['ESC, [ late, a paste late', [escape, 'flush', '[', 'flush', '200~x\u001B[201~'], 'Esc [ "x"'],
	['ESC [, then A late', [`${escape}[`, 'flush', 'A'], 'Up'],
	['a second arrow after a broken one', [escape, 'flush', '[A', `${escape}[A`], 'Esc !^[[A Up'],
	['Esc typed', [escape, 'flush'], 'Esc'],
	['Esc and x typed', [escape, 'flush', 'x'], 'Esc x'],
	['Esc and [ typed', [escape, 'flush', '[', 'flush'], 'Esc ['],
	['Esc, [ and j typed', [escape, 'flush', '[', 'flush', 'j'], 'Esc [ j'],
	['Esc, [ and [ typed', [escape, 'flush', '[', 'flush', '['], 'Esc [ ['],
	['Esc, [ and 1 typed', [escape, 'flush', '[', 'flush', '1', '2'], 'Esc [ 1 2'],
	['Esc, O and Enter typed', [escape, 'flush', 'O', '\r'], 'Esc O Enter*'],
	['Esc, P and j typed', [escape, 'flush', 'P', 'j'], 'Esc P j*'],
	['Esc and, much later, [A typed', [escape, 'flush', 'forget', '[A'], 'Esc [ A*'],
	['Esc twice', [escape, 'flush', escape, 'flush'], 'Esc Esc'],
	['Esc twice at once', [escape + escape, 'flush', '[A'], 'Esc Esc* !^[[A'],
	['Esc and an arrow', [escape, 'flush', `${escape}[A`], 'Esc Up'],
	['Alt and an arrow', [escape, `${escape}[`, 'flush', 'A'], 'Alt-Up'],
	['Esc and a report', [`${escape}${escape}[0n`], 'Esc !^[[0n'],
	['Esc and a paste', [`${escape}${escape}[200~x\u001B[201~`], 'Esc "x"'],
	['Esc and Ctrl-C', [`${escape}\u0003`], 'Esc Ctrl-C*'],
	['three ESC', [escape.repeat(3), 'flush'], 'Esc Esc Esc*'],
	['Esc, and a sequence broken late', [escape, 'flush', '[1', 'flush', 'é'], 'Esc !^[[1 é'],
	['Alt-[ and Enter', [`${escape}[`, 'flush', '\r'], '!^[[ Enter'],
	['Alt-[ and, much later, j', [`${escape}[`, 'flush', 'forget', 'j'], '!^[[ j'],
	['Alt-P and j', [`${escape}Pj`], '!^[P j'],
	['an answer that is never finished', [`${escape}]1`, 'flush', 'jk', 'forget', 'j'], '!^[]1jk j'],
	['an answer that a key interrupts', [`${escape}]1\u0003`], '!^[]1 Ctrl-C'],
	['a sequence that another interrupts', [`${escape}[1;${escape}[A`], '!^[[1; Up'],
])('%s', (_, moves, shown) => {
	expect(type(...moves)).toBe(shown);
});

test.each([
	['jjj', 'j j* j*'],
	['\u001B[Aj', 'Up j*'],
	['\u001B[Ij\u001B[Ok', '!^[[I j !^[[O k*'],
	[`${paste('yes')}\r`, '"yes" Enter*'],
	['👩‍💻e\u0301🇩🇪é日', '👩‍💻 e\u0301* 🇩🇪* é* 日*'],
	['a\tb\r\u0015\u007F\u0000', 'a Tab* b* Enter* Ctrl-U* Backspace* Ctrl-Space*'],
	['a\u0085b\uDE00c', 'a !\u0085 b* !\uDE00 c*'],
])('%j in one push', (text, shown) => {
	expect(type(text)).toBe(shown);
});

test('a key is in a burst only behind another of its own push', () => {
	expect(type('j', 'j')).toBe('j j');
	expect(type('jk\u001B', '[Aj')).toBe('j k* Up j*');
	expect(type('j\u001B', 'flush')).toBe('j Esc');
	expect(type('\u001B[200~y', 'es\u001B[201~', 'y')).toBe('"yes" y');
});

test('a surrogate pair in two pushes is one key', () => {
	expect(type('a\uD83D', '\uDE00b')).toBe('a 😀 b*');
	expect(type('\u001B\uD83D', '\uDE00')).toBe('Alt-😀');
	expect(type('\uD83D', 'flush', '\uDE00')).toBe('😀');
	expect(type('\uD83D', 'x')).toBe('!\uD83D x');
});

const waits = (...moves: readonly string[]) => {
	const filter = createInputFilter();
	moves.forEach(move => step(filter, move));
	return [filter.isWaiting, filter.isOverdue];
};

test('only what may become a key or a sequence is waited for', () => {
	const [nothing, waiting, overdue] = [
		[false, false],
		[true, false],
		[false, true],
	];
	for (const text of ['', 'j', '\u001B[A', '\u001B[200~', '\u001B[200~\u001B[20', '\uD83D']) {
		expect(waits(text)).toEqual(nothing);
		expect(waits(text, 'flush')).toEqual(nothing);
	}

	for (const text of [
		'\u001B',
		'\u001B\u001B',
		'\u001B[',
		'\u001BO',
		'\u001B[1;',
		'\u001B]11;r',
		'\u001B[M!',
	]) {
		expect(waits(text)).toEqual(waiting);
		expect(waits(text, 'flush')).toEqual(overdue);
		expect(waits(text, 'flush', 'flush')).toEqual(overdue);
		expect(waits(text, 'flush', 'forget')).toEqual(nothing);
	}

	expect(waits('\u001B', 'flush', 'j')).toEqual(nothing);
	expect(waits('\u001B', 'flush', '[')).toEqual(waiting);
	expect(waits('\u001B', 'flush', '[', 'flush')).toEqual(overdue);
	expect(waits('\u001B', 'flush', '[1')).toEqual(waiting);
	expect(waits('\u001B[', 'flush', '1')).toEqual(overdue);
	expect(waits('\u001B[', 'flush', 'A\u001B')).toEqual(waiting);
});

test('an answer without end is swallowed and does not grow', () => {
	const filter = createInputFilter();
	filter.push('\u001B]1');
	for (let count = 0; count < 10_000; count += 1) {
		expect(filter.push('rgb')).toEqual([]);
	}

	filter.push('\u001B');
	const [input] = filter.push('\\');
	expect(input?.kind === 'report' && input.sequence.length < 5000).toBe(true);
	expect(type(`\u001B]1${'0'.repeat(5000)}\u001B`, '\\j')).toMatch(/^!\S* j$/);
	expect(type(`\u001B[${'1;'.repeat(9999)}`, '1', 'u')).toMatch(/^!/);
});
