import {expect, test} from 'vitest';
import {helpOf, numberOf, readCommandLine} from '../../source/commands/command-line.ts';
import {commands} from '../../source/commands/index.ts';
import {logs} from '../../source/commands/logs.ts';
import {ssh} from '../../source/commands/ssh.ts';

test('words, options and what names the service are told apart', () => {
	const line = readCommandLine(logs, ['train', '-f', '--tail', '5', '--profile', 'work']);
	expect(line.words).toEqual(['train']);
	expect(line.isGiven('follow')).toBe(true);
	expect(line.isGiven('daemon')).toBe(false);
	expect(numberOf(line, 'tail')).toBe(5);
	expect(line.serviceWords).toEqual(['--profile', 'work']);
});

test('what follows two dashes is no option', () => {
	const {words} = readCommandLine(ssh, ['train', '--', 'ls', '-l', '--all']);
	expect(words).toEqual(['train', 'ls', '-l', '--all']);
});

test.for([
	[['--bogus'], "Unknown option '--bogus'. rentty logs --help lists what there is."],
	[['--tail'], "Option '--tail <value>' argument missing. rentty logs --help lists what there is."],
	[['--tail', ''], '--tail needs N.'],
] as const)('%j is refused in one sentence', ([argv, message]) => {
	expect(() => readCommandLine(logs, argv)).toThrow(message);
});

test.for(['-1', '1.5', 'abc', '1e9', '0'])('%s is no number of lines', text => {
	const line = readCommandLine(logs, [`--tail=${text}`]);
	expect(() => numberOf(line, 'tail', {least: 1, isWhole: true})).toThrow(
		'--tail takes a whole number',
	);
});

test('an option of a few words takes no other', () => {
	expect(() => readCommandLine(ssh, ['x', '--via', 'tunnel'])).toThrow(
		'--via is one of direct, proxy.',
	);
});

test('help of every command fits into a terminal of 100 columns and names all options', () => {
	for (const command of commands) {
		const help = helpOf(command);
		expect(Math.max(...help.split('\n').map(line => line.length))).toBeLessThan(101);
		for (const name of Object.keys(command.options)) expect(help).toContain(`--${name}`);
	}
});
