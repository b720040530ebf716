import {commonOptions, serviceOptions, type Option} from '../../../source/commands/base/command.ts';
import {exitMeanings} from '../../../source/commands/base/failure.ts';
import {writeOption} from '../../../source/commands/base/help-text.ts';
import {commands, usage} from '../../../source/commands/index.ts';

/** A line of text for roff: no sign of it is a command, and a dash stays one that can be copied. */
function escaped(text: string): string {
	const quoted = text.replaceAll('\\', String.raw`\e`).replaceAll('-', String.raw`\-`);
	return /^[.']/.test(quoted) ? String.raw`\&${quoted}` : quoted;
}

function items(pairs: ReadonlyArray<readonly [name: string, about: string]>): readonly string[] {
	return pairs.flatMap(([name, about]) => ['.TP', `.B ${escaped(name)}`, escaped(about)]);
}

function optionItems(options: Readonly<Record<string, Option>>): readonly string[] {
	return items(
		Object.entries(options).map(([name, option]) => [writeOption(name, option), option.about]),
	);
}

/** The part of `--help` under a heading, up to the next blank line. */
function consoleOptions(): readonly string[] {
	return items(
		[...usage.matchAll(/^ {2}(--\S+(?: [A-Z]+)?) +(.+)$/gm)].map(([, name = '', about = '']) => [
			name,
			about,
		]),
	);
}

/** The manual page of rentty, made from its commands. */
export function manPage(version: string): string {
	const of = commands.flatMap(({name, takes, about, options}) => [
		`.SS ${escaped(`rentty ${name} ${takes}`.trim())}`,
		...about.flatMap((line, at) => [...(at === 0 ? [] : ['.br']), escaped(line)]),
		...optionItems(options),
	]);
	const environment = [
		['RENTTY_URL, RENTTY_API_KEY', 'the service to talk to, and its key'],
		['RENTTY_PROFILE', 'the profile to open'],
		['RENTTY_THEME, RENTTY_ASCII', 'looks, as --theme and --ascii give them'],
		['NO_COLOR', 'no colours'],
	] as const;
	const files = [
		['~/.config/rentty/settings.json', 'settings; they hold no secrets'],
		['~/.config/rentty/profiles.json', 'services and accounts, and where their keys are'],
		['~/.local/state/rentty/', 'the journal of what was changed, and logs'],
		['~/.local/share/rentty/practice/', 'the practice market'],
	] as const;
	return [
		`.TH RENTTY 1 "" "rentty ${version}"`,
		'.SH NAME',
		escaped('rentty - rent GPUs from the terminal, and run a marketplace for them'),
		'.SH SYNOPSIS',
		'.B rentty',
		'[options]',
		'.br',
		'.B rentty',
		'COMMAND [words] [options]',
		'.SH DESCRIPTION',
		'Without a command, rentty opens its console in this terminal: on the profile that was used',
		'last, or on a practice market of its own, where nothing costs anything. In the console',
		'.B ?',
		'shows the keys of the screen one is on.',
		'.SH OPTIONS',
		...consoleOptions(),
		'.SH COMMANDS',
		...of,
		'.SS rentty market, rentty host, rentty relay',
		escaped(
			'The marketplace service by itself, the agent of a machine, and a relay: see their --help.',
		),
		'.SH OPTIONS OF ALL COMMANDS',
		...optionItems({...commonOptions, ...serviceOptions}),
		'.SH EXIT STATUS',
		...items(exitMeanings.map(([code, meaning]) => [String(code), meaning])),
		'.SH ENVIRONMENT',
		...items(environment),
		'.SH FILES',
		...items(files),
		'',
	].join('\n');
}
