/** Reads the command line and the environment, and opens what they ask for. */
import {codeOf, messageOf} from './contract/rules/thrown.ts';
import {existsSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {join} from 'node:path';
import process from 'node:process';
import {foldersOf} from './renter/files/folders.ts';
import {loadSettings, type SettingsText} from './renter/settings/load-settings.ts';
import {isScreenReader, readOptions, type Options} from './commands/base/options.ts';
import {readNamedFile, UsageError} from './renter/text/usage-error.ts';
import type {PlainList} from './console/app/plain.ts';
import {openProfileBook} from './renter/profiles/profile-file.ts';
import {chooseTarget, remoteOf} from './renter/profiles/target.ts';
import {runSession} from './console/app/session.ts';
import {harmlessLine, harmlessText} from './contract/grammar/harmless-text.ts';

/** Written into the program when it is built. */
declare const RENTTY_VERSION: string | undefined;
const version = typeof RENTTY_VERSION === 'undefined' ? 'development' : RENTTY_VERSION;

process.stdout.on('error', error => {
	const code = codeOf(error);
	// A reader closed the pipe early: `rentty | head` is no error.
	if (code === 'EPIPE') process.exit();
	complain(`The output cannot be written (${code}). What was done stays: rentty ps shows it.`);
	process.exit(1);
});
const folders = foldersOf(process.env);
enableCompileCache(join(folders.cache, 'compiled'));

/** What still runs by then may outlive its files. */
const BRIEF_MS = 2000;
setTimeout(() => {
	import('./commands/base/held-program.ts')
		.then(async ({holdProgram}) => holdProgram())
		.catch(() => undefined);
}, BRIEF_MS).unref();

/** Programs that run until they are ended. */
const programs: ReadonlyMap<string, (argv: readonly string[]) => Promise<number>> = new Map([
	['market', async argv => (await import('./commands/market/market.ts')).runMarket(argv, version)],
	['host', async argv => (await import('./commands/host/host.ts')).runHost(argv, folders)],
	['relay', async argv => (await import('./commands/relay/relay.ts')).runRelay(argv)],
]);

async function main(): Promise<number> {
	const argv = process.argv.slice(2);
	const program = programs.get(argv[0] ?? '');
	if (program !== undefined) return program(argv.slice(1));
	if (argv[0]?.startsWith('-') === false) {
		const {dispatch} = await import('./commands/dispatch.ts');
		return dispatch(argv, {process, folders, version});
	}
	const options = readOptions(argv);
	// The command line comes before the environment, which is asked wherever looks are chosen.
	Object.assign(process.env, options.appearance);
	if (options.command === 'help') return print((await import('./commands/index.ts')).usage);
	if (options.command === 'version') return print(`rentty ${version}\n`);
	if (isScreenReader(options, process.env)) return talk(argv);
	const book = openProfileBook(folders);
	const target = chooseTarget(options, process.env, book);
	const remote = remoteOf(target, readNamedFile);
	const settingsText = readSettingsFile(options);
	const {stdin, stdout, env} = process;
	if (stdin.isTTY && stdout.isTTY && env['TERM'] !== 'dumb')
		return runSession(
			{target, start: undefined},
			{
				book,
				settingsText,
				folders,
				version,
				open: async opening => (await import('./commands/service.ts')).openService(opening),
				read: readNamedFile,
			},
		);
	const {initial, problem} = await loadSettings(settingsText);
	if (problem !== undefined) complain(problem);
	const [{listOffers}, {openService}] = await Promise.all([
		import('./console/app/plain.ts'),
		import('./commands/service.ts'),
	]);
	const {client, close} = await openService({remote, folders, version, environment: env});
	try {
		return printList(await listOffers(client, initial));
	} finally {
		await close();
	}
}

/** For who listens, and sees no screen. */
async function talk(argv: readonly string[]): Promise<number> {
	const [{holdConversation}, {openCommandSetup}] = await Promise.all([
		import('./commands/conversation.ts'),
		import('./commands/dispatch.ts'),
	]);
	return holdConversation(openCommandSetup({process, folders, version}, false), {words: argv});
}

function printList({table, note}: PlainList): number {
	if (note !== undefined) process.stderr.write(`rentty: ${note}\n`);
	return print(table);
}

function print(text: string): number {
	process.stdout.write(harmlessText(text));
	return 0;
}

function complain(message: string): void {
	process.stderr.write(`rentty: ${harmlessLine(message)}\n`);
}

/** Finds the settings that were named, or the user's own where there are any. */
function readSettingsFile({settingsFile}: Options): SettingsText {
	const file = settingsFile ?? join(folders.settings, 'settings.json');
	if (settingsFile === undefined && !existsSync(file)) return {file, text: undefined};
	return {file, text: readNamedFile(file)};
}

try {
	process.exitCode = await main();
} catch (error) {
	if (error instanceof UsageError) {
		complain(error.message);
		process.exitCode = 2;
	} else {
		complain(messageOf(error));
		process.exitCode = 1;
	}
}
