import {messageOf} from '../contract/rules/thrown.ts';
import {parseArgs} from 'node:util';
import {themeNames} from '../renter/settings/default-settings.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {joinValues, type OptionKinds} from './option-words.ts';

/** Options of the program, parsed. */
export type Options = {
	readonly command: 'open' | 'help' | 'version';
	readonly url: string | undefined;
	readonly keyFile: string | undefined;
	/** One of the user's profiles, or `practice`. */
	readonly profile: string | undefined;
	readonly settingsFile: string | undefined;
	/** Read lines aloud in place of drawing screens. */
	readonly isSpoken: boolean;
	/** Options about looks, under the names of their environment variables. */
	readonly looks: Readonly<Record<string, string>>;
};

const flags = {
	url: {type: 'string'},
	'key-file': {type: 'string'},
	profile: {type: 'string'},
	settings: {type: 'string'},
	theme: {type: 'string'},
	ascii: {type: 'boolean'},
	'screen-reader': {type: 'boolean'},
	help: {type: 'boolean', short: 'h'},
	version: {type: 'boolean', short: 'V'},
} as const;

/** Reads the command line. */
export function readOptions(argv: readonly string[]): Options {
	const values = readFlags(argv, flags, 'rentty');
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
		looks: looksOf(values),
	};
}

type Looks = {readonly theme?: string | undefined; readonly ascii?: boolean | undefined};

function looksOf({theme, ascii}: Looks): Readonly<Record<string, string>> {
	if (theme !== undefined && !themeNames.some(name => name === theme)) {
		throw new UsageError(`--theme needs one of ${themeNames.join(', ')}.`);
	}
	return {
		...(theme !== undefined && {RENTTY_THEME: theme}),
		...(ascii === true && {RENTTY_ASCII: '1'}),
	};
}

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

/** The same with words among them, of which amounts may be less than nothing; @throws UsageError */
export function readFlagsAndWords<const Kinds extends OptionKinds>(
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

/** Usage error for an unreadable command line: a sentence, and where help is. */
export function misread(error: unknown, program: string): UsageError {
	const [sentence = ''] = messageOf(error).split('. ');
	const said = `${sentence.replace(/\.$/, '')}. ${program} --help lists what there is.`;
	return new UsageError(said, {cause: error});
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * True if lines are for a screen reader: our own option, or the variable that other terminal
 * programs know.
 */
export function isScreenReader({isSpoken}: Pick<Options, 'isSpoken'>, environment: Environment) {
	const {RENTTY_SCREEN_READER: wanted, INK_SCREEN_READER: known} = environment;
	return isSpoken || !['', '0'].includes(wanted ?? '') || known === 'true';
}
