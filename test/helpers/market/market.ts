import * as z from 'zod/mini';
import type {Endpoint, ReplyOf} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {anyOffers, type OfferSearch} from '../../../source/contract/nouns/offer-search.ts';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {described} from '../../../source/contract/grammar/tolerant.ts';
import {createWorkSignal} from '../../../source/market/base/work-signal.ts';
import type {Clock} from '../../../source/market/base/clock.ts';
import {createHistory} from '../../../source/market/accounts/history.ts';
import {createInstanceLists} from '../../../source/market/instances/instance-lists.ts';
import type {MarketOptions} from '../../../source/market/service/options.ts';
import {createGpuMarket} from '../../../source/market/gpu-market/gpu-market.ts';
import {createBalances} from '../../../source/market/billing/balance.ts';
import type {MarketServices} from '../../../source/market/service/services.ts';
import {usualPatience} from '../../../source/market/lifecycle/contact-rules.ts';
import {offerRecorder} from '../../../source/market/offers/record-rules.ts';
import {offerQuery, priceTerms} from '../../../source/market/offers/query-store.ts';
import {createOfferFinder} from '../../../source/market/offers/offer-finder.ts';
import {createRegistryLogins} from '../../../source/market/base/registry-logins.ts';
import {createChanges} from '../../../source/market/database/changes.ts';
import {holdToDocument} from './documented.ts';
import {openDatabase, openMarket} from './postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {createRelays} from '../../../source/market/relay/relays.ts';
import {createPoster} from '../../../source/market/notifications/posting.ts';
import {findOffers, insertOffers} from '../../../source/market/offers/store.ts';
import type {NewOffer} from '../../../source/market/database/schema.ts';

/** When what test markets rent out ends, where nothing else is said. */
export const TEST_END = 1_797_000_000;

/** A moment in 2026 at which the clocks of test markets start. */
export const TEST_NOW = 1_795_000_000;

export type TestMarketOptions = Partial<Omit<MarketOptions, 'clock' | 'log'>> & {
	/** @default TEST_NOW */
	readonly now?: number;
};

export type CallInit = Omit<RequestInit, 'headers'> & {
	readonly headers?: Readonly<Record<string, string | undefined>>;
};

export type Reply = {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** What was answered, where it is JSON. */
	readonly body: unknown;
};

/** A real market on a free port, with a key, whose time stands still unless it is moved. */
export async function openTestMarket({
	now = TEST_NOW,
	file = ':memory:',
	...options
}: TestMarketOptions = {}) {
	const clock = createHandClock(now);
	const log: string[] = [];
	const market = await openMarket({
		file,
		rateScale: 0,
		...options,
		clock,
		log: line => log.push(line),
	});
	const key = await market.createKey('test');
	const settle = holdToDocument(market.url);

	let closed: Promise<void> | undefined;
	/** A test may close it itself, before its end does. */
	const close = async (): Promise<void> => (closed ??= market.close().then(settle));

	/** Calls a path. Headers beside the usual ones may be given, and undefined leaves one out. */
	async function call(path: string, {headers, ...init}: CallInit = {}): Promise<Reply> {
		const usual = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};
		const given = Object.entries({...usual, ...headers});
		const response = await fetch(market.url + path, {
			redirect: 'error',
			...init,
			headers: given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
		});
		const text = await response.text();
		return {status: response.status, headers: response.headers, text, body: parse(text)};
	}

	/** Searches with a body as clients write it. */
	async function search(body: unknown): Promise<readonly Offer[]> {
		const reply = await call('/api/v0/bundles/', {method: 'POST', body: JSON.stringify(body)});
		return wholeReply(contract.offers.search, reply.body).offers;
	}

	/** Lets time pass, and what it brings about happen. */
	async function pass(seconds: number): Promise<void> {
		clock.pass(seconds);
		await market.sweep();
	}

	const calls = {call, search, pass};
	return {...market, key, clock, log, ...calls, close, [Symbol.asyncDispose]: close};
}

export type TestMarket = Awaited<ReturnType<typeof openTestMarket>>;

/** What a market without a socket consists of. */
export function testServices(database: Database, clock: Clock): MarketServices {
	const changes = createChanges();
	const offers = createOfferFinder(database, changes, 1000);
	const patience = usualPatience;
	const workSignal = createWorkSignal();
	const relays = createRelays();
	return {
		testing: {database, patience, workSignal, relays},
		relays,
		registryLogins: createRegistryLogins(),
		database,
		clock,
		searchLimit: 1000,
		share: 0,
		signUp: 'closed',
		reachesPrivate: false,
		patience,
		workSignal,
		offers,
		history: createHistory({database, clock, log: () => undefined}),
		warn: () => undefined,
		poster: createPoster({targets: 'public'}),
		gpuMarket: createGpuMarket(database),
		lists: createInstanceLists(database, changes),
		balances: createBalances(database, changes),
	};
}

/** The ids in the reply to a search. */
export function idsOf({body}: Reply): readonly number[] {
	return wholeReply(contract.offers.search, body).offers.map(({id}) => id);
}

/** What a market answers, held to all that is documented: a client would leave out what is not. */
export function wholeReply<Of extends Endpoint>(endpoint: Of, body: unknown): ReplyOf<Of> {
	const schema = endpoint.replies[200];
	z.parse(described.get(schema) ?? schema, structuredClone(body));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema is that of the endpoint
	return z.parse(schema, body) as ReplyOf<Of>;
}

/** How services answer what they refuse. */
export function refusal(error: string, msg: unknown) {
	return {success: false, error, msg};
}

/** A database with these offers and nothing around it, at TEST_NOW. */
export async function openTestOffers(offers: readonly NewOffer[]) {
	const database = await openDatabase(':memory:');
	await insertOffers(database, offers);
	const find = async (search: OfferSearch, limit = 1000, terms = priceTerms(search)) => {
		const {columns, record} = offerRecorder(search.columns, {...terms, now: TEST_NOW});
		const rows = await findOffers(database, columns, offerQuery(search, TEST_NOW, limit));
		return rows.map(record);
	};
	return {
		database,
		find,
		/** Every offer, priced as a search wants it. */
		async all({pricing, diskGb}: Pick<OfferSearch, 'pricing' | 'diskGb'>) {
			const everything = {...anyOffers, pricing, order: [], limit: 1000};
			return find(everything, 1000, priceTerms({pricing, diskGb}));
		},
		[Symbol.asyncDispose]: async () => database.destroy(),
	};
}

/** A clock that is moved by hand, or by another one. */
export type HandClock = Clock & {
	readonly pass: (seconds: number) => void;
	/** Sets the clock by so many seconds, without any time passing. */
	readonly jump: (seconds: number) => void;
	/** Lets it go on as another clock does, which says how many seconds have passed on it. */
	readonly follow: (passed: () => number) => void;
};

export function createHandClock(start: number): HandClock {
	let [now, steady] = [start, 0];
	let followed: (() => number) | undefined;
	const passed = () => followed?.() ?? 0;
	return {
		now: () => now + passed(),
		steady: () => steady + passed(),
		pass(seconds) {
			now += seconds;
			steady += seconds;
		},
		jump(seconds) {
			now += seconds;
		},
		follow(other) {
			followed = other;
		},
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
