import {once} from 'node:events';
import {createServer} from 'node:http';
import type {Server} from 'node:http';
import {getRequestListener, RequestError} from '@hono/node-server';
import {answerTo} from './answers.ts';
import type {Log} from './answers.ts';
import {systemClock} from './clock.ts';
import type {Clock} from './clock.ts';
import {Refusal} from './refusal.ts';
import {createApp} from './server.ts';
import {soleAccount} from './store/accounts.ts';
import {openDatabase} from './store/database.ts';
import type {Database} from './store/database.ts';
import {createKey, findKey} from './store/keys.ts';
import {hasOffers, insertOffers, renewOffers} from './store/offers.ts';

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
	 * Takes what only whoever runs the market may read, such as the story of an internal error.
	 *
	 * @default nowhere
	 */
	readonly log?: Log;
};

export type Market = {
	/** Where it listens, without a slash at the end. */
	readonly url: string;
	/** Makes an API key for the market's account. Its value cannot be read again. */
	readonly createKey: (name: string) => Promise<string>;
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
	const {clock = systemClock, searchLimit = 2000, log = () => undefined} = options;
	const database = await openDatabase(options.file);
	try {
		await stock(database, options, clock.now());
		const app = createApp({database, clock, searchLimit}, log);
		const server = await listen(app.fetch, options, log);
		return {
			url: urlOf(server),
			async createKey(name) {
				const now = clock.now();
				return createKey(database, {accountId: await soleAccount(database, now), name, now});
			},
			knowsKey: async value => (await findKey(database, value)) !== undefined,
			async close() {
				await stop(server);
				await database.destroy();
			},
		};
	} catch (error) {
		await database.destroy();
		throw error;
	}
}

/** Makes up offers, once; when the database is opened again, those whose time is up begin anew. */
async function stock(database: Database, {offers = 0, seed = 1}: MarketOptions, now: number) {
	if (offers === 0) return;
	if (await hasOffers(database)) return renewOffers(database, now);
	const {makeOffers} = await import('./seed/offers.ts');
	const made = makeOffers({seed, count: offers, epoch: now});
	await database.transaction().execute(async transaction => {
		// Another process may have been faster.
		if (!(await hasOffers(transaction))) await insertOffers(transaction, made);
	});
}

/** Consoles ask every few seconds: their connections shall outlast the pauses. */
const KEEP_ALIVE_MS = 60_000;

type Fetch = Parameters<typeof getRequestListener>[0];

async function listen(
	fetch: Fetch,
	{port = 0, address = '127.0.0.1'}: MarketOptions,
	log: Log,
): Promise<Server> {
	const listener = getRequestListener(fetch, {
		// The console that this may run inside keeps its own Request and Response.
		overrideGlobalObjects: false,
		hostname: address,
		errorHandler: error => answerTo(readError(error), 'outside of any call', log),
	});
	const server = createServer({keepAliveTimeout: KEEP_ALIVE_MS}, (request, response) => {
		response.once('close', () => {
			// Node ends idle connections when a server closes, but not those that become idle later.
			if (!server.listening) server.closeIdleConnections();
		});
		void listener(request, response);
	});
	server.listen(port, address);
	await once(server, 'listening');
	return server;
}

/** What hono could not make a request of is the caller's mistake. */
function readError(error: unknown): unknown {
	if (!(error instanceof RequestError)) return error;
	return new Refusal('badRequest', 'The request cannot be read.', {cause: error});
}

function urlOf(server: Server): string {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new TypeError('not a TCP server');
	const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
	return `http://${host}:${address.port}`;
}

/** How long calls that are being made may take after the market is closed. */
const GRACE_MS = 2000;

async function stop(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
	await closed;
	clearTimeout(timer);
}
