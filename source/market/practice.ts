/** The market that rentty brings along: it belongs to one user, costs nothing, and keeps its own key. */
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {openMarket, type Market} from './open.ts';

/** Number of its offers, and the seed that they are made from. */
const OFFERS = 2000;
const SEED = 1;

/** Credit of its one user, in practice dollars. */
const PRACTICE_CREDIT = 1000;

export type PracticeMarket = {
	readonly url: string;
	/** The key of its one user. */
	readonly key: string;
	/** The number that its offers were made from. */
	readonly seed: number;
	/** Makes a key for the hosts of its offers. */
	readonly createKey: Market['createKey'];
	readonly close: () => Promise<void>;
};

/** Puts a text in the place of a file for its owner alone, so that nobody ever reads half of it. */
type ReplaceFile = (file: string, text: string) => void;

/** Opens the practice market whose files are in a folder, making them on the first time. */
export async function openPracticeMarket(
	folder: string,
	replace: ReplaceFile,
): Promise<PracticeMarket> {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const market = await openMarket({
		file: join(folder, 'market.db'),
		offers: OFFERS,
		seed: SEED,
		// Its only user may look at everything at once.
		searchLimit: 10_000,
		// And as often as they like.
		rateScale: 0,
		credit: PRACTICE_CREDIT,
	});
	try {
		const key = await findKey(market, join(folder, 'key'), replace);
		// It is for trying things out: nobody is to run out of it.
		await market.topUp(PRACTICE_CREDIT);
		const {url, createKey, close} = market;
		return {url, key, seed: SEED, createKey, close};
	} catch (error) {
		await market.close();
		throw error;
	}
}

type KeyMaker = Pick<Awaited<ReturnType<typeof openMarket>>, 'createKey' | 'knowsKey'>;

/** The key of an earlier start, or a new one where there is none that the market knows. */
async function findKey(market: KeyMaker, file: string, replace: ReplaceFile): Promise<string> {
	const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	if (kept !== '' && (await market.knowsKey(kept))) return kept;
	const key = await market.createKey('practice');
	replace(file, `${key}\n`);
	return key;
}
