import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/console/default-settings.ts';
import {readSettings} from '../../source/console/settings.ts';

test('a file that says nothing gives the defaults', () => {
	expect(readSettings('s.json', '{}')).toEqual({settings: defaultSettings, problem: undefined});
});

test('what the file says is used', () => {
	const {settings, problem} = readSettings('s.json', '{"diskGb": 120, "colour": "never"}');
	expect(problem).toBeUndefined();
	expect(settings).toEqual({diskGb: 120, glyphs: 'auto', colour: 'never'});
});

test.each([
	['{\n\t"diskGb": 40,\n}', 's.json line 3: expected JSON, like {"diskGb": 40}'],
	['', 's.json line 1: expected JSON, like {"diskGb": 40}'],
	['[]', 's.json line 1: expected an object, like {"diskGb": 40}'],
	['{\n\t"colour": "never",\n\t"diskGb": "big"\n}', 's.json line 3: "diskGb": expected a number'],
	['{"diskGb": 3}', 's.json line 1: "diskGb": expected a number of GB, at least 8'],
	['{\n"colour": "pink"}', 's.json line 2: "colour": expected "auto" or "never"'],
	[
		'{\n\n"disk": 40}',
		's.json line 3: "disk" is not a setting, expected one of diskGb, glyphs, colour',
	],
])(
	'a file that is not valid is one sentence with file, line and what was expected: %j',
	(text, sentence) => {
		expect(readSettings('s.json', text)).toEqual({
			settings: defaultSettings,
			problem: `${sentence}; the default settings are used.`,
		});
	},
);
