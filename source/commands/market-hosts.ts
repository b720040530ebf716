/** The simulated hosts of a market that runs by itself. */
import {mkdtemp, rm} from 'node:fs/promises';
import {BlockList, isIP} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Rates} from '../host/simulated/rates.ts';
import type {Market} from '../market/open.ts';
import {openExclusively} from './exclusive-folder.ts';
import {openSimulation, type Simulation} from './simulation.ts';

export type MarketHosts = {
	/** The market's file, `:memory:`, or the address of its database. */
	readonly file: string;
	readonly seed: number;
	readonly trouble: Rates;
	readonly log: (line: string) => void;
};

/**
 * Opens the hosts of a market's made-up offers. Of several processes with one file, one works for them.
 *
 * What is rented of them is entered by SSH, where the market is for this machine alone: their rooms
 * have no walls that would hold strangers.
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
	const doors = isEntered ? {folder, address} : {};
	const hosts = await openExclusively(folder, async () =>
		openSimulation(market, {seed, trouble, log, ...doors}),
	);
	return {
		async close() {
			await hosts.close();
			await remove();
		},
	};
}

/** Beside the market's file, or for as long as the market runs. */
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
