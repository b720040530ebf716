import {expect, test} from 'vitest';
import {patternsOf, type Pattern} from '../../helpers/source-patterns.ts';
import {growsLinearly, textOf} from './growth.ts';

test('no pattern takes longer than its text does, whatever is repeated in it', () => {
	const slow = patternsOf()
		.map(found => ({...found, text: slowText(found)}))
		.filter(({text}) => text !== undefined);
	expect(slow).toEqual([]);
	expect(slowText({file: '', pattern: String.raw`^\d+\.?\d*$`, flags: ''})).toBeDefined();
});

/** What is repeated, beside the letters of a pattern itself. */
const units = [
	'a',
	'0',
	' ',
	'\n',
	'.',
	'-',
	'"',
	"'",
	'\\',
	'/',
	',',
	'=',
	'[.',
	'$',
	':',
	'a ',
	'1.',
	'-a',
];
const starts = ['', '"', '-key'];
const ends = ['!', '\0'];

/** A text that a pattern takes far longer for than it is longer. */
function slowText({pattern, flags}: Pattern): string | undefined {
	const looking = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`);
	for (const unit of [...units, ...pattern.split(/[^a-z]+/i).filter(word => word !== '')]) {
		for (const [start, end] of starts.flatMap(first => ends.map(last => [first, last] as const))) {
			const look = (text: string) => {
				looking.lastIndex = 0;
				looking.test(text);
			};
			const textAt = (length: number) => textOf(unit, length, start, end);
			if (!growsLinearly(look, textAt, [2000])) return textAt(4);
		}
	}
	return undefined;
}
