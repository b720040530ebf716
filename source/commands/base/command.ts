/** Commands of the command line. Help, completions and docs/commands.md are made from them. */
import {parseArgs} from 'node:util';
import type {Client} from '../../client/client.ts';
import type {Settings} from '../../renter/settings/default-settings.ts';
import type {Folders} from '../../renter/files/folders.ts';
import type {Output} from './output.ts';
import {optionLines} from './help-text.ts';
import {joinValues, misread} from './options.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {CommandError, exitCodes} from './failure.ts';

export type Option = {
	/** Placeholder for the option's value in help; undefined for a flag. */
	readonly value?: string;
	readonly short?: string;
	readonly about: string;
	readonly oneOf?: readonly string[];
};

export type NameKind = 'instances' | 'searches' | 'files' | 'shells';

export type Command = {
	readonly name: string;
	readonly summary: string;
	/** Words after the command's name: `[WORDS…]`. */
	readonly takes: string;
	readonly names?: NameKind | undefined;
	/**
	 * True for commands that list or change instances: rents that were left open are reported first.
	 * @default whether it takes the names of instances
	 */
	readonly isAboutInstances?: true;
	/** It needs neither a service nor settings, so that odd ones do not stop it. */
	readonly isAlone?: true;
	readonly about: readonly string[];
	readonly options: Readonly<Record<string, Option>>;
	/** Fulfils with the exit code. */
	readonly run: (context: Context) => Promise<number>;
};

export type ParsedOptions = {
	readonly words: readonly string[];
	/** Those of the words that stand behind `--`; undefined without it. */
	readonly behind?: readonly string[] | undefined;
	readonly isGiven: (option: string) => boolean;
	/** The value of an option; undefined if it is not given. */
	readonly textOf: (option: string) => string | undefined;
};

/** The service that the command line, the environment or the settings name. */
export type ServiceFacts = {
	/** Undefined for the practice market. */
	readonly url: string | undefined;
	/** Name of the service, for people and for the names of files. */
	readonly name: string;
	/** File of its key; undefined for a key from elsewhere. */
	readonly keyFile: string | undefined;
	readonly isReadOnly: boolean;
};

export type OpenableService = ServiceFacts & {
	readonly open: () => Promise<{readonly client: Client; readonly close: () => Promise<void>}>;
};

type Environment = Readonly<Record<string, string | undefined>>;

export type Context = ParsedOptions & {
	readonly isJson: boolean;
	/** Opens the service at the first call. */
	readonly client: () => Promise<Client>;
	/**
	 * Opens the service for changes.
	 *
	 * @throws CommandError if the profile is read-only
	 */
	readonly changer: () => Promise<Client>;
	/** @throws UsageError if the command line names no service that can be called */
	readonly service: () => ServiceFacts;
	/** Words that choose the service: `--profile=NAME`. */
	readonly serviceWords: readonly string[];
	/** Another service, by words such as `--profile=NAME`. @throws UsageError */
	readonly serviceOf: (words: readonly string[]) => OpenableService;
	readonly settings: Settings;
	/** Problem of the settings as a sentence. */
	readonly settingsProblem: string | undefined;
	readonly output: Output;
	/** Fires when the user ends the command. */
	readonly signal: AbortSignal;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly environment: Environment;
	readonly folders: Folders;
	readonly version: string;
};

/** True for commands that first report rents that were left open. */
export function isAboutInstances({names, isAboutInstances: isSaid}: Command): boolean {
	return names === 'instances' || isSaid === true;
}

export const commonOptions = {
	json: {about: 'JSON, an object a line, with names that stay'},
	help: {short: 'h', about: 'this text'},
} as const satisfies Readonly<Record<string, Option>>;

export const serviceOptions = {
	url: {value: 'URL', about: 'the service to talk to, with --key-file'},
	'key-file': {value: 'FILE', about: 'a file that holds nothing but the API key'},
	profile: {value: 'NAME', about: 'the profile to use'},
	settings: {value: 'FILE', about: "settings to use instead of the user's own"},
} as const satisfies Readonly<Record<string, Option>>;

export function optionsOf({options}: Command): Readonly<Record<string, Option>> {
	return {...options, ...commonOptions, ...serviceOptions};
}

export type CommandLine = ParsedOptions & {
	readonly serviceWords: readonly string[];
};

/** @throws UsageError */
export function readCommandLine(command: Command, argv: readonly string[]): CommandLine {
	const {values, positionals, tokens} = parse(command, argv);
	const end = tokens.find(({kind}) => kind === 'option-terminator')?.index;
	const before = tokens.filter(({kind, index}) => kind === 'positional' && index < (end ?? 0));
	const textOf = (name: string): string | undefined => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	for (const [name, {value, oneOf}] of Object.entries(optionsOf(command))) {
		const given = textOf(name);
		if (given === '') throw new UsageError(`--${name} needs ${value ?? 'a value'}.`);
		if (given !== undefined && oneOf?.includes(given) === false) {
			throw new UsageError(`--${name} is one of ${oneOf.join(', ')}.`);
		}
	}
	return {
		words: positionals,
		behind: end === undefined ? undefined : positionals.slice(before.length),
		isGiven: name => values[name] !== undefined,
		textOf,
		serviceWords: Object.keys(serviceOptions).flatMap(name => {
			const value = textOf(name);
			return value === undefined ? [] : [`--${name}=${value}`];
		}),
	};
}

function parse(command: Command, argv: readonly string[]) {
	const options = Object.fromEntries(
		Object.entries(optionsOf(command)).map(([name, {value, short}]) => [
			name,
			{
				type: value === undefined ? ('boolean' as const) : ('string' as const),
				...(short !== undefined && {short}),
			},
		]),
	);
	try {
		return parseArgs({
			args: [...joinValues(argv, options)],
			options,
			strict: true,
			allowPositionals: true,
			tokens: true,
		});
	} catch (error) {
		throw misread(error, `rentty ${command.name}`);
	}
}

export function helpOf(command: Command): string {
	const {name, takes, about, options} = command;
	const usage = ['rentty', name, takes, '[options]'].filter(part => part !== '').join(' ');
	return [
		`Usage: ${usage}`,
		...(about.length === 0 ? [] : ['', ...about]),
		...(Object.keys(options).length === 0 ? [] : ['', ...optionLines(options)]),
		'',
		...optionLines(commonOptions),
		...optionLines(serviceOptions),
		'',
	].join('\n');
}

/** @throws UsageError for an option that is no such number */
export function readNumberOption(
	{textOf}: ParsedOptions,
	name: string,
	{least = 0, isWhole = false}: {readonly least?: number; readonly isWhole?: boolean} = {},
): number | undefined {
	const text = textOf(name);
	if (text === undefined) return undefined;
	const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
	if (value >= least && (!isWhole || Number.isInteger(value))) return value;
	throw new UsageError(
		`--${name} takes a ${isWhole ? 'whole ' : ''}number of at least ${least}, and not ${text}.`,
	);
}

/** @throws UsageError if words stand behind a command that takes none */
export function refuseArguments(command: string, {words: [word]}: ParsedOptions): void {
	if (word !== undefined)
		throw new UsageError(`rentty ${command} takes no words, and not ${word}.`);
}

export const yesOption = {
	yes: {short: 'y', about: 'ask nothing'},
} as const satisfies Readonly<Record<string, Option>>;

type Review = {
	readonly lines: readonly string[];
	readonly question: string;
	/** Words to type where a single letter is too little. */
	readonly word?: string | undefined;
};

/**
 * Fulfils once the user consents.
 *
 * @throws UsageError if there is no user to ask, and `--yes` is not given
 * @throws CommandError if the answer is no
 */
export async function getConsent(
	{output, isGiven, signal}: Pick<Context, 'output' | 'isGiven' | 'signal'>,
	{lines, question, word}: Review,
): Promise<void> {
	if (isGiven('yes')) return;
	for (const line of lines) output.say(line);
	if (output.ask === undefined) {
		throw new UsageError(
			'There is no terminal to ask on: --yes does it without asking. Nothing was changed.',
		);
	}
	const wanted = word === undefined ? ['y', 'yes'] : [word];
	const hint = word === undefined ? '[y/N]' : `Type ${word}:`;
	for (;;) {
		const answer = (await output.ask(`${question} ${hint} `, signal)).trim().toLowerCase();
		if (wanted.includes(answer)) return;
		if (word === undefined || ['', 'n', 'no'].includes(answer)) break;
		const done = word.startsWith('destroy') ? 'destroyed' : 'changed';
		output.say(`rentty: "${answer}" is not "${word}": nothing was ${done}. Enter alone leaves.`);
	}
	throw new CommandError(exitCodes.failed, 'The answer was no. Nothing was changed.');
}
