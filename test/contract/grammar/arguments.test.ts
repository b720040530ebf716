import {expect, test} from 'vitest';
import {splitArguments} from '../../../source/contract/grammar/arguments.ts';

test.each([
	['', []],
	['  ', []],
	['--model x', ['--model', 'x']],
	['  a\tb\nc ', ['a', 'b', 'c']],
	["'a b' c", ['a b', 'c']],
	['"a b" c', ['a b', 'c']],
	['a"b c"d', ['ab cd']],
	["''", ['']],
	['a "" b', ['a', '', 'b']],
	['"say \\"hi\\""', ['say "hi"']],
	['"a\\nb"', ['a\\nb']],
	["'a\\b'", ['a\\b']],
	['a\\ b', ['a b']],
	['ends\\', ['ends\\']],
	["'never closed", ['never closed']],
	['"never closed', ['never closed']],
	["--name='it\"s'", ['--name=it"s']],
	['"back\\\\"', ['back\\']],
	['💥 "💥 💥"', ['💥', '💥 💥']],
])('%j is %j', (line, words) => {
	expect(splitArguments(line)).toEqual(words);
});
