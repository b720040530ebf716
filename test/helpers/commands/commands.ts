import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {openClient} from '../../../source/client/client.ts';
import type {Time} from '../../../source/client/exchange/time.ts';
import {commandNamed} from '../../../source/commands/index.ts';
import {runCommand, type CommandSetup} from '../../../source/commands/run.ts';
import {defaultSettings, type Settings} from '../../../source/renter/settings/default-settings.ts';
import {foldersOf} from '../../../source/renter/files/folders.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import type {Observation} from '../../../source/renter/instance/observations.ts';
import {keepSeen} from '../fleet/fleet.ts';
import {openFolder} from '../folder.ts';

type Service = {
	readonly url: string;
	readonly key: string;
	/** Its clock, where this machine's is to agree with it. */
	readonly clock?: {readonly now: () => number};
	/** What an earlier run saw of its instances until a moment on this machine's clock. */
	readonly seen?: (localNow: number) => ReadonlyMap<number, Observation>;
};

export type CommandsOptions = {
	readonly settings?: Partial<Settings>;
	readonly isReadOnly?: boolean;
	/** Whether standard output is a terminal. */
	readonly isTerminal?: boolean;
	/** @default nothing */
	readonly environment?: Readonly<Record<string, string>>;
	/** What a person types, where there is one. */
	readonly answers?: string;
	/** Given what was said so far: whether to end it now, as Ctrl-C does. */
	readonly interruptAfter?: RegExp;
	/** Folder in which runs keep what they know; otherwise each has one of its own. */
	readonly folder?: string;
	/** Told each time that something was said. */
	readonly onSaid?: () => void;
};

/** Longest time that words are waited for which end a command. */
const PATIENCE_MS = 60_000;

export type Ran = {readonly code: number; readonly out: string; readonly err: string};

type WorldOptions = Pick<CommandsOptions, 'settings' | 'isReadOnly' | 'environment'> & {
	readonly folder: string;
	/** Time of the client's waiting. @default the machine's */
	readonly time?: Time | undefined;
};

/** What commands work with beside their streams: a service, settings, and folders of their own. */
export function worldOf(
	{url, key, clock, seen}: Service,
	{settings = {}, isReadOnly = false, environment = {}, folder, time}: WorldOptions,
): Omit<CommandSetup, 'stdin' | 'stdout' | 'stderr'> {
	const now = clock === undefined ? Date.now : () => clock.now() * 1000;
	if (seen !== undefined) keepSeen(join(folder, 'rentty'), {name: 'test', url}, seen(now()));
	return {
		chooseService: () => ({
			url,
			name: 'test',
			keyFile: undefined,
			isReadOnly,
			async open() {
				const state = join(folder, 'rentty');
				const pendingRentsFile = join(state, 'wishes.json');
				const journalFile = join(state, 'journal.jsonl');
				const files = {pendingRentsFile, journalFile};
				const client = openClient({
					url,
					key,
					now,
					...(time && {time}),
					...files,
					paceScale: 0,
					repeats: 0,
				});
				return {client, close: client.close};
			},
		}),
		loadSettings: async () => ({settings: {...defaultSettings, ...settings}, problem: undefined}),
		onInterrupt: () => () => {},
		environment,
		folders: foldersOf({
			XDG_CONFIG_HOME: folder,
			XDG_DATA_HOME: folder,
			XDG_STATE_HOME: folder,
			XDG_CACHE_HOME: folder,
		}),
		version: 'test',
		now,
	};
}

/** The commands of the program in this process, against a service. */
export function commandsOf(service: Service, options: CommandsOptions = {}) {
	const {
		settings = {},
		isReadOnly = false,
		environment = {},
		isTerminal = false,
		answers,
		interruptAfter,
		onSaid,
		folder: kept,
	} = options;
	return async (name: string, ...argv: readonly string[]): Promise<Ran> => {
		const command = commandNamed(name);
		if (command === undefined) throw new Error(`there is no command ${name}`);
		using folder = openFolder();
		const texts = {out: '', err: ''};
		let interrupt: (() => void) | undefined;
		const stream = (which: 'out' | 'err', isTTY: boolean) => {
			const written = new PassThrough();
			written.on('data', (data: Buffer) => {
				texts[which] += data.toString();
				onSaid?.();
				if (interruptAfter?.test(texts.out + texts.err) === true) interrupt?.();
			});
			return Object.assign(written, {isTTY});
		};
		const stdin = Object.assign(new PassThrough(), {isTTY: answers !== undefined});
		if (answers !== undefined) stdin.write(answers);
		const stdout = stream('out', isTerminal);
		const stderr = stream('err', answers !== undefined);
		let isLate = false;
		const waiting = setTimeout(() => {
			isLate = interruptAfter !== undefined;
			if (isLate) interrupt?.();
		}, PATIENCE_MS);
		const code = await runCommand(command, argv, {
			...worldOf(service, {settings, isReadOnly, environment, folder: kept ?? folder.path}),
			stdin,
			stdout,
			stderr,
			onInterrupt(run) {
				interrupt = run;
				return () => {};
			},
		}).finally(() => clearTimeout(waiting));
		const {out, err} = texts;
		if (isLate) throw new Error(`${name} never said ${interruptAfter}, but ${out}${err}`);
		// What was written last is still on its way.
		await new Promise(resolve => setImmediate(resolve));
		return {code, ...texts};
	};
}

/** The lines of JSON that a command wrote. */
export function jsonOf({out}: Ran): ReadonlyArray<Record<string, unknown>> {
	return out
		.split('\n')
		.filter(line => line !== '')
		.map(line => recordIn(line));
}

export function recordIn(line: string): Record<string, unknown> {
	const value: unknown = JSON.parse(line);
	if (!isRecord(value)) throw new Error(`not an object: ${line}`);
	return value;
}
