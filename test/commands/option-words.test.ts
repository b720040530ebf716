import {expect, test} from 'vitest';
import {joinValues} from '../../source/commands/option-words.ts';

const kinds = {
	label: {type: 'string'},
	key: {type: 'string', short: 'i'},
	yes: {type: 'boolean', short: 'y'},
} as const;

test.each([
	[
		['--label', '-x', 'word'],
		['--label=-x', 'word'],
	],
	[
		['--label', '--name', '-y'],
		['--label=--name', '-y'],
	],
	[['--label', ''], ['--label=']],
	[['--label', '-'], ['--label=-']],
	[['--label=--yes'], ['--label=--yes']],
	[['-i', '-x'], ['--key=-x']],
	[
		['-yi', '-x'],
		['-y', '--key=-x'],
	],
	[
		['-i-x', '--yes'],
		['-i-x', '--yes'],
	],
	[
		['--yes', '-x'],
		['--yes', '-x'],
	],
	[['--label'], ['--label']],
	[
		['--', '--label', '-x'],
		['--', '--label', '-x'],
	],
	[
		['-', '--toString', '-x'],
		['-', '--toString', '-x'],
	],
])('%j is read as %j', (argv, joined) => {
	expect(joinValues(argv, kinds)).toEqual(joined);
});

test.each([
	['--label', '--yes'],
	['--label', '-y'],
	['--label', '--key=file'],
	['-i', '--label'],
])('where %s is followed by %s, its value was forgotten', (option, next) => {
	const name = option === '-i' ? '--key' : option;
	expect(() => joinValues([option, next], kinds)).toThrow(
		`${name} needs a value, and ${next} is an option itself: ${name}=${next} would give it as the value`,
	);
});

test('two dashes are no value', () => {
	expect(() => joinValues(['--label', '--', 'x'], kinds)).toThrow(
		'--label needs a value, and -- ends the options',
	);
});
