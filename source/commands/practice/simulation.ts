/** The hosts behind made-up offers: an agent like any other, with simulated machines. */
import {mkdtemp, rm} from 'node:fs/promises';
import {BlockList, isIP} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {messageOf} from '../../contract/rules/thrown.ts';
import {openClient} from '../../client/client.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {openHostAgent} from '../../host/agent/agent.ts';
import {chooseInside} from '../../host/sandbox/choose-inside.ts';
import {localEntrances} from '../../host/simulated/local-entrances.ts';
import {readRates, usualRates, type FailureRates} from '../../host/simulated/script.ts';
import {simulate} from '../../host/simulated/simulated.ts';
import type {Market} from '../../market/open.ts';
import {FolderInUse, lockFolder} from '../../host/instance/record.ts';
import {backgroundScheduler, pause} from '../../host/base/scheduler.ts';

type SimulationOptions = {
	readonly seed: number;
	readonly trouble: FailureRates;
	/** Folder for SSH servers of the instances; undefined for none. */
	readonly folder?: string;
	/**
	 * Address for entering instances.
	 * @default '127.0.0.1'
	 */
	readonly address?: string;
	/** Real machines of the account. */
	readonly except?: readonly number[];
	readonly log?: (line: string) => void;
};

export type Simulation = {
	/** Ends the hosts within a second, until the market is opened again. */
	readonly close: () => Promise<void>;
};

/** A seed with which the first dozen instances of market number 1 start and run well. */
const LUCK = 21;

/** Seed for the fates of a market's instances: a user's first one never gets stuck. */
export function fatesOf(seed: number): number {
	return seed + LUCK;
}

/** Speed-up of simulated machines over real ones, since practice should not be waiting. */
const SPEED = 8;

/** Opens the hosts of a market's made-up offers, which speak HTTP to it, as all hosts do. */
export async function openSimulation(
	market: Pick<Market, 'url' | 'createKey'>,
	{seed, trouble, folder, address = '127.0.0.1', except = [], log}: SimulationOptions,
): Promise<Simulation> {
	const key = await market.createKey('simulated hosts', 'host');
	// The agent repeats calls by itself, and logs it.
	const client = openClient({url: market.url, key, userAgent: 'rentty-host', repeats: 0});
	try {
		const agent = await openHostAgent({
			calls: client.hosts,
			endsWithMarket: true,
			...(except.length > 0 && {share: {except}}),
			openRuntime: simulate({
				seed: fatesOf(seed),
				rates: trouble,
				speed: SPEED,
				...(folder !== undefined && {entrances: localEntrances({folder, address, chooseInside})}),
			}),
			...(log !== undefined && {log}),
		});
		return {
			async close() {
				await agent.close();
				await client.close();
			},
		};
	} catch (error) {
		await client.close();
		throw error;
	}
}

/** Reads `--trouble`; without a value, the usual rate. */
export function readTrouble(text: string | undefined): FailureRates {
	if (text === undefined) return usualRates;
	try {
		return readRates(text);
	} catch (error) {
		throw new UsageError(`--trouble: ${messageOf(error)}.`);
	}
}

/** Work that goes on until it is closed. */
type Opened = {readonly close: () => Promise<void>};

type Open = () => Promise<Opened>;

/** Opens the work in a folder: at once, or when another process has ended its own there. */
export async function openExclusively(folder: string, open: Open): Promise<Opened> {
	const opened = await openAlone(folder, open);
	if (opened !== undefined) return opened;
	const stopping = new AbortController();
	const later = takeOver(folder, open, stopping.signal);
	return {
		async close() {
			stopping.abort();
			await (await later)?.close();
		},
	};
}

const RETRY_SECONDS = 1;

/** Waits until no other process works in the folder. */
async function takeOver(
	folder: string,
	open: Open,
	signal: AbortSignal,
): Promise<Opened | undefined> {
	while (!signal.aborted) {
		await pause(backgroundScheduler, RETRY_SECONDS, signal);
		if (signal.aborted) break;
		// A failed attempt may succeed when it is repeated.
		const opened = await openAlone(folder, open).catch(() => undefined);
		if (opened !== undefined) return opened;
	}
	return undefined;
}

/** Undefined if another program works in the folder. */
async function openAlone(folder: string, open: Open): Promise<Opened | undefined> {
	const unlock = await lockFolder(folder).catch((error: unknown) => {
		if (error instanceof FolderInUse) return undefined;
		throw error;
	});
	if (unlock === undefined) return undefined;
	try {
		const opened = await open();
		return {
			async close() {
				await opened.close();
				await unlock();
			},
		};
	} catch (error) {
		await unlock();
		throw error;
	}
}

type MarketHosts = {
	/** The market's file, `:memory:`, or the address of its database. */
	readonly file: string;
	readonly seed: number;
	readonly trouble: FailureRates;
	readonly log: (line: string) => void;
};

/**
 * Opens the hosts of a market's made-up offers. Of several processes with one file, one works for them.
 * Their instances are entered by SSH only where the market is for this machine alone: they are not
 * isolated from strangers.
 */
export async function openMarketHosts(
	market: Pick<Market, 'url' | 'createKey'>,
	{file, seed, trouble, log}: MarketHosts,
): Promise<Simulation> {
	const address = new URL(market.url).hostname.replaceAll(/[[\]]/g, '');
	const isEntered = isLoopback(address);
	if (!isEntered) {
		log(`The market can be reached at ${address}: simulated instances are not entered by SSH.`);
	}
	const {folder, remove} = await openFolder(file);
	const entrances = isEntered ? {folder, address} : {};
	const hosts = await openExclusively(folder, async () =>
		openSimulation(market, {seed, trouble, log, ...entrances}),
	);
	return {
		async close() {
			await hosts.close();
			await remove();
		},
	};
}

/** Folder beside the market's file, or one that goes with the market. */
async function openFolder(file: string) {
	if (file !== ':memory:' && !file.includes('://'))
		return {folder: `${file}.instances`, remove: async () => undefined};
	const folder = await mkdtemp(join(tmpdir(), 'rentty-instances-'));
	return {folder, remove: async () => rm(folder, {recursive: true, force: true})};
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
	return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
