import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import v8 from 'node:v8';
import {parseSync} from 'rolldown/utils';
import {expect, test} from 'vitest';
import {growsLinearly, textOf} from '../helpers/growth.ts';

const source = join(import.meta.dirname, '..', '..', 'source');

type Pattern = {readonly file: string; readonly pattern: string; readonly flags: string};

/** Patterns of text that no stranger makes longer than is said here. */
const boundedElsewhere: ReadonlyMap<string, string> = new Map([
	['console/format.ts', 'the digits of a number'],
	['renter/orders/request-text.ts', 'an environment, which the contract bounds'],
	['host/simulated/script.ts', 'the name of an image, which the contract bounds'],
]);

test('every pattern is one that an engine of linear time can run', () => {
	v8.setFlagsFromString('--enable-experimental-regexp-engine');
	v8.setFlagsFromString('--experimental-regexp-engine-capture-group-opt');
	const refused = patternsOf().filter(({file, pattern, flags}) => {
		if (boundedElsewhere.has(file)) return false;
		const plainFlags = flags.replaceAll(/[iuv]/g, '');
		return !compiles(plainForm(pattern), `${plainFlags}l`);
	});
	expect(refused).toEqual([]);
	expect(compiles(String.raw`(a)\1`, 'l')).toBe(false);
});

test('no pattern takes longer than its text does, whatever is repeated in it', () => {
	const slow = patternsOf()
		.filter(({file}) => !boundedElsewhere.has(file))
		.map(found => ({...found, text: slowText(found)}))
		.filter(({text}) => text !== undefined);
	expect(slow).toEqual([]);
	expect(slowText({file: '', pattern: String.raw`^\d+\.?\d*$`, flags: ''})).toBeDefined();
});

/** Every pattern that is written in the source. */
function patternsOf(): readonly Pattern[] {
	return globSync('**/*.{ts,tsx}', {cwd: source})
		.toSorted()
		.flatMap(file => {
			const found: Pattern[] = [];
			const {program} = parseSync(file, readFileSync(join(source, file), 'utf8'));
			collect(program, ({pattern, flags}) => found.push({file, pattern, flags}));
			return found;
		});
}

function collect(node: unknown, add: (regex: {pattern: string; flags: string}) => void): void {
	if (typeof node !== 'object' || node === null) return;
	if ('regex' in node && isRegex(node.regex)) add(node.regex);
	else for (const part of Object.values(node)) collect(part, add);
}

function isRegex(value: unknown): value is {pattern: string; flags: string} {
	return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}

function compiles(pattern: string, flags: string): boolean {
	try {
		return RegExp(pattern, flags) instanceof RegExp;
	} catch {
		return false;
	}
}

/**
 * The same repetitions and choices without what that engine leaves out, none of which takes more than
 * constant time a character: case and code points, counts above a few, a look at one character.
 */
function plainForm(pattern: string): string {
	return pattern
		.replaceAll(/\\[pP]\{[^}]*\}/g, String.raw`\w`)
		.replaceAll(/\\u(?:\{[^}]*\}|[0-9A-F]{4})/g, 'u')
		.replaceAll(/\{(\d),\d{2,}\}/g, '{$1,9}')
		.replaceAll(/\{\d{2,}(,?)\}/g, '{9$1}')
		.replaceAll(/\(\?<?[=!](?:\[[^\]]+\]|\\?[^[\]])\)/g, '(?:)');
}

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
