/** Runs the command that the first word of the command line names. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type process from 'node:process';
import type {Folders} from '../renter/files/folders.ts';
import {
	loadSettings as readSettings,
	type SettingsFound,
	type SettingsText,
} from '../renter/settings/load-settings.ts';
import {readOptions} from './base/options.ts';
import {readNamedFile, UsageError} from '../renter/text/usage-error.ts';
import {openProfileBook} from '../renter/profiles/profile-file.ts';
import {overlaySettings} from '../renter/profiles/profile-settings.ts';
import {chooseTarget, targetName, remoteOf, type Target} from '../renter/profiles/target.ts';
import {openLineWriter} from './base/output.ts';
import {type ChosenService, type CommandSetup, runCommand} from './run.ts';
import {openService} from './service.ts';
import {closest} from '../renter/words/complete.ts';
import {programs} from './completions.ts';
import {commandNamed, commands} from './index.ts';

type Program = {
	readonly process: typeof process;
	readonly folders: Folders;
	readonly version: string;
};

/** @throws UsageError if there is no such command */
export async function dispatch(
	[name = '', ...argv]: readonly string[],
	program: Program,
): Promise<number> {
	const command = commandNamed(name);
	if (command === undefined) {
		throw new UsageError(`There is no command ${name}. ${commandMeant(name)}`);
	}
	return runCommand(command, argv, openCommandSetup(program));
}

/** A sentence with the command closest to a word, or with all commands if none is close. */
function commandMeant(name: string): string {
	const names = [...commands, ...programs].map(known => known.name);
	const near = closest(name, names);
	if (near !== undefined) return `Did you mean ${near}?`;
	return `There are ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}.`;
}

/**
 * The service, the settings and the streams that the user's words choose.
 *
 * @param isBrief whether the service is opened for one command, not for a conversation
 */
export function openCommandSetup(
	{process: own, folders, version}: Program,
	isBrief = true,
): CommandSetup {
	const {stdin, stdout, stderr, env: environment} = own;
	const say = openLineWriter(stderr);

	function choose(words: readonly string[]): ChosenService {
		const options = readOptions(words);
		const target = chooseTarget(options, environment, openProfileBook(folders));
		const remote = remoteOf(target, readNamedFile);
		return {
			url: remote?.url,
			name: targetName(target),
			keyFile: keyFileOf(target),
			isReadOnly: remote?.mode === 'read-only',
			open: async () =>
				openService({
					remote,
					folders,
					version,
					environment,
					isBrief,
					onTrouble: sentence => say(`rentty: ${sentence}`),
				}),
		};
	}

	async function loadSettings(words: readonly string[]) {
		const options = readOptions(words);
		const found = await readSettings(settingsText(options.settingsFile, folders));
		const book = openProfileBook(folders);
		const target = chooseTarget(options, environment, book);
		const {settings, problem} = await overlaySettings(fixed(found), target, book);
		return {settings: settings.get(), problem: problem.get()};
	}

	return {
		stdin,
		stdout,
		stderr,
		chooseService: choose,
		loadSettings,
		onInterrupt(interrupt) {
			for (const signal of signals) own.on(signal, interrupt);
			return () => {
				for (const signal of signals) own.off(signal, interrupt);
			};
		},
		environment,
		folders,
		version,
		now: Date.now,
	};
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function settingsText(named: string | undefined, folders: Folders): SettingsText {
	const file = named ?? join(folders.settings, 'settings.json');
	const isThere = named !== undefined || existsSync(file);
	return {file, text: isThere ? readNamedFile(file) : undefined};
}

function fixed({initial, problem}: SettingsFound) {
	const unchanged = {subscribe: () => () => {}};
	return {
		...unchanged,
		get: () => initial,
		change: () => {},
		problem: {...unchanged, get: () => problem},
	};
}

function keyFileOf(target: Target): string | undefined {
	switch (target.kind) {
		case 'practice':
			return undefined;
		case 'given':
			return 'file' in target.service.key ? target.service.key.file : undefined;
		case 'profile':
			return target.profile.key.kind === 'file' ? target.profile.key.file : undefined;
	}
}
