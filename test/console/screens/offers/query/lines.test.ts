import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {fieldLine} from '../../../../../source/console/list/query-lines.ts';
import {parseLine} from '../../../../../source/renter/offers/words/parse.ts';
import {
	moveChip,
	nextCandidate,
	openEdit,
	refuseEdit,
} from '../../../../../source/console/screens/offers/query/edit.ts';
import {askedLine, meaningLine} from '../../../../../source/console/screens/offers/query/lines.ts';
import {widthOf} from '../../../../../source/renter/text/text-width.ts';
import {createTheme} from '../../../../../source/console/ui/theme.ts';
import {runs} from '../../../../helpers/property.ts';

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
				const seen = {gpus, valuesOf: () => gpus};
				const edits = [edit, refuseEdit(edit), nextCandidate(edit, 1, seen), moveChip(edit, 1)];
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
