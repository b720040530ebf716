import {expect, test, vi} from 'vitest';
import {readDate, readOptions, joinValues} from '../../../source/commands/base/options.ts';
import {chooseService, parseApiKey} from '../../../source/renter/profiles/target.ts';
import {UsageError} from '../../../source/renter/text/usage-error.ts';

const named = ['--url', 'https://console.example', '--key-file', 'key'];
const environment = {RENTTY_URL: 'https://other.example', RENTTY_API_KEY: 'secret'};

test('the command line goes before the environment, and without either it is practice', () => {
	expect(chooseService(readOptions(named), environment)).toEqual({
		url: 'https://console.example',
		key: {file: 'key'},
	});
	expect(chooseService(readOptions([]), environment)).toEqual({
		url: 'https://other.example',
		key: {value: 'secret'},
	});
	expect(chooseService(readOptions([]), {})).toBeUndefined();
});

test.each([
	[['--url', 'https://a.example'], {}, '--url needs --key-file'],
	[['--key-file', 'k'], {}, '--key-file needs --url'],
	[['--url', 'ftp://a.example', '--key-file', 'k'], {}, '--url must start with http'],
	[['--url', 'https://me:pw@a.example', '--key-file', 'k'], {}, 'must not carry a user name'],
	[[], {RENTTY_URL: 'https://a.example'}, 'RENTTY_URL is set, but RENTTY_API_KEY is not.'],
	[[], {RENTTY_API_KEY: 'k'}, 'RENTTY_API_KEY is set, but RENTTY_URL is not.'],
	[[], {RENTTY_URL: 'https://a.example', RENTTY_API_KEY: 'two words'}, 'does not hold an API key'],
	[['--frobnicate'], {}, "Unknown option '--frobnicate'. rentty --help lists what there is."],
	[['offers'], {}, 'Unexpected argument'],
	[['--url'], {}, '--url'],
	[['--url', ''], {}, '--url needs a value.'],
	[['--profile', '--ascii'], {}, '--profile needs a value, and --ascii is an option itself'],
])('%j with %j is refused with one sentence', (argv, env, sentence) => {
	expect(() => chooseService(readOptions(argv), env)).toThrow(UsageError);
	expect(() => chooseService(readOptions(argv), env)).toThrow(sentence);
});

test('a refusal never repeats the key', () => {
	expect(() => parseApiKey('RENTTY_API_KEY', 'my secret key')).toThrow(/^(?!.*secret).*$/);
});

test('help and version are asked for by flags', () => {
	expect(readOptions(['--help']).command).toBe('help');
	expect(readOptions(['-V']).command).toBe('version');
	expect(readOptions([]).command).toBe('open');
});

test('a value may begin with a dash', () => {
	const argv = ['--profile', '-p', '--key-file', '--k', '--settings', '-', '--url=-u'];
	expect(readOptions(argv)).toMatchObject({
		profile: '-p',
		keyFile: '--k',
		settingsFile: '-',
		url: '-u',
	});
});

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

test.each([
	['2027-06-30', '2027-06-30T00:00:00.000Z'],
	['2027-06-30T14:00', '2027-06-30T14:00:00.000Z'],
	['2027-06-30 14:00:05', '2027-06-30T14:00:05.000Z'],
	['2027-06-30T14:00Z', '2027-06-30T14:00:00.000Z'],
	['2027-06-30T14:00+02:00', '2027-06-30T12:00:00.000Z'],
	['2027-02-30', undefined],
	['2027-06-30T25:00', undefined],
	['06/07/2027', undefined],
	['next year 2030', undefined],
	['1', undefined],
	['', undefined],
])('the date %j is %s, wherever it is read', (text, moment) => {
	vi.stubEnv('TZ', 'America/New_York');
	const seconds = readDate(text);
	vi.unstubAllEnvs();
	expect(seconds === undefined ? undefined : new Date(seconds * 1000).toISOString()).toBe(moment);
});
