import {expect, test} from 'vitest';
import {
	helpOf,
	readNumberOption,
	optionsOf,
	readCommandLine,
} from '../../../source/commands/base/command.ts';
import {commands} from '../../../source/commands/index.ts';
import {logs} from '../../../source/commands/instances/logs.ts';
import {ssh} from '../../../source/commands/instances/ssh.ts';

test('words, options and what names the service are told apart', () => {
	const line = readCommandLine(logs, ['train', '-f', '--tail', '5', '--profile', 'work']);
	expect(line.words).toEqual(['train']);
	expect(line.isGiven('follow')).toBe(true);
	expect(line.isGiven('daemon')).toBe(false);
	expect(readNumberOption(line, 'tail')).toBe(5);
	expect(line.serviceWords).toEqual(['--profile=work']);
});

test('what follows two dashes is no option', () => {
	const {words} = readCommandLine(ssh, ['train', '--', 'ls', '-l', '--all']);
	expect(words).toEqual(['train', 'ls', '-l', '--all']);
});

test.for([
	[['--bogus'], "Unknown option '--bogus'. rentty logs --help lists what there is."],
	[['--tail'], "Option '--tail <value>' argument missing. rentty logs --help lists what there is."],
	[['--tail', ''], '--tail needs N.'],
	[['--tail', '--follow'], '--tail needs a value, and --follow is an option itself: '],
	[['--tail', '-f'], '--tail needs a value, and -f is an option itself: '],
	[['--tail', '--', '5'], '--tail needs a value, and -- ends the options: '],
] as const)('%j is refused in one sentence', ([argv, message]) => {
	expect(() => readCommandLine(logs, argv)).toThrow(message);
});

test('whatever a value begins with, it is the value of the option before it', () => {
	for (const command of commands) {
		const valued = Object.entries(optionsOf(command)).filter(([, {value}]) => value !== undefined);
		for (const [name, {short, oneOf}] of valued) {
			for (const value of oneOf ?? ['-e A=b -p 80:80', '-c x', '-x', '--x', '-', '---']) {
				const flags = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
				for (const flag of flags) {
					const {textOf, words} = readCommandLine(command, ['before', flag, value, 'behind']);
					expect([command.name, flag, textOf(name)]).toEqual([command.name, flag, value]);
					expect(words).toEqual(['before', 'behind']);
				}
				expect(readCommandLine(command, [`--${name}=${value}`]).textOf(name)).toBe(value);
			}
		}
	}
});

test('an option of a command behind one that takes a value says that the value was forgotten', () => {
	for (const command of commands) {
		const all = Object.entries(optionsOf(command));
		const [valued] = all.find(([, {value}]) => value !== undefined) ?? expect.fail('none');
		for (const [name] of all) {
			expect(() => readCommandLine(command, [`--${valued}`, `--${name}`])).toThrow(
				`--${valued} needs a value, and --${name} is an option itself: --${valued}=--${name} ` +
					`would give it as the value. rentty ${command.name} --help lists what there is.`,
			);
		}
	}
});

test.for(['-1', '1.5', 'abc', '1e9', '0'])('%s is no number of lines', text => {
	const line = readCommandLine(logs, ['--tail', text]);
	expect(() => readNumberOption(line, 'tail', {least: 1, isWhole: true})).toThrow(
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
