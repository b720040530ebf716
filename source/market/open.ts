import type {Log} from './answers.ts';
import {createBell} from './bell.ts';
import {systemClock} from './clock.ts';
import type {Clock} from './clock.ts';
import {listen, stop, urlOf} from './listen.ts';
import {sweep} from './operations/sweep.ts';
import {usualPatience} from './rules/contact.ts';
import type {Patience} from './rules/contact.ts';
import {MICROS_PER_DOLLAR} from './rules/pricing.ts';
import {createApp} from './server.ts';
import {addCredit, soleAccount} from './store/accounts.ts';
import {openDatabase} from './store/database.ts';
import type {Database} from './store/database.ts';
import {createKey, findKey} from './store/keys.ts';
import {hasOffers, insertOffers, renewOffers} from './store/offers.ts';
import {insertMachines} from './store/machines.ts';
import {insertTemplate} from './store/templates.ts';
import {createSweeper} from './sweeper.ts';

export type MarketOptions = {
	/** Where the database is or shall be, or `:memory:`. */
	readonly file: string;
	/**
	 * How many offers to make up where the database has none. They are renewed when it is opened
	 * again, so that a market nobody used for a year still has something to rent.
	 *
	 * @default 0
	 */
	readonly offers?: number;
	/**
	 * The same number makes up the same offers.
	 *
	 * @default 1
	 */
	readonly seed?: number;
	/**
	 * 0 is any free one.
	 *
	 * @default 0
	 */
	readonly port?: number;
	/**
	 * Which of the machine's addresses to listen on.
	 *
	 * @default '127.0.0.1'
	 */
	readonly address?: string;
	/** @default systemClock */
	readonly clock?: Clock;
	/**
	 * The most offers that one search returns, whatever it asks for.
	 *
	 * @default 2000
	 */
	readonly searchLimit?: number;
	/**
	 * How many times longer callers must wait between calls than the contract says: 0.5 lets them
	 * call twice as often, and 0 as often as they like.
	 *
	 * @default 1
	 */
	readonly rateScale?: number;
	/**
	 * How long a request may take to arrive. Its headers may take half of that.
	 *
	 * @default 30_000
	 */
	readonly slowestRequestMs?: number;
	/**
	 * What the market's account has to spend when it is opened, in dollars.
	 *
	 * @default 100
	 */
	readonly credit?: number;
	/** @default usualPatience */
	readonly patience?: Patience;
	/**
	 * Takes what only whoever runs the market may read, such as the story of an internal error.
	 *
	 * @default nowhere
	 */
	readonly log?: Log;
};

export type Market = {
	/** Where it listens, without a slash at the end. */
	readonly url: string;
	/**
	 * Makes an API key for the market's account, or for that of the hosts of the offers that were
	 * made up. Its value cannot be read again.
	 */
	readonly createKey: (name: string, role?: 'renter' | 'host') => Promise<string>;
	/** Does now what time brings about: it is done every second, too. */
	readonly sweep: () => Promise<void>;
	/** Whether calls with this API key are answered. */
	readonly knowsKey: (value: string) => Promise<boolean>;
	/** Answers the calls that are being made, then ends all connections and the database. */
	readonly close: () => Promise<void>;
};

/**
 * Opens a market: a database and a port.
 *
 * @throws DatabaseRefused where the file is not a market's.
 */
export async function openMarket(options: MarketOptions): Promise<Market> {
	const {clock = systemClock, searchLimit = 2000, rateScale = 1, log = () => undefined} = options;
	const {credit = 100, patience = usualPatience} = options;
	const database = await openDatabase(options.file);
	const bell = createBell();
	try {
		await stock(database, options, clock.now());
		const sweeper = createSweeper(() => sweep({database, patience, bell}, clock.now()), log);
		// What came due while nobody was here comes first.
		await sweeper.sweep();
		const app = createApp({database, clock, searchLimit, patience, bell}, log, rateScale);
		const server = await listen(app.fetch, options, log);
		sweeper.start();
		return {
			url: urlOf(server),
			async createKey(name, role = 'renter') {
				const now = clock.now();
				const accountId = await openAccount(database, role, {credit, now});
				return (await createKey(database, {accountId, name, now})).value;
			},
			knowsKey: async value => (await findKey(database, value)) !== undefined,
			sweep: sweeper.sweep,
			async close() {
				bell.stop();
				await stop(server);
				await sweeper.stop();
				await database.destroy();
			},
		};
	} catch (error) {
		await database.destroy();
		throw error;
	}
}

type Opening = {readonly credit: number; readonly now: number};

/** The account of a role, with something to spend where it is new. */
async function openAccount(
	database: Database,
	role: 'renter' | 'host',
	{credit, now}: Opening,
): Promise<number> {
	const {id, isNew} = await soleAccount(database, role, now);
	if (isNew && role === 'renter' && credit > 0) {
		const micros = Math.round(credit * MICROS_PER_DOLLAR);
		await addCredit(database, id, {micros, description: 'Opening credit', now});
	}
	return id;
}

/** No account has this number. */
const MARKET_ITSELF = 0;

/** Makes up offers, once; when the database is opened again, those whose time is up begin anew. */
async function stock(database: Database, {offers = 0, seed = 1}: MarketOptions, now: number) {
	if (offers === 0) return;
	if (await hasOffers(database)) return renewOffers(database, now);
	const {makeStock} = await import('./seed/offers.ts');
	const made = makeStock({seed, count: offers, epoch: now});
	const {id: account_id} = await soleAccount(database, 'host', now);
	await database.transaction().execute(async transaction => {
		// Another process may have been faster.
		if (await hasOffers(transaction)) return;
		const machines = made.machines.map(machine => ({
			...machine,
			account_id,
			name: `simulated ${machine.id}`,
		}));
		await insertMachines(transaction, machines);
		await insertOffers(transaction, made.offers);
		await recommend(transaction, now);
	});
}

/** Puts templates beside the offers that were made up. Their creator is the market itself. */
async function recommend(database: Database, now: number) {
	const {makeTemplates} = await import('./seed/templates.ts');
	const {templateText} = await import('./rules/template-record.ts');
	for (const template of makeTemplates()) {
		const text = templateText(template, MARKET_ITSELF);
		await insertTemplate(database, {...text, creatorId: MARKET_ITSELF, recommended: 1, now});
	}
}
