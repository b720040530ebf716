/** `rentty market`: the marketplace service by itself. */
import process from 'node:process';
import {harmlessJson} from '../../contract/grammar/harmless-text.ts';
import {createOwnHosts} from '../../market/hosts/own-hosts.ts';
import {usualPatience} from '../../market/lifecycle/contact-rules.ts';
import {openMarket, type Market} from '../../market/open.ts';
import {openMarketHosts, readTrouble} from '../practice/simulation.ts';
import {marketUsage, readMarketCommand, type MarketCommand} from './options.ts';
import {readNamedFile, UsageError} from '../../renter/text/usage-error.ts';
import {fileTrouble, messageOf} from '../../contract/rules/thrown.ts';
import {existsSync} from 'node:fs';
import {homeFolder} from '../../renter/files/folders.ts';
import {reserveFile, wholePath, type SecretFile} from '../../renter/files/own-files.ts';

/** Work on a market's data by the word that asks for it: loaded on demand. */
const works: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
	copy: async argv => (await import('./database.ts')).copyMarket(argv),
	check: async argv => (await import('./database.ts')).checkMarket(argv),
	accounts: async argv => (await import('./accounts.ts')).runAccounts(argv),
	machines: async argv => (await import('./machines.ts')).runMarketMachines(argv),
	relays: async argv => (await import('./relays.ts')).runMarketRelays(argv),
};

/** Runs until a signal ends it, and returns the exit code. */
export async function runMarket(argv: readonly string[], version: string): Promise<number> {
	const [word = '', ...rest] = argv;
	const work = Object.hasOwn(works, word) ? works[word] : undefined;
	if (work !== undefined) return work(rest);
	const command = readMarketCommand(argv);
	if (command === 'help') {
		process.stdout.write(marketUsage);
		return 0;
	}
	const trouble = readTrouble(command.trouble);
	const ended = endOf(process);
	process.once('exit', writeLines);
	const firstKey = await openFirstKey(command.keyFile);
	try {
		const market = await open(command, version);
		try {
			const simulation =
				command.offers > 0
					? await openMarketHosts(market, {...command, trouble, log: logLine})
					: undefined;
			// Printed last: a reader of the address may rent at once.
			if (isOpenWithoutTls(command)) logLine(openWithoutTls);
			if (command.relay !== undefined) process.stdout.write(relayLine(command.relay));
			await introduce(market, firstKey, command.keyFile);
			await ended;
			await simulation?.close();
		} finally {
			// Requests under way are answered first.
			await market.close();
		}
	} finally {
		await firstKey.close();
	}
	return 0;
}

async function open(
	{
		paceScale,
		webhookTargets: targets,
		paymentSecretFile: secretFile,
		mcp,
		...command
	}: MarketCommand,
	version: string,
): Promise<Market> {
	const secret = secretFile === undefined ? {} : {paymentSecret: readSecret(secretFile)};
	const beside = mcp ? (await import('../mcp/of-market.ts')).agentsOfMarket(version) : undefined;
	return openMarket({
		...command,
		...secret,
		beside,
		...(command.offers > 0 && {
			patience: {...usualPatience, ownHosts: createOwnHosts('made-up')},
		}),
		rateScale: paceScale,
		webhooks: {targets},
		onCall: entry => log('call', entry),
		log: logLine,
	});
}

export function isOpenWithoutTls({
	address,
	tls,
	trustedProxies,
}: Pick<MarketCommand, 'address' | 'tls' | 'trustedProxies'>): boolean {
	const isHere = /^(localhost|127\.[\d.]+|::1)$/.test(address);
	return !isHere && tls === undefined && trustedProxies.length === 0;
}

const openWithoutTls =
	'The market listens beyond this machine without TLS, so that keys can be read on their way: give --tls-cert and --tls-key, or put a proxy that speaks TLS in front and name it with --trusted-proxy.';

function relayLine({host, first, last}: NonNullable<MarketCommand['relay']>): string {
	return `rentty market leads renters to instances at ${host}, ports ${first}-${last}\n`;
}

/** A short secret can be guessed. */
const SHORTEST_SECRET = 32;

function readSecret(file: string): string {
	const secret = readNamedFile(file).trim();
	if (secret.length >= SHORTEST_SECRET) return secret;
	throw new UsageError(`${file} needs a secret of at least ${SHORTEST_SECRET} characters.`);
}

/** Prints the market's address and, at the first start, its key. */
async function introduce(
	market: Market,
	{write}: FirstKey,
	keyFile: string | undefined,
): Promise<void> {
	process.stdout.write(`rentty market listens on ${market.url}\n`);
	const key = await market.createFirstKey('first');
	if (key === undefined) return;
	const {line, isKept} = await write(key);
	const next = nextCommands(market.url, isKept ? keyFile : undefined);
	process.stdout.write(`${[line, ...next].join('\n')}\n`);
}

/** Commands that follow a market's first start. */
export function nextCommands(url: string, keyFile = 'KEY'): readonly string[] {
	const where = `${url} --key-file ${keyFile}`;
	const commands = [
		[`rentty host --market ${where}`, 'offers this machine'],
		[`rentty offers any --url ${where}`, 'lists what can be rented'],
		[`rentty --url ${where}`, 'opens the console'],
	] as const;
	const width = Math.max(...commands.map(([command]) => command.length));
	return [
		keyFile === 'KEY' ? 'Put the key into a file, here KEY, then:' : 'Then:',
		...commands.map(([command, about]) => `  ${command.padEnd(width)}   ${about}`),
	];
}

let unwrittenLines = '';

/**
 * Writes a line of JSON. The lines of one turn are written at once: a write takes longer than making a
 * line.
 */
function log(event: string, entry: Readonly<Record<string, unknown>>): void {
	const line = harmlessJson({time: new Date().toISOString(), event, ...entry});
	if (unwrittenLines === '') setImmediate(writeLines);
	unwrittenLines += `${line}\n`;
}

function writeLines(): void {
	if (unwrittenLines !== '') process.stderr.write(unwrittenLines);
	unwrittenLines = '';
}

function logLine(text: string): void {
	log('trouble', {text});
}

/** Fulfils when a signal asks the process to end. */
async function endOf(asked: NodeJS.Process): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		asked.once(signal, () => resolve());
	return promise;
}

type FirstKey = {
	/** Writes the key, and returns the line that says where it is. */
	readonly write: (key: string) => Promise<{readonly line: string; readonly isKept: boolean}>;
	/** Removes the file if no key was written to it. */
	readonly close: () => Promise<void>;
};

/**
 * Makes the file for the key before the market starts. An existing file may hold the key of the first
 * start, and is left as it is.
 *
 * @throws UsageError if there cannot be such a file
 */
export async function openFirstKey(name: string | undefined): Promise<FirstKey> {
	const isTaken = name !== undefined && existsSync(wholePath(name, homeFolder()));
	const reserved = name === undefined || isTaken ? undefined : await reserve(name);
	return {
		async write(key) {
			if (reserved === undefined) {
				return printed(key, isTaken ? ` (${name} is there already, and left as it is)` : '');
			}
			try {
				await reserved.write(key);
				return {line: `API key, kept for you alone in ${reserved.file}`, isKept: true};
			} catch (error) {
				// The market has only this key by now: lost, it would lock everyone out.
				return printed(key, ` (${reserved.file} cannot be written: ${fileTrouble(error)})`);
			}
		},
		close: async () => reserved?.remove(),
	};
}

function printed(key: string, why: string) {
	return {line: `API key, shown this once${why}: ${key}`, isKept: false};
}

async function reserve(name: string): Promise<SecretFile> {
	try {
		return await reserveFile(name, homeFolder());
	} catch (error) {
		throw new UsageError(`--key-file: ${messageOf(error)} Nothing was started.`, {cause: error});
	}
}
