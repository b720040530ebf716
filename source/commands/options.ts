import {messageOf} from '../contract/thrown.ts';
import {parseArgs} from 'node:util';
import {themeNames} from '../renter/settings/default-settings.ts';
import {UsageError} from '../renter/usage-error.ts';
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

export const usage = `Usage: rentty [options]
       rentty COMMAND [options]

Browse GPU offers in this terminal. With no service given, rentty opens on a practice
market of its own: real HTTP on this machine, nothing to pay.

  --url URL           the service to talk to, with --key-file
  --key-file FILE     a file that holds nothing but the API key
  --profile NAME      one of your profiles (screen 6), or practice
  --settings FILE     settings to use instead of the user's own
  --theme NAME        default, light, high-contrast, colour-blind or mono
  --ascii             draw with ASCII signs alone
  --screen-reader     lines to be read out, in the place of a screen
  --help              this text
  --version           the version

Commands, each with --help and --json:

  rentty offers       list what can be rented
  rentty watch        wait until words find an offer
  rentty templates    list templates
  rentty rent         rent an offer, or the cheapest that words find
  rentty ps           list what is rented, what state it is in and what it costs
  rentty ssh          enter an instance, or run a command there
  rentty exec         run a command in several instances at once
  rentty cp           copy files into instances and out of them
  rentty volumes      list volumes, or clone one
  rentty logs         print the logs of instances
  rentty start        start stopped instances
  rentty stop         stop instances; their disks stay, and cost
  rentty destroy      end instances for good, and look until they are gone
  rentty lease        show or change when an instance ends by itself
  rentty prepay       pay ahead for an instance at a discount, or show what is left of it
  rentty rises        list price increases that wait for an answer, accept or reject one
  rentty jobs         list what the service does with instances at set times, add or remove a job
  rentty guard        end instances when their leases end, without a screen
  rentty alerts       send a test by every way that alerts leave the terminal
  rentty sweep        destroy all that is stuck or dead, in one review
  rentty keys         list SSH keys, register and remove them
  rentty doctor       look at service, key, clock, terminal, SSH and files
  rentty completions  print what bash, zsh or fish need to complete words
  rentty man          show the manual, or the licences of what is inside
  rentty upgrade      replace rentty by a newer release
  rentty practice     remove all that the practice market has kept
  rentty market       run the marketplace service by itself
  rentty host         offer this machine on a market

Environment: RENTTY_URL and RENTTY_API_KEY name a service and its key, RENTTY_PROFILE a
profile. Without any of them rentty opens the profile that was used last.
RENTTY_SCREEN_READER=1 does what --screen-reader does.
Where standard output is not a terminal, the offers are printed as plain text.
`;

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
