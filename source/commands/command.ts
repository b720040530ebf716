/** What a command of the command line is. Its help, its completions and docs/commands.md are made from it. */
import type {Client} from '../client/client.ts';
import type {Settings} from '../renter/settings/default-settings.ts';
import type {Folders} from '../renter/folders.ts';
import type {Output} from './output.ts';

export type Option = {
	/** What its value is called in help; undefined for one that is given or not. */
	readonly value?: string;
	readonly short?: string;
	readonly about: string;
	/** What its value may be, where that is a matter of a few words. */
	readonly oneOf?: readonly string[];
};

/** What words after a command are names of. */
export type Named = 'instances' | 'searches' | 'files' | 'shells';

export type Command = {
	readonly name: string;
	/** A few words for the list of commands. */
	readonly summary: string;
	/** What follows its name: `[WORDS…]`. */
	readonly takes: string;
	readonly names?: Named | undefined;
	/** Lines about what it does. */
	readonly about: readonly string[];
	readonly options: Readonly<Record<string, Option>>;
	/** Fulfils with the exit code. */
	readonly run: (context: Context) => Promise<number>;
};

/** What was given on the command line. */
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
	/** What people, and the files of the console, call it. */
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

/** What a command works with. */
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
	/** What the command line says of the service: `--profile=NAME`. */
	readonly serviceWords: readonly string[];
	/** Another service, as such words name it. @throws UsageError */
	readonly serviceOf: (words: readonly string[]) => OpenableService;
	readonly settings: Settings;
	/** What is wrong with the settings: a sentence. */
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
