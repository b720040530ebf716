/** Reads the command line and the environment, and opens what they ask for. */
import {existsSync, readFileSync} from 'node:fs';
import {enableCompileCache, flushCompileCache} from 'node:module';
import {constants} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import type {Client} from './client/client.ts';
import {skeleton} from './console/chrome.ts';
import type {ServiceName} from './console/chrome.ts';
import {logCrash} from './console/crash-log.ts';
import {defaultSettings} from './console/default-settings.ts';
import {foldersOf} from './console/folders.ts';
import {guardTerminal, stopGroup} from './console/guard.ts';
import {chooseService, readKey, readOptions, usage, UsageError} from './console/options.ts';
import type {Options, RemoteService} from './console/options.ts';
import {tabs} from './console/screens/index.ts';
import type {SettingsRead} from './console/settings.ts';
import {openTerminal} from './console/terminal/terminal.ts';
import type {Terminal} from './console/terminal/terminal.ts';
import {createTheme} from './console/theme.ts';

/** Written into the program when it is built. */
declare const RENTTY_VERSION: string | undefined;
const version = typeof RENTTY_VERSION === 'undefined' ? 'development' : RENTTY_VERSION;

// Whoever reads us may stop reading: `rentty | head` is no error.
process.stdout.on('error', () => process.exit());
const folders = foldersOf(process.env);
enableCompileCache(join(folders.cache, 'compiled'));

/** A remote service with its key, or undefined for the practice market. */
type Remote = {readonly url: string; readonly key: string} | undefined;

/** A service that can be called, and what must be closed when nobody calls it any more. */
type Opened = {readonly client: Client; readonly close: () => Promise<void>};

async function main(): Promise<number> {
	const argv = process.argv.slice(2);
	if (argv[0] === 'market') {
		const {runMarket} = await import('./commands/market.ts');
		return runMarket(argv.slice(1));
	}
	const options = readOptions(argv);
	if (options.command === 'help') return print(usage);
	if (options.command === 'version') return print(`rentty ${version}\n`);
	const remote = findKey(chooseService(options, process.env));
	const settingsText = readSettingsFile(options);
	const {stdin, stdout, stderr, env} = process;
	if (stdin.isTTY && stdout.isTTY && env['TERM'] !== 'dumb')
		return runConsole(remote, settingsText);
	const {settings, problem} = await loadSettings(settingsText);
	if (problem !== undefined) stderr.write(`rentty: ${problem}\n`);
	const [{listOffers}, {client, close}] = await Promise.all([
		import('./console/plain.ts'),
		openService(remote),
	]);
	try {
		return print(await listOffers(client, settings));
	} finally {
		await close();
	}
}

function print(text: string): number {
	process.stdout.write(text);
	return 0;
}

function findKey(service: RemoteService | undefined): Remote {
	if (service === undefined) return undefined;
	const {url, key} = service;
	return {url, key: 'value' in key ? key.value : readKey(key.file, readFile(key.file))};
}

function readFile(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
		throw new UsageError(`${file} cannot be read (${code}).`);
	}
}

/** The text of a settings file and its name; undefined where there is no such file. */
type SettingsText = {readonly file: string; readonly text: string} | undefined;

/** Finds the settings that were named, or the user's own where there are any. */
function readSettingsFile({settingsFile}: Options): SettingsText {
	const file = settingsFile ?? join(folders.settings, 'settings.json');
	if (settingsFile === undefined && !existsSync(file)) return undefined;
	return {file, text: readFile(file)};
}

async function loadSettings(found: SettingsText): Promise<SettingsRead> {
	if (found === undefined) return {settings: defaultSettings, problem: undefined};
	const {readSettings} = await import('./console/settings.ts');
	return readSettings(found.file, found.text);
}

async function openService(remote: Remote, onExchange?: (ms: number) => void): Promise<Opened> {
	const [{openClient}, market] = await Promise.all([
		import('./client/client.ts'),
		remote === undefined ? openPractice() : undefined,
	]);
	const {url, key} = remote ?? market ?? {url: '', key: ''};
	const client = openClient({url, key, userAgent: `rentty/${version}`, onExchange});
	return {
		client,
		async close() {
			await client.close();
			await market?.close();
		},
	};
}

/** The practice market, with the hosts behind its offers. */
async function openPractice() {
	const [{openPracticeMarket}, {openSimulation, readTrouble}] = await Promise.all([
		import('./market/practice.ts'),
		import('./commands/simulation.ts'),
	]);
	const market = await openPracticeMarket(join(folders.data, 'practice'));
	const simulation = openSimulation(market, {seed: market.seed, trouble: readTrouble(undefined)});
	// Nobody waits for them; a market that has none is still one to look at.
	simulation.catch(() => undefined);
	return {
		...market,
		async close() {
			const opened = await simulation.catch(() => undefined);
			await opened?.close();
			await market.close();
		},
	};
}

/** Takes the terminal for the console, and gives it back whatever happens. */
async function runConsole(remote: Remote, settingsText: SettingsText): Promise<number> {
	const terminal = openTerminal({
		stdin: process.stdin,
		stdout: process.stdout,
		stop: () => stopGroup(process),
		now: () => performance.now(),
	});
	try {
		return await showConsole(terminal, remote, settingsText);
	} catch (error) {
		terminal.close();
		return fail(error, remote);
	}
}

async function showConsole(
	terminal: Terminal,
	remote: Remote,
	settingsText: SettingsText,
): Promise<number> {
	const service: ServiceName = {
		name: remote === undefined ? 'practice' : new URL(remote.url).host,
		isPractice: remote === undefined,
	};
	terminal.screen.draw(skeleton(createTheme(process.env), terminal.size(), service, tabs));

	let exitCode = 0;
	let opened: Promise<Opened> | undefined;
	let leave = (): void => process.exit(exitCode);
	const unguard = guardTerminal({
		interrupts: process,
		terminal,
		onQuit(signal) {
			exitCode = 128 + constants.signals[signal];
			leave();
		},
		onCrash: error => fail(error, remote),
	});
	const [{openConsole, openMemory}, {settings, problem}] = await Promise.all([
		import('./console/open.tsx'),
		loadSettings(settingsText),
	]);
	const screen = openConsole({
		terminal,
		memory: openMemory(join(folders.cache, 'offers.json')),
		service,
		async client(onExchange) {
			opened = openService(remote, onExchange);
			const {client} = await opened;
			setTimeout(flushCompileCache, 500).unref();
			return client;
		},
		settings,
		theme: createTheme(process.env, settings),
		now: () => new Date(),
		message: problem === undefined ? undefined : {text: problem, isError: true},
	});
	leave = screen.leave;
	await screen.left;
	terminal.close();
	unguard();
	await (await opened?.catch(() => undefined))?.close();
	// What is still being opened has nobody left to answer to.
	return process.exit(exitCode);
}

/** Says what broke and where the details are. */
function fail(error: unknown, remote: Remote): never {
	process.stderr.write(`${logCrash(folders.state, error, remote?.key)}\n`);
	return process.exit(1);
}

try {
	process.exitCode = await main();
} catch (error) {
	if (error instanceof UsageError) {
		process.stderr.write(`rentty: ${error.message}\n`);
		process.exitCode = 2;
	} else {
		process.stderr.write(`rentty: ${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	}
}
