import v8 from 'node:v8';
import {expect, test} from 'vitest';
import {patternsOf} from '../helpers/source-patterns.ts';

test('every pattern is one that an engine of linear time can run', () => {
	v8.setFlagsFromString('--enable-experimental-regexp-engine');
	v8.setFlagsFromString('--experimental-regexp-engine-capture-group-opt');
	const refused = patternsOf().filter(({pattern, flags}) => {
		const plainFlags = flags.replaceAll(/[iuv]/g, '');
		return !compiles(plainForm(pattern), `${plainFlags}l`);
	});
	expect(refused).toEqual([]);
	expect(compiles(String.raw`(a)\1`, 'l')).toBe(false);
});

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
