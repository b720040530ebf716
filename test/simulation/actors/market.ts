/** The market's process, begun anew each time that it was killed, and the accounts of those who use it. */
import {openClient} from '../../../source/client/client.ts';
import {openMarket, type Market} from '../../../source/market/open.ts';
import {leaveDatabases} from '../takeover/database.ts';
import {befall} from '../tried.ts';
import {textOf, type Machine, type Process, type World} from '../world/world.ts';

export const FILE = '/machine/market/market.db';
const PORT = 8000;
export const URL_OF_MARKET = `http://127.0.0.1:${PORT}`;

export type Server = ReturnType<typeof keepMarket>;

export function keepMarket(world: World, machine: Machine, offers: number) {
	const chance = world.chance('market');
	const present: {market?: Market; process?: Process} = {};
	const log = (line: string) => world.say(`market: ${line.slice(0, 200)}`);
	const options = {
		file: FILE,
		port: PORT,
		offers,
		seed: world.seed,
		credit: 10_000,
		rateScale: 0,
		share: 0.2,
		log,
	};

	function begin(): void {
		present.process = world.begin(machine, 'market', async () => {
			try {
				present.market = await openMarket(options);
			} catch (error) {
				// Whoever keeps it begins it again, as long as its disk takes nothing.
				if (machine.refuses === undefined) throw error;
				log(`it cannot be opened: ${textOf(error)}`);
				world.outside(5000, begin);
				return;
			}
			await new Promise<never>(() => undefined);
		});
	}

	function kill(): void {
		const {process} = present;
		if (process?.isAlive !== true || !befall('market killed', 'market')) return;
		world.tell('the market is killed');
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
	{present}: Server,
	people: number,
): Promise<Accounts> {
	const {market, process} = present;
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
