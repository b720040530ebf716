/** The market's process, begun anew each time that it was killed, and the accounts of those who use it. */
import {openClient} from '../../../source/client/client.ts';
import {openMarket, type Market} from '../../../source/market/open.ts';
import {openDatabase, type Database} from '../../../source/market/database/database.ts';
import {createDialect} from '../../../source/market/database/sqlite-dialect.ts';
import {isPostgres} from '../../../source/market/database/postgres/address.ts';
import {leaveDatabases, queryAt} from '../takeover/database.ts';
import {beOlder} from '../takeover/older.ts';
import {CUT} from '../takeover/postgres.ts';
import {befall} from '../tried.ts';
import {PAYMENT_SECRET} from './operator.ts';
import {textOf, type Machine, type Process, type World} from '../world/world.ts';

const PORT = 8000;
export const URL_OF_MARKET = `http://127.0.0.1:${PORT}`;

/** Share of beginnings in which its program is an older version. */
const OLDER = 0.2;

export type Server = ReturnType<typeof keepMarket>;

type Keeping = {readonly machine: Machine; readonly offers: number; readonly place: string};

export function keepMarket(world: World, {machine, offers, place}: Keeping) {
	const {name} = machine;
	const chance = world.chance(name);
	const present: {market?: Market; process?: Process} = {};
	const log = (line: string) => world.say(`${name}: ${line.slice(0, 200)}`);
	const options = {
		file: place,
		port: PORT,
		offers,
		seed: world.seed,
		credit: 10_000,
		rateScale: 0,
		share: 0.2,
		paymentSecret: PAYMENT_SECRET,
		log,
	};

	function begin(): void {
		present.process = world.begin(machine, name, async () => {
			if (chance.happens(OLDER)) beOlder();
			try {
				present.market = await openMarket(options);
			} catch (error) {
				// Whoever keeps it begins it again, where its disk takes nothing or its database was lost.
				if (machine.refuses === undefined && !textOf(error).includes(CUT)) throw error;
				log(`it cannot be opened: ${textOf(error)}`);
				world.outside(5000, begin);
				return;
			}
			await new Promise<never>(() => undefined);
		});
	}

	function kill(): void {
		const {process} = present;
		if (process?.isAlive !== true || !befall('market killed', name)) return;
		world.tell(`${name} is killed`);
		world.end(process);
		leaveDatabases(process);
		world.outside(500 + chance.wait(5000), begin);
	}

	return {begin, kill, present};
}

export type Accounts = {
	/** Key of the hosts of what the market made up. */
	readonly host: Opened;
	readonly provider: Opened;
	readonly operator: Opened;
	/** Somebody who has nothing to do with the others. */
	readonly stranger: Opened;
	readonly people: readonly Opened[];
};

type Opened = {readonly id: number; readonly key: string};

/** Credit of people, in turn: some have hardly any, and are in debt soon. */
const OPENING_DOLLARS = [500, 6, 1.5];

/** Opens the accounts of people with some credit, and one of a provider. */
export async function openAccounts(
	world: World,
	[first]: readonly Server[],
	people: number,
): Promise<Accounts> {
	const {market, process} = first?.present ?? {};
	if (market === undefined || process === undefined) throw new Error('the market did not open');
	const made = Promise.withResolvers<Accounts>();
	world.after(0, () => void open(market, people).then(made.resolve, made.reject), process);
	return world.runUntilDone(made.promise).catch((error: unknown) => {
		throw new Error(`no accounts: ${textOf(error)}`);
	});
}

async function open(market: Market, people: number): Promise<Accounts> {
	const key = await market.createOperatorKey('operator');
	const {operator, close} = openClient({url: URL_OF_MARKET, key, environment: {}});
	const host = {id: 0, key: await market.createKey('hosts', 'host')};
	async function openAccount(kind: 'renter' | 'both', amount: number): Promise<Opened> {
		const {id, api_key: value} = await operator.addAccount({kind});
		await operator.giveCredit(id, {amount});
		return {id, key: value};
	}
	const opened: Opened[] = [];
	for (let index = 0; index < people; index++) {
		const amount = OPENING_DOLLARS[index % OPENING_DOLLARS.length] ?? 0;
		opened.push(await openAccount('renter', amount));
	}
	const provider = await openAccount('both', 20);
	const stranger = await openAccount('renter', 50);
	await close();
	return {host, provider, operator: {id: 0, key}, stranger, people: opened};
}

type Books = {readonly machine: Machine | undefined; readonly place: string};

/** Reads a market's tables as the market does, while it goes on. */
export async function withBooks<Result>(
	world: World,
	{machine, place}: Books,
	read: (database: Database) => Promise<Result>,
): Promise<Result> {
	if (!isPostgres(place) || machine === undefined) return queryAt(place, createDialect, read);
	const {promise, resolve, reject} = Promise.withResolvers<Result>();
	world.begin(machine, 'books', async () => {
		const database = await openDatabase(place);
		await read(database).then(resolve, reject);
		await database.destroy();
	});
	return promise;
}
