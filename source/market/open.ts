import {createWorkSignal} from './base/work-signal.ts';
import {type Log, createWarnings} from './base/log.ts';
import {watched} from './http/call-log.ts';
import {createMarketClock, systemClock, type Clock, type MarketClock} from './base/clock.ts';
import {createHistory} from './accounts/history.ts';
import {createRegistryLogins} from './base/registry-logins.ts';
import {createInstanceLists} from './instances/instance-lists.ts';
import {createJobRunner} from './service/job-runner.ts';
import {listen, stopServer, serverUrlOf} from './http/listen.ts';
import {createTestRunner} from './machine-tests/runner.ts';
import type {MarketOptions} from './service/options.ts';
import {createMetrics, openFigures} from './service/metrics.ts';
import {createBalances} from './billing/balance.ts';
import {createGpuMarket, createGpuSampler} from './gpu-market/gpu-market.ts';
import {createLedgerWatch} from './sweep/ledger.ts';
import {makeFirstKey, makeRoleKey, topUp, openAccount} from './accounts/people.ts';
import {createSweep} from './sweep/sweep.ts';
import {usualPatience, type ContactTimeouts} from './lifecycle/contact-rules.ts';
import {createOfferFinder} from './offers/offer-finder.ts';
import {createApp} from './service/server.ts';
import {createReachChecks} from './machines/reach.ts';
import {createRelays} from './relay/relays.ts';
import {createChanges, type ChangeNumbers} from './database/changes.ts';
import {openDatabase, type Database} from './database/database.ts';
import {findApiKey} from './api-keys/store.ts';
import {lastMoment} from './database/moments.ts';
import {isPostgres} from './database/postgres/address.ts';
import {makeUpOffers} from './seed/made-up-offers.ts';
import {createSweeper} from './base/sweeper.ts';
import {createDeliveries} from './notifications/deliveries.ts';
import {createPoster} from './notifications/posting.ts';

export type Market = {
	/** Base URL, without a slash at the end. */
	readonly url: string;
	/** Base URL of the metrics; undefined without a port. */
	readonly metricsUrl: string | undefined;
	/**
	 * Makes an API key for the market's account, or for that of the made-up offers' hosts. The value
	 * cannot be read again.
	 */
	readonly createKey: (name: string, role?: 'renter' | 'host') => Promise<string>;
	/** Opens an operator's account, and returns its key, which cannot be read again. */
	readonly createOperatorKey: (name: string) => Promise<string>;
	/** Fills the market's account up to so many dollars. */
	readonly topUp: (dollars: number) => Promise<void>;
	/** Runs the sweep now, which also runs every second. */
	readonly sweep: () => Promise<void>;
	/** Sends due deliveries now and waits for responses; also begun every second. */
	readonly deliver: () => Promise<void>;
	/** Advances the tests of machines now, as every second. */
	readonly test: () => Promise<void>;
	/** Checks now which machines are reached, as every second. */
	readonly checkReach: () => Promise<void>;
	/** Makes the first key of the market's account; undefined if it has had one. */
	readonly createFirstKey: (name: string) => Promise<string | undefined>;
	readonly knowsKey: (value: string) => Promise<boolean>;
	/** Answers calls in progress, then closes all connections and the database. */
	readonly close: () => Promise<void>;
};

/** @throws DatabaseRefused for a file that is not a market's */
export async function openMarket(options: MarketOptions): Promise<Market> {
	const {searchLimit = 2000, credit = 100, log = ignore, testImage: image, gpuModels} = options;
	const changes = createChanges();
	const {database, relay, leave} = await openGround(options, changes);
	const workSignal = createWorkSignal({isShared: isPostgres(options.file)});
	changes.onWork(workSignal.send);
	const offers = createOfferFinder(database, changes, searchLimit);
	try {
		const clock = await openClock(database, options.clock);
		let openedAt = clock.now();
		changes.onBack(() => {
			// Heartbeats were lost while the database was away, so silence counts from now.
			openedAt = clock.now();
			workSignal.sendAll();
		});
		const patience: ContactTimeouts = {
			...(options.patience ?? usualPatience),
			listeningSince: () => Math.max(openedAt, clock.jumpedAt()),
		};
		await makeUpOffers(database, options, clock.now());
		const ledger = createLedgerWatch(database, log);
		const relays = createRelays(relay?.place);
		const kept = {
			...keptOf(database, changes),
			metrics: options.metricsPort === undefined ? undefined : createMetrics(),
			...termsOf(options),
			relays,
			history: createHistory({database, clock, log}),
		};
		const testing = {database, patience, workSignal, relays, image, gpuModels};
		const tests = createTestRunner({testing, clock, log, changes, reach: options.webhooks});
		const services = {testing, database, clock, searchLimit, patience, workSignal, offers, ...kept};
		const swept = {...services, ledger, runJobs: createJobRunner(services, log)};
		const sweep = createSweep({...swept, sampleGpus: createGpuSampler(database)}, changes);
		const sweeper = createSweeper(sweep, clock, {...options, log, leads: changes.leads});
		// Charges and ends that came due while the market was closed.
		if (await changes.leads()) await sweeper.sweep();
		const deliveries = createDeliveries({database, clock, poster: kept.poster, log});
		const app = createApp(services, log, {rateScale: 1, ...options});
		const fetch: typeof app.fetch = async (...call) => {
			// A sweep that is overdue comes first.
			await sweeper.catchUp();
			return app.fetch(...call);
		};
		const around = {clock, log, upgrade: relay?.upgrade};
		const server = await listen(watched(fetch, options.onCall), options, around);
		const measured = {database, changes, clock, sweeper, server, ledger, relay};
		const figures = await openFigures(kept.metrics, options, measured);
		const reach = createReachChecks({database, clock, log, changes, targets: reachedBy(options)});
		const recurring = [sweeper, deliveries, tests, reach];
		for (const work of recurring) work.start();
		const reading = setTimeout(() => {
			offers.load().catch((error: unknown) => log(`reading offers failed: ${String(error)}`));
		}, READ_DELAY_MS);
		return {
			url: serverUrlOf(server),
			metricsUrl: figures && serverUrlOf(figures),
			...ownAccounts(database, clock, credit),
			sweep: sweeper.sweep,
			deliver: deliveries.deliver,
			test: tests.step,
			checkReach: reach.step,
			async close() {
				clearTimeout(reading);
				for (const signal of [workSignal, relays]) signal.stop();
				await relay?.close();
				await Promise.all([figures && stopServer(figures, 0), stopServer(server, options.graceMs)]);
				for (const work of [...recurring, kept.history]) await work.stop();
				await offers.close();
				await leave();
			},
		};
	} catch (error) {
		await leave();
		throw error;
	}
}

/** Opens the database, and the relay if the options configure one. */
async function openGround(
	{file, relay: range, address = '127.0.0.1', log = ignore}: MarketOptions,
	changes: ChangeNumbers,
) {
	const database = await openDatabase(file, changes);
	try {
		const open = range && (await import('./relay/own-relay.ts')).openOwnRelay;
		const relay = range && (await open?.(range, {database, address, log}));
		const leave = async () => {
			await relay?.close();
			await database.destroy();
		};
		return {database, relay, leave};
	} catch (error) {
		await database.destroy();
		throw error;
	}
}

/** Delay of reading all offers, so that the first calls need not wait. */
const READ_DELAY_MS = 500;

function ownAccounts(database: Database, clock: MarketClock, credit: number) {
	return {
		createKey: async (name, role = 'renter') =>
			makeRoleKey(database, {name, role, credit, now: clock.now()}),
		createFirstKey: async name =>
			makeFirstKey(database, {name, role: 'renter', credit, now: clock.now()}),
		async createOperatorKey(username) {
			const opening = {kind: 'operator', username, now: clock.now()} as const;
			return (await openAccount(database, opening)).key;
		},
		topUp: async dollars => topUp(database, dollars, clock.now()),
		knowsKey: async value => (await findApiKey(database, value)) !== undefined,
	} satisfies Partial<Market>;
}

/**
 * Allowed addresses of checks: a market for one machine, or for a closed network, may connect to
 * private addresses.
 */
function reachedBy({webhooks, address = '127.0.0.1'}: MarketOptions) {
	const isLocal = /^(localhost|127\.[\d.]+|::1)$/.test(address);
	return isLocal || webhooks?.targets === 'any' ? 'any' : 'public';
}

const ignore: Log = () => undefined;

function termsOf(options: MarketOptions) {
	const {share = 0, signUp = 'closed', paymentSecret, webhooks, log = ignore} = options;
	const reachesPrivate = webhooks?.targets === 'any';
	const poster = createPoster(webhooks);
	return {share, signUp, paymentSecret, reachesPrivate, poster, warn: createWarnings(log)};
}

/** Cached reads shared by calls. */
function keptOf(database: Database, changes: ChangeNumbers) {
	return {
		gpuMarket: createGpuMarket(database),
		lists: createInstanceLists(database, changes),
		balances: createBalances(database, changes),
		registryLogins: createRegistryLogins(),
	};
}

/** Seconds after the last write up to which clients may have received the market's time. */
const UNWRITTEN_SECONDS = 6;

/** The market's time, which continues that of an earlier run. */
async function openClock(database: Database, clock: Clock = systemClock): Promise<MarketClock> {
	const last = (await lastMoment(database)) ?? -Infinity;
	return createMarketClock(clock, last > clock.now() ? last + UNWRITTEN_SECONDS : last);
}
