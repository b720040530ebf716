/** Commands of the command line. Help, completions and docs/commands.md are made from them. */
import type {Client} from '../client/client.ts';
import type {Settings} from '../renter/settings/default-settings.ts';
import type {Folders} from '../renter/files/folders.ts';
import type {Output} from './output.ts';

export type Option = {
	/** Placeholder for the option's value in help; undefined for a flag. */
	readonly value?: string;
	readonly short?: string;
	readonly about: string;
	/** Allowed values, where there are few. */
	readonly oneOf?: readonly string[];
};

/** Kinds of names that a command takes as words. */
export type Named = 'instances' | 'searches' | 'files' | 'shells';

export type Command = {
	readonly name: string;
	/** A few words for the list of commands. */
	readonly summary: string;
	/** Words after the command's name: `[WORDS…]`. */
	readonly takes: string;
	readonly names?: Named | undefined;
	/**
	 * It lists or changes instances, and says first what became of rents that were left open.
	 * @default whether it takes the names of instances
	 */
	readonly isAboutInstances?: true;
	/** Lines about what it does. */
	readonly about: readonly string[];
	readonly options: Readonly<Record<string, Option>>;
	/** Fulfils with the exit code. */
	readonly run: (context: Context) => Promise<number>;
};

/** Parsed words and options of a command line. */
export type Given = {
	readonly words: readonly string[];
	readonly isGiven: (option: string) => boolean;
	/** The value of an option; undefined where it is not given. */
	readonly textOf: (option: string) => string | undefined;
};

/** The service that a command line, or what stands behind it, names. */
export type ServiceFacts = {
	/** Undefined for the practice market. */
	readonly url: string | undefined;
	/** Name of the service, for people and for the names of files. */
	readonly name: string;
	/** The file that its key is in; undefined where it comes from elsewhere. */
	readonly keyFile: string | undefined;
	readonly isReadOnly: boolean;
};

/** A service, and how it is opened. */
export type OpenableService = ServiceFacts & {
	readonly open: () => Promise<{readonly client: Client; readonly close: () => Promise<void>}>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything a command works with. */
export type Context = Given & {
	readonly isJson: boolean;
	/** Opens the service at the first call. */
	readonly client: () => Promise<Client>;
	/**
	 * The same, for changing something.
	 *
	 * @throws CommandError where the profile is read-only
	 */
	readonly changer: () => Promise<Client>;
	/** @throws UsageError where the command line names no service that can be called */
	readonly service: () => ServiceFacts;
	/** Words that choose the service: `--profile=NAME`. */
	readonly serviceWords: readonly string[];
	/** Another service, as such words name it. @throws UsageError */
	readonly serviceOf: (words: readonly string[]) => OpenableService;
	readonly settings: Settings;
	/** Problem of the settings as a sentence. */
	readonly settingsProblem: string | undefined;
	readonly output: Output;
	/** Fires when somebody wants the command to end. */
	readonly signal: AbortSignal;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	readonly environment: Environment;
	readonly folders: Folders;
	readonly version: string;
};

/** True for commands that say first what became of rents that were left open. */
export function isAboutInstances({names, isAboutInstances: isSaid}: Command): boolean {
	return names === 'instances' || isSaid === true;
}
