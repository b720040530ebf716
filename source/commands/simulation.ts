/** The hosts behind offers that were made up: an agent like any other, whose machines are not real. */
import {openClient} from '../client/client.ts';
import {UsageError} from '../console/options.ts';
import {openAgent} from '../host/agent.ts';
import {readRates, usualRates} from '../host/simulated/rates.ts';
import type {Rates} from '../host/simulated/rates.ts';
import {simulate} from '../host/simulated/simulated.ts';
import type {Market} from '../market/open.ts';

export type SimulationOptions = {
	readonly seed: number;
	readonly trouble: Rates;
	readonly log?: (line: string) => void;
};

export type Simulation = {
	/** Says that all machines go. It takes a second at most. */
	readonly close: () => Promise<void>;
};

/** How many times quicker than real machines these start: nobody wants to practise waiting. */
const SPEED = 8;

/** Opens the hosts of a market's made-up offers. They speak to it over HTTP, as all hosts do. */
export async function openSimulation(
	market: Pick<Market, 'url' | 'createKey'>,
	{seed, trouble, log}: SimulationOptions,
): Promise<Simulation> {
	const key = await market.createKey('simulated hosts', 'host');
	const client = openClient({url: market.url, key, userAgent: 'rentty-host'});
	try {
		const agent = await openAgent({
			calls: client.hosts,
			openRuntime: simulate({seed, rates: trouble, speed: SPEED}),
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
		throw new UsageError(`--trouble: ${error instanceof Error ? error.message : String(error)}.`);
	}
}
