/** `rentty market`: the marketplace service by itself. */
import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import process from 'node:process';
import {harmlessJson} from '../contract/harmless-text.ts';
import {UsageError} from '../console/options.ts';
import {openMarket} from '../market/open.ts';
import type {Market} from '../market/open.ts';
import {reserveFile, wholePath} from '../renter/own-files.ts';
import type {SecretFile} from '../renter/own-files.ts';
import {openMarketHosts} from './market-hosts.ts';
import {marketUsage, readMarketCommand} from './market-options.ts';
import type {MarketCommand} from './market-options.ts';
import {readTrouble} from './simulation.ts';

/** Runs until it is told to end, and answers the exit code. */
export async function runMarket(argv: readonly string[]): Promise<number> {
	const command = readMarketCommand(argv);
	if (command === 'help') {
		process.stdout.write(marketUsage);
		return 0;
	}
	const trouble = readTrouble(command.trouble);
	const ended = endOf(process);
	const place = await openKeyFile(command.keyFile);
	const market = await open(command).catch(async (error: unknown) => {
		await place?.remove();
		throw error;
	});
	try {
		const simulation =
			command.offers > 0
				? await openMarketHosts(market, {...command, trouble, log: logLine})
				: undefined;
		// Only now: who reads it may rent at once.
		await introduce(market, command.keyFile, place);
		await ended;
		await simulation?.close();
	} finally {
		// What is being answered is answered.
		await market.close();
	}
	return 0;
}

async function open({paceScale, ...command}: MarketCommand): Promise<Market> {
	return openMarket({
		...command,
		rateScale: paceScale,
		onCall: entry => log('call', entry),
		log: logLine,
	});
}

/** The file for the key of the first time; undefined where there is one already: of that time. */
async function openKeyFile(name: string | undefined): Promise<SecretFile | undefined> {
	if (name === undefined || existsSync(wholePath(name, homedir()))) return undefined;
	try {
		return await reserveFile(name, homedir());
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new UsageError(`--key-file: ${why} Nothing was started.`, {cause: error});
	}
}

/** Says where it is and, the first time, how to get in. */
async function introduce(
	market: Market,
	wanted: string | undefined,
	place: SecretFile | undefined,
): Promise<void> {
	process.stdout.write(`rentty market listens on ${market.url}\n`);
	const key = await market.createFirstKey('first');
	if (key === undefined) return place?.remove();
	if (place !== undefined) {
		await place.write(key);
		process.stdout.write(`API key, kept for you alone in ${place.file}\n`);
		return;
	}
	const taken = wanted === undefined ? '' : ` (${wanted} is there already, and left as it is)`;
	process.stdout.write(`API key, shown this once${taken}: ${key}\n`);
}

/** One line of JSON. */
function log(event: string, entry: Readonly<Record<string, unknown>>): void {
	const line = harmlessJson({time: new Date().toISOString(), event, ...entry});
	process.stderr.write(`${line}\n`);
}

function logLine(text: string): void {
	log('trouble', {text});
}

/** Fulfils when somebody asks the process to end. */
async function endOf(asked: NodeJS.Process): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		asked.once(signal, () => resolve());
	return promise;
}
