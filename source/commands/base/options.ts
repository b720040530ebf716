/** Options of the command line: those of the program, and the parser of all. */
import {parseArgs} from 'node:util';
import {messageOf} from '../../contract/rules/thrown.ts';
import {themeNames} from '../../renter/settings/default-settings.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {helpFlag} from './help-text.ts';

export type Options = {
	readonly command: 'open' | 'help' | 'version';
	readonly url: string | undefined;
	readonly keyFile: string | undefined;
	/** Name of one of the user's profiles, or `practice`. */
	readonly profile: string | undefined;
	readonly settingsFile: string | undefined;
	/** Read lines aloud instead of drawing screens. */
	readonly isSpoken: boolean;
	/** Options of appearance, under the names of their environment variables. */
	readonly appearance: Readonly<Record<string, string>>;
};

export const programFlags = {
	url: {type: 'string', value: 'URL', about: 'the service to talk to, with --key-file'},
	'key-file': {
		type: 'string',
		value: 'FILE',
		about: 'a file that holds nothing but the API key',
	},
	profile: {
		type: 'string',
		value: 'NAME',
		about: 'one of your profiles (screen 6), or practice',
	},
	settings: {
		type: 'string',
		value: 'FILE',
		about: "settings to use instead of the user's own",
	},
	theme: {
		type: 'string',
		value: 'NAME',
		about: 'default, light, high-contrast, colour-blind or mono',
	},
	ascii: {type: 'boolean', about: 'draw with ASCII signs alone'},
	'screen-reader': {
		type: 'boolean',
		about: 'lines to be read out, in the place of a screen',
	},
	...helpFlag,
	version: {type: 'boolean', short: 'V', about: 'the version'},
} as const;

export function readOptions(argv: readonly string[]): Options {
	const values = readFlags(argv, programFlags, 'rentty');
	for (const name of ['url', 'key-file', 'profile', 'settings'] as const) {
		if (values[name] === '') throw new UsageError(`--${name} needs a value.`);
	}
	return {
		command: values.help === true ? 'help' : values.version === true ? 'version' : 'open',
		url: values.url,
		keyFile: values['key-file'],
		profile: values.profile,
		settingsFile: values.settings,
		isSpoken: values['screen-reader'] === true,
		appearance: appearanceOf(values),
	};
}

type Appearance = {readonly theme?: string | undefined; readonly ascii?: boolean | undefined};

function appearanceOf({theme, ascii}: Appearance): Readonly<Record<string, string>> {
	if (theme !== undefined && !themeNames.some(name => name === theme)) {
		throw new UsageError(`--theme needs one of ${themeNames.join(', ')}.`);
	}
	return {
		...(theme !== undefined && {RENTTY_THEME: theme}),
		...(ascii === true && {RENTTY_ASCII: '1'}),
	};
}

/** Options by whether they take a value. */
type OptionKinds = Readonly<
	Record<string, {readonly type: 'string' | 'boolean'; readonly short?: string}>
>;

/** Options alone, read strictly; @throws UsageError */
export function readFlags<const Kinds extends OptionKinds>(
	argv: readonly string[],
	options: Kinds,
	program: string,
) {
	try {
		const args = [...joinValues(argv, options)];
		return parseArgs({args, options, strict: true, allowPositionals: false}).values;
	} catch (error) {
		throw misread(error, program);
	}
}

/**
 * Options mixed with words; negative amounts count as words.
 * @throws UsageError
 */
export function readOptionsAndArguments<const Kinds extends OptionKinds>(
	argv: readonly string[],
	options: Kinds,
	program: string,
) {
	try {
		const args = joinValues(argv, options).map(word => word.replace(/^-(?=\d)/, '\0-'));
		const read = parseArgs({args, options, strict: true, allowPositionals: true});
		return {values: read.values, words: read.positionals.map(word => word.replace('\0', ''))};
	} catch (error) {
		throw misread(error, program);
	}
}

/** Usage error for an unreadable command line: a sentence that names the help. */
export function misread(error: unknown, program: string): UsageError {
	const [sentence = ''] = messageOf(error).split('. ');
	const message = `${sentence.replace(/\.$/, '')}. ${program} --help lists what there is.`;
	return new UsageError(message, {cause: error});
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * True if lines are for a screen reader: by our own option, or by the variable of other terminal
 * programs.
 */
export function isScreenReader({isSpoken}: Pick<Options, 'isSpoken'>, environment: Environment) {
	const {RENTTY_SCREEN_READER: wanted, INK_SCREEN_READER: known} = environment;
	return isSpoken || !['', '0'].includes(wanted ?? '') || known === 'true';
}

/**
 * Joins an option that takes a value with the next word: `parseArgs` by
 * itself refuses one that begins with a dash, as Docker's flags do.
 *
 * @throws Error if the next word is an option itself, so that the value was forgotten
 */
export function joinValues(argv: readonly string[], options: OptionKinds): readonly string[] {
	const joined: string[] = [];
	for (let at = 0; at < argv.length; at++) {
		const word = argv[at] ?? '';
		if (word === '--') return [...joined, ...argv.slice(at)];
		const name = valueless(word, options);
		const next = argv[at + 1];
		if (name === undefined || next === undefined) {
			joined.push(word);
			continue;
		}
		if (isOption(next, options)) throw new Error(forgotten(name, next));
		const others = word.startsWith('--') ? '-' : word.slice(0, -1);
		joined.push(...(others === '-' ? [] : [others]), `--${name}=${next}`);
		at++;
	}
	return joined;
}

/** The option whose value is the next word: `--label`, `-i`, or the last of several letters, `-fn`. */
function valueless(word: string, options: OptionKinds): string | undefined {
	if (word.startsWith('--')) {
		const name = word.slice(2);
		return Object.hasOwn(options, name) && options[name]?.type === 'string' ? name : undefined;
	}
	if (!word.startsWith('-')) return undefined;
	const letters = word.slice(1).split('');
	const named = letters.map(letter => optionName(letter, options));
	const first = named.findIndex(name => name !== undefined && options[name]?.type === 'string');
	// Letters after the option would be its value.
	return first === letters.length - 1 ? named[first] : undefined;
}

function optionName(letter: string, options: OptionKinds): string | undefined {
	return Object.keys(options).find(name => options[name]?.short === letter);
}

function isOption(word: string, options: OptionKinds): boolean {
	if (word === '--') return true;
	const [long] = word.slice(2).split('=');
	if (word.startsWith('--')) return Object.hasOwn(options, long ?? '');
	return (
		word.length === 2 && word.startsWith('-') && optionName(word.slice(1), options) !== undefined
	);
}

function forgotten(name: string, next: string): string {
	const why = next === '--' ? 'ends the options' : 'is an option itself';
	return `--${name} needs a value, and ${next} ${why}: --${name}=${next} would give it as the value`;
}

const FIRST_FREE_PORT = 1024;
const LAST_PORT = 65_535;

/** Reads the first and the last of some ports. @throws UsageError */
export function readPorts(flag: string, text: string, least: number) {
	const [, from = '', to = ''] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
	const [first, last] = [Number(from), Number(to)];
	const isFit = first >= FIRST_FREE_PORT && last <= LAST_PORT && last - first + 1 >= least;
	if (isFit) return {first, last};
	throw new UsageError(
		`${flag} takes the first and the last of at least ${least} ports from ${FIRST_FREE_PORT} to ${LAST_PORT}, such as 40000-40999.`,
	);
}

/** Reads a date, or a moment of one, in seconds since 1970; in UTC where it names no other zone. */
export function readDate(text: string): number | undefined {
	const [, date = '', time = '00:00', zone = 'Z'] =
		/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(
			text,
		) ?? [];
	const day = new Date(`${date}T00:00Z`);
	// JavaScript takes the 30th of February for the 2nd of March.
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
	const ms = Date.parse(`${date}T${time}${zone}`);
	return Number.isNaN(ms) ? undefined : ms / 1000;
}

/** Reads an amount that may be left out. @throws UsageError */
export function readDollars(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d{1,4}(\.\d{1,6})?$/.test(text)) return Number(text);
	throw new UsageError(`${flag} takes a number, such as 0.25.`);
}

/** Reads a whole number that may be left out. @throws UsageError */
export function readCount(flag: string, text: string | undefined, most = 9999): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d{1,5}$/.test(text) && Number(text) <= most) return Number(text);
	throw new UsageError(`${flag} takes a whole number from 0 to ${most}.`);
}
