import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	moveChip,
	nextCandidate,
	openChips,
	openEdit,
	pasteText,
	recall,
	refuseEdit,
	removeChip,
	typeKey,
	type OfferQueryEdit,
	askedLine,
	meaningLine,
} from '../../../../../source/console/screens/offers/query/query.ts';
import {isUnfinished, problemOf, fieldLine} from '../../../../../source/console/list/query-edit.ts';
import {parseLine} from '../../../../../source/renter/offers/words/parse.ts';
import {widthOf} from '../../../../../source/renter/text/text-width.ts';
import {createTheme} from '../../../../../source/console/ui/theme.ts';
import {runs} from '../../../../helpers/property.ts';

const seen = {gpus: ['RTX 4090', 'H100 SXM'], valuesOf: () => ['US', 'SE']};

/** The line after some keys: a character each, but for what stands in angle brackets. */
function typed(edit: OfferQueryEdit, keys: string): OfferQueryEdit {
	const parts = keys.match(/<[^>]+>|./gu) ?? [];
	return parts.reduce((now, part) => {
		const key = part.startsWith('<') && part.length > 1 ? part.slice(1, -1) : part;
		return typeKey(now, key === ' ' ? 'Space' : key, seen.gpus) ?? now;
	}, edit);
}

test('a line is typed over, and kept with a blank behind it by a key that moves', () => {
	expect(typed(openEdit('4090', []), 'x4').line.text).toBe('x4');
	expect(typed(openEdit('4090', []), '<End>x4').line.text).toBe('4090 x4');
	expect(typed(openEdit('4090', []), '<Backspace>').line.text).toBe('');
	expect(openEdit('', []).line.text).toBe('');
});

test('what is typed is understood at once, in its place', () => {
	const edit = typed(openEdit('', []), '4090 price<Ctrl-A>x4 ');
	expect(edit.line).toEqual({text: 'x4 4090 price', cursor: 3});
	expect(edit.parsed.words.map(({text}) => text)).toEqual(['x4', '4090']);
	expect(problemOf(edit)?.start).toBe(8);
});

test('a word that is only being typed is not yet called wrong; Enter calls it so', () => {
	const edit = pasteText(openEdit('', []), '4090 vra', []);
	expect(isUnfinished(edit)).toBe(true);
	expect(isUnfinished(refuseEdit(edit))).toBe(false);
	const behind = pasteText(edit, ' x', []);
	expect(isUnfinished(behind)).toBe(false);
	expect(problemOf(behind)).toMatchObject({start: 5, end: 8});
});

test('Enter on a wrong line brings the cursor behind the word that is wrong', () => {
	const edit = refuseEdit(pasteText(openEdit('', []), '4090 foo=1 x4', []));
	expect(edit.line.cursor).toBe('4090 foo=1'.length);
});

test('Tab completes the only candidate, and goes on from it', () => {
	const edit = pasteText(openEdit('', []), 'all-', []);
	const first = nextCandidate(edit, 1, seen);
	expect(first.line.text).toBe('all-in');
	expect(nextCandidate(first, 1, seen).line.text).toBe('all-in>=');
});

test('Tab goes through several candidates and around, in both directions, inside the line', () => {
	const edit = typed(openEdit('loc= x4', []), '<Ctrl-A><Right><Right><Right><Right>');
	const second = nextCandidate(nextCandidate(edit, 1, seen), 1, seen);
	expect(second.line).toEqual({text: 'loc=SE x4 ', cursor: 6});
	expect(nextCandidate(second, -1, seen).line.text).toBe('loc=US x4 ');
	expect(nextCandidate(edit, -1, seen).line.text).toMatch(/^loc=asia x4/);
	expect(typed(second, ',').tab).toBeUndefined();
});

test('Up brings back what was asked before, and Down the draft', () => {
	const history = ['4090', 'h100 x8'];
	const draft = pasteText(openEdit('', []), 'dra', []);
	const once = recall(draft, 1, history, []);
	const twice = recall(once, 1, history, []);
	expect([once.line.text, twice.line.text]).toEqual(['h100 x8', '4090']);
	expect(recall(twice, 1, history, [])).toBe(twice);
	expect(recall(recall(twice, -1, history, []), -1, history, []).line.text).toBe('dra');
});

test('a chip that is removed takes its word out of the line; a default is written as lifted', () => {
	const start = openChips(openEdit('4090 x4', []), []);
	const without = removeChip(start, []);
	expect([without.line.text, without.chip]).toEqual(['x4', 0]);
	const onDefault = moveChip(moveChip(without, 1), 1);
	expect(removeChip(onDefault, []).line.text).toBe('x4 rentable=any');
	const nothing = Array.from({length: 5}).reduce<OfferQueryEdit>(now => removeChip(now, []), start);
	expect(nothing.chip).toBe(0);
	expect(nothing.parsed.problems).toEqual([]);
});

test('no keys whatever break the line, and its cursor stays inside it', () => {
	const key = fc.constantFrom(
		'4',
		'x',
		'<',
		'=',
		',',
		'Space',
		'"',
		'日',
		'Left',
		'Home',
		'Ctrl-W',
	);
	const act = fc.constantFrom('type', 'tab', 'back', 'up', 'down', 'chip', 'remove', 'refuse');
	fc.assert(
		fc.property(fc.array(fc.tuple(act, key), {maxLength: 30}), steps => {
			let edit = openEdit('4090 us', seen.gpus);
			for (const [what, pressed] of steps) {
				edit = step(edit, what, pressed);
				expect(edit.line.cursor).toBeGreaterThanOrEqual(0);
				expect(edit.line.cursor).toBeLessThanOrEqual(edit.line.text.length);
			}
		}),
	);
});

function step(edit: OfferQueryEdit, what: string, key: string): OfferQueryEdit {
	switch (what) {
		case 'tab':
			return nextCandidate(edit, 1, seen);
		case 'back':
			return nextCandidate(edit, -1, seen);
		case 'up':
			return recall(edit, 1, ['a', 'x4'], seen.gpus);
		case 'down':
			return recall(edit, -1, ['a', 'x4'], seen.gpus);
		case 'chip':
			return moveChip(edit, 1);
		case 'remove':
			return removeChip(edit, seen.gpus);
		case 'refuse':
			return refuseEdit(edit);
		default:
			return typeKey(edit, key, seen.gpus) ?? edit;
	}
}

const theme = createTheme({LANG: 'C', NO_COLOR: '1'});

/** What would command a terminal, once the looks that the theme gives are taken away. */
function commandsIn(line: string): readonly string[] {
	// oxlint-disable-next-line no-control-regex -- these are the sequences that the theme writes
	return line.replaceAll(/\u001B\[[\d;]*m/g, '').match(/\p{Cc}/gu) ?? [];
}

function columnsOf(line: string): number {
	// oxlint-disable-next-line no-control-regex -- these are the sequences that the theme writes
	return widthOf(line.replaceAll(/\u001B\[[\d;]*m/g, ''));
}

test('nothing that is typed, pasted or sent commands the terminal, and no line is too wide', () => {
	const evil = fc.constantFrom('\u001B]0;owned\u0007', '\u009B31m', 'RTX\u202E 4090\n', '日本 5');
	const name = fc.oneof(evil, fc.string({unit: 'binary', maxLength: 20}));
	const piece = fc.oneof(evil, fc.constantFrom('4090 ', 'gpu=', 'x4 ', 'price<', '"', ','));
	fc.assert(
		fc.property(
			fc.array(name, {maxLength: 4}),
			fc.array(piece, {maxLength: 8}),
			fc.integer({min: 48, max: 100}),
			(gpus, pieces, width) => {
				const look = {theme, width, gpus};
				const words = pieces.join('');
				const edit = openEdit(words, gpus);
				const known = {gpus, valuesOf: () => gpus};
				const edits = [edit, refuseEdit(edit), nextCandidate(edit, 1, known), moveChip(edit, 1)];
				const lines = [
					askedLine({words, parsed: parseLine(words, gpus)}, look),
					...edits.flatMap(one => [fieldLine(one, look), meaningLine(one, look)]),
				];
				for (const line of lines) {
					expect(commandsIn(line)).toEqual([]);
					expect(columnsOf(line)).toBeLessThanOrEqual(width);
				}
			},
		),
		{numRuns: runs(100)},
	);
});

test.each<readonly [text: string, line: string]>([
	['4090 foo x4', '             ^^^ foo is no GPU, country or field; Tab completes'],
	['price<abc ', '        ^^^^^^^^^ price takes a number of $ per hour, not abc'],
	['4090 x4 us,ca dc rel>=99.9 vram>=24 foo ', 'foo is no GPU, country or field; Tab compl… ^^^'],
])('in "%s" the word that is wrong is underlined, with the reason beside it', (text, line) => {
	const edit = refuseEdit(openEdit(text, []));
	const shown = meaningLine({...edit, isRefused: false}, {theme, width: 80, gpus: []});
	// oxlint-disable-next-line no-control-regex -- these are the sequences that the theme writes
	expect(shown.replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd()).toBe(line);
});
