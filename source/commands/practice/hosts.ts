/** The hosts of the practice market: simulated ones, and the machine that it runs on. */
import {join} from 'node:path';
import {openClient} from '../../client/client.ts';
import type {PracticeMarket} from '../../market/practice.ts';
import {openExclusively, openSimulation, readTrouble, type Simulation} from './simulation.ts';
import {openOwnHost} from '../host/own-host.ts';

/** Name of this machine in the practice market; simulated machines have names of another kind. */
const OWN_NAME = 'this machine';

/** A user's own machine costs them nothing. */
const free = {perGpuHour: 0, storage: 0};

type Market = Pick<PracticeMarket, 'url' | 'seed' | 'createKey'>;

/**
 * Opens the hosts of a practice market. Of several consoles with one market, one runs its hosts; when
 * that ends, another takes them over.
 *
 * @param folder folder of the practice market.
 */
export async function openPracticeHosts(market: Market, folder: string): Promise<Simulation> {
	return openExclusively(folder, async () => openHosts(market, folder));
}

async function openHosts(market: Market, folder: string): Promise<Simulation> {
	const key = await market.createKey('this machine', 'host');
	// Simulated machines remain where this one cannot be offered.
	const own = await openOwnHost({
		url: market.url,
		key,
		folder: ownFolder(folder),
		reach: {address: '127.0.0.1'},
		name: OWN_NAME,
		prices: free,
		// A practice market should not download gigabytes of images.
		runtime: 'room',
		isBounded: false,
		endsOnClose: true,
		endsWithMarket: true,
	}).catch(() => undefined);
	try {
		const simulation = await openSimulation(market, {
			seed: market.seed,
			trouble: readTrouble(undefined),
			folder: join(folder, 'instances'),
			except: await ownMachines(market, key),
		});
		return {
			async close() {
				await Promise.all([own?.close(), simulation.close()]);
			},
		};
	} catch (error) {
		await own?.close();
		throw error;
	}
}

export function ownFolder(practiceFolder: string): string {
	return join(practiceFolder, 'this-machine');
}

/** Machines with this machine's name: another start may have published it, and its instances are real. */
async function ownMachines({url}: Market, key: string): Promise<readonly number[]> {
	const client = openClient({url, key, userAgent: 'rentty-host'});
	try {
		const machines = await client.hosts.list();
		return machines.filter(({name}) => name === OWN_NAME).map(({id}) => id);
	} finally {
		await client.close();
	}
}
