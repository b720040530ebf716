/** The hosts behind offers that were made up: an agent like any other, whose machines are not real. */
import {messageOf} from '../contract/rules/thrown.ts';
import {openClient} from '../client/client.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {openAgent} from '../host/agent.ts';
import {chooseInside} from '../host/sandbox/choose-inside.ts';
import {localEntrances} from '../host/simulated/local-entrances.ts';
import {readRates, usualRates, type Rates} from '../host/simulated/rates.ts';
import {simulate} from '../host/simulated/simulated.ts';
import type {Market} from '../market/open.ts';

export type SimulationOptions = {
	readonly seed: number;
	readonly trouble: Rates;
	/** Folder for SSH servers of the instances; undefined for none. */
	readonly folder?: string;
	/**
	 * Address for entering instances.
	 * @default '127.0.0.1'
	 */
	readonly address?: string;
	/** Machines of the account that are not made up. */
	readonly except?: readonly number[];
	readonly log?: (line: string) => void;
};

export type Simulation = {
	/** Ends them, until the market is opened again. It takes a second at most. */
	readonly close: () => Promise<void>;
};

/** With it, the first dozen instances of a market with the usual number 1 start and run well. */
const LUCK = 21;

/** Seed for the fates of a market's instances: nobody's first one gets stuck. */
export function fatesOf(seed: number): number {
	return seed + LUCK;
}

/** Speed-up of simulated machines over real ones: nobody wants to practise waiting. */
const SPEED = 8;

/** Opens the hosts of a market's made-up offers. They speak to it over HTTP, as all hosts do. */
export async function openSimulation(
	market: Pick<Market, 'url' | 'createKey'>,
	{seed, trouble, folder, address = '127.0.0.1', except = [], log}: SimulationOptions,
): Promise<Simulation> {
	const key = await market.createKey('simulated hosts', 'host');
	// The agent tries again by itself, and says so.
	const client = openClient({url: market.url, key, userAgent: 'rentty-host', repeats: 0});
	try {
		const agent = await openAgent({
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

/** Reads what `--trouble` says; as much as usual, where it says nothing. */
export function readTrouble(text: string | undefined): Rates {
	if (text === undefined) return usualRates;
	try {
		return readRates(text);
	} catch (error) {
		throw new UsageError(`--trouble: ${messageOf(error)}.`);
	}
}
