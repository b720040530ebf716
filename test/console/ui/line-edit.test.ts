import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	editLine,
	emptyLine,
	insertText,
	newLineEdit,
	type LineEdit,
	windowOnto,
} from '../../../source/console/ui/line-edit.ts';
import {clustersOf, widthOf} from '../../../source/renter/text/text-width.ts';
import {runs} from '../../helpers/property.ts';

const editingKeys = [
	'Left',
	'Right',
	'Home',
	'End',
	'Ctrl-A',
	'Ctrl-E',
	'Ctrl-U',
	'Ctrl-K',
	'Ctrl-W',
	'Ctrl-Left',
	'Ctrl-Right',
	'Backspace',
	'Delete',
	'Space',
];
const wild = fc.oneof(
	fc.string({unit: 'grapheme', maxLength: 8}),
	fc.string({unit: 'binary', maxLength: 8}),
	fc.constantFrom(
		'👩‍👩‍👧',
		'🇸🇪',
		'🇸',
		'é',
		'\u0301',
		'\u200D',
		'日本',
		'한',
		'\r\n',
		'\u001B[31m',
		'a b',
	),
);
const step = fc.oneof(
	fc.constantFrom(...editingKeys).map(key => ({key})),
	wild.map(pasted => ({pasted})),
);

function act(line: LineEdit, doing: {readonly key: string} | {readonly pasted: string}): LineEdit {
	return 'key' in doing ? (editLine(line, doing.key) ?? line) : insertText(line, doing.pasted);
}

function boundaries(text: string): readonly number[] {
	let at = 0;
	return [0, ...clustersOf(text).map(cluster => (at += cluster.length))];
}

test('whatever is typed or pasted, the cursor never stands inside a character', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 20}), steps => {
			let line = emptyLine;
			for (const doing of steps) {
				line = act(line, doing);
				expect(boundaries(line.text)).toContain(line.cursor);
			}
		}),
		{numRuns: runs(2000)},
	);
});

test('Backspace and Delete each remove one whole character, and no other key but Ctrl-U K W removes', () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom('a', '日', '👩‍👩‍👧', '🇸🇪', 'é', ' '), {minLength: 1}),
			fc.nat(),
			(characters, seed) => {
				const at = seed % characters.length;
				const text = characters.join('');
				const cursor = characters.slice(0, at).join('').length;
				expect(editLine({text, cursor}, 'Delete')?.text).toBe(characters.toSpliced(at, 1).join(''));
				const behind = cursor + (characters[at] ?? '').length;
				expect(editLine({text, cursor: behind}, 'Backspace')).toEqual({
					text: characters.toSpliced(at, 1).join(''),
					cursor,
				});
				for (const key of ['Left', 'Right', 'Home', 'End', 'Ctrl-A', 'Ctrl-E']) {
					expect(editLine({text, cursor}, key)?.text).toBe(text);
				}
			},
		),
	);
});

test.each<[string, string, string]>([
	['Ctrl-U', 'one two| three', '| three'],
	['Ctrl-K', 'one two| three', 'one two|'],
	['Ctrl-W', 'one two  | three', 'one | three'],
	['Ctrl-W', 'one| two', '| two'],
	['Ctrl-Left', 'one two|', 'one |two'],
	['Ctrl-Right', '|one two', 'one| two'],
	['Ctrl-A', 'one|', '|one'],
	['Ctrl-E', '|one', 'one|'],
	['x', 'a|b', 'ax|b'],
	['Space', 'a|b', 'a |b'],
])('%s makes of %s %s', (key, before, after) => {
	expect(written(editLine(read(before), key))).toBe(after);
});

test.each(['Enter', 'Esc', 'Tab', 'Up', 'Down', 'F1', 'PgUp', 'Ctrl-C', 'Alt-x', 'Ctrl-P'])(
	'%s edits nothing',
	key => {
		expect(editLine(newLineEdit('text'), key)).toBeUndefined();
	},
);

test('a page that is pasted becomes one line, without what could command the terminal', () => {
	const line = insertText(newLineEdit('>'), 'one\r\ntwo\n\tthree\u001B[2J\u0000\u007F');
	expect(line.text).toBe('>one two  three[2J');
	expect(line.cursor).toBe(line.text.length);
});

test('a paste of 100 kB is taken whole, and what is typed then goes behind it', () => {
	const page = 'lorem ipsum 日本 '.repeat(7000);
	const line = editLine(insertText(emptyLine, page), 'x');
	expect(line?.text).toBe(`${page}x`);
	expect(widthOf(shownIn(line ?? emptyLine, 40))).toBe(40);
});

test('the window is exactly as wide as its room, and has the cursor in it', () => {
	fc.assert(
		fc.property(
			wild.chain(text => fc.tuple(fc.constant(insertText(emptyLine, text.repeat(9))), fc.nat())),
			fc.integer({min: 2, max: 30}),
			([line, seed], width) => {
				const places = boundaries(line.text);
				const at = {...line, cursor: places[seed % places.length] ?? 0};
				const window = windowOnto(at, width);
				const columns = [window.before, window.under, window.after].map(widthOf);
				expect(columns.reduce((sum, part) => sum + part)).toBe(width);
			},
		),
		{numRuns: runs(1000)},
	);
});

test('a secret shows how long it is, and nothing else', () => {
	expect(shownIn(newLineEdit('geheim日'), 10)).toBe('geheim日  ');
	const {before, under, after} = windowOnto({text: 'geheim日', cursor: 2}, 10, '*');
	expect(before + under + after).toBe('*******   ');
});

function shownIn(line: LineEdit, width: number): string {
	const {before, under, after} = windowOnto(line, width);
	return before + under + after;
}

function read(text: string): LineEdit {
	return {text: text.replace('|', ''), cursor: text.indexOf('|')};
}

function written(line: LineEdit | undefined): string {
	return line === undefined
		? ''
		: `${line.text.slice(0, line.cursor)}|${line.text.slice(line.cursor)}`;
}
