/** Practice market: free, for a single user, with its key in a file. */
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createOwnHosts} from './hosts/own-hosts.ts';
import {usualPatience} from './lifecycle/contact-rules.ts';
import {openMarket, type Market} from './open.ts';

/** Number of made-up offers, and their seed. */
const OFFERS = 2000;
const SEED = 1;

const PRACTICE_CREDIT = 1000;

export type PracticeMarket = {
	readonly url: string;
	readonly key: string;
	readonly seed: number;
	/** Makes a key for the hosts of the offers. */
	readonly createKey: Market['createKey'];
	/** Stops expecting hosts: they could not be opened. */
	readonly giveUpHosts: () => void;
	readonly close: () => Promise<void>;
};

/** Replaces a file atomically, readable for its owner alone. */
type ReplaceFile = (file: string, text: string) => void;

/** Opens the practice market whose files are in a folder, creating them on the first start. */
export async function openPracticeMarket(
	folder: string,
	replace: ReplaceFile,
): Promise<PracticeMarket> {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const ownHosts = createOwnHosts('all');
	const market = await openMarket({
		file: join(folder, 'market.db'),
		offers: OFFERS,
		seed: SEED,
		// Practice has a single user, who may read everything at once.
		searchLimit: 10_000,
		// Zero disables the rate limit.
		rateScale: 0,
		credit: PRACTICE_CREDIT,
		patience: {...usualPatience, ownHosts},
	});
	try {
		const key = await findKey(market, join(folder, 'key'), replace);
		// Practice credit, topped up at each start.
		await market.topUp(PRACTICE_CREDIT);
		const {url, createKey, close} = market;
		return {url, key, seed: SEED, createKey, giveUpHosts: ownHosts.giveUp, close};
	} catch (error) {
		await market.close();
		throw error;
	}
}

type KeyMaker = Pick<Awaited<ReturnType<typeof openMarket>>, 'createKey' | 'knowsKey'>;

/** The key of an earlier start, or a new one if the market does not know it. */
async function findKey(market: KeyMaker, file: string, replace: ReplaceFile): Promise<string> {
	const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	if (kept !== '' && (await market.knowsKey(kept))) return kept;
	const key = await market.createKey('practice');
	replace(file, `${key}\n`);
	return key;
}
