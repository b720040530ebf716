/** Everything that renters and hosts do at once, by any number of processes, and what must hold afterwards. */
import {setTimeout as sleep} from 'node:timers/promises';
import {MarketError, ApiError} from '../../source/client/errors.ts';
import {addCredit} from '../../source/market/store/accounts.ts';
import type {Database} from '../../source/market/store/database.ts';
import {createKey} from '../../source/market/store/keys.ts';
import {createRandom} from '../../source/market/seed/random.ts';
import type {Random} from '../../source/market/seed/random.ts';
import {testAsk, testPublication} from './hosts.ts';
import {clientOf} from './market-process.ts';

const RENTERS = 3;
const MACHINES = 6;
const CREDIT_MICROS = 40_000_000_000;

/** Accounts with keys: some that rent, and one with machines. */
export async function openAccounts(database: Database, now: number, renters = RENTERS) {
	const open = async (role: 'renter' | 'host') => {
		const {id} = await database
			.insertInto('accounts')
			.values({created_at: now, role})
			.returning('id')
			.executeTakeFirstOrThrow();
		const credit = {micros: CREDIT_MICROS, description: 'Opening', now};
		if (role === 'renter') await addCredit(database, id, credit);
		return (await createKey(database, {accountId: id, name: role, now})).value;
	};
	return {
		host: await open('host'),
		renters: await Promise.all(Array.from({length: renters}, async () => open('renter'))),
	};
}

type Keys = Awaited<ReturnType<typeof openAccounts>>;

/** What was answered, and so must be true. */
export type Answered = {
	readonly rented: Set<number>;
	readonly destroyed: Set<number>;
	/** Calls of which nobody knows what became: their answers were lost, or were about that. */
	doubtful: number;
	/** Calls that certainly have not happened, for the database was away. */
	refused: number;
	calls: number;
};

const asks = [[0], [1], [0, 1]].map(gpu_ids =>
	testAsk({gpu_ids, dph_base: 900, min_bid: 0.1, end_date: null, disk_space: 200}),
);
const order = {image: 'ubuntu:24.04', disk: 10};

type World = {
	readonly host: ReturnType<typeof clientOf>['hosts'];
	readonly renter: ReturnType<typeof clientOf>['instances'];
	readonly random: Random;
	/** One that there was a moment ago; 0 where there is none. */
	readonly id: number;
	readonly askId: number;
	readonly machineIds: readonly number[];
	readonly answered: Answered;
};

const bidOf = (random: Random) => random.whole(1, 40) / 10;

async function rent({renter, askId, answered}: World, price?: number): Promise<void> {
	const wish = price === undefined ? order : {...order, price};
	answered.rented.add((await renter.create(askId, wish)).new_contract);
}

/** What somebody may do next, one as often as the other. */
const actions: ReadonlyArray<(world: World) => Promise<unknown>> = [
	async world => rent(world),
	async world => rent(world, bidOf(world.random)),
	async ({renter, id, random}) => renter.changeBid(id, bidOf(random)),
	async ({renter, id}) => renter.stop(id),
	async ({renter, id}) => renter.start(id),
	async ({renter, id, answered}) => {
		await renter.destroy(id);
		answered.destroyed.add(id);
	},
	async ({host, id}) =>
		host.report([{instance_id: id, boot: 1, status: 'running', status_msg: 'runs'}]),
	async ({host, random}) => host.publish(publicationOf(random.whole(0, MACHINES - 1))),
	async ({host, machineIds}) => host.heartbeat(machineIds),
];

const publicationOf = (index: number) => testPublication({name: `machine ${index}`, asks});

const PAUSE_MS = 100;

/** Does something, and counts what became of it. What certainly has not happened is done later. */
async function trying(answered: Answered, call: () => Promise<unknown>): Promise<void> {
	try {
		await call();
	} catch (error) {
		if (!(error instanceof MarketError)) throw error;
		if (error instanceof ApiError && error.status === 503) {
			answered.refused += 1;
			await sleep(PAUSE_MS);
			return trying(answered, call);
		}
		if (!(error instanceof ApiError) || error.status >= 500) answered.doubtful += 1;
	}
	answered.calls += 1;
}

/** Renters and a host, by way of some of the processes. */
export async function openWorkload(urls: () => readonly string[], keys: Keys) {
	const counts = {doubtful: 0, refused: 0, calls: 0};
	const answered: Answered = {rented: new Set(), destroyed: new Set(), ...counts};
	const clients = new Map<string, ReturnType<typeof clientOf>>();
	const clientAt = (url: string, key: string) => {
		const known = clients.get(`${url} ${key}`) ?? clientOf(url, key);
		clients.set(`${url} ${key}`, known);
		return known;
	};
	const {hosts} = clientAt(urls()[0] ?? '', keys.host);
	const machines = [];
	for (let index = 0; index < MACHINES; index++) {
		machines.push(await hosts.publish(publicationOf(index)));
	}
	const machineIds = machines.map(({id}) => id);
	const askIds = machines.flatMap(machine => machine.asks.map(({id}) => id));
	await hosts.heartbeat(machineIds);

	/** One of many at once: it does so many things, one after the other. */
	async function work(seed: number, calls: number): Promise<void> {
		const random = createRandom(seed);
		for (let call = 0; call < calls; call++) {
			const url = random.pick(urls());
			const known = [...answered.rented].filter(id => !answered.destroyed.has(id));
			const world: World = {
				host: clientAt(url, keys.host).hosts,
				renter: clientAt(url, random.pick(keys.renters)).instances,
				random,
				id: known.length === 0 ? 0 : random.pick(known),
				askId: random.pick(askIds),
				machineIds,
				answered,
			};
			await trying(answered, async () => random.pick(actions)(world));
		}
	}

	return {
		answered,
		work,
		async [Symbol.asyncDispose]() {
			await Promise.all([...clients.values()].map(async client => client[Symbol.asyncDispose]()));
		},
	};
}

/** Everything that is wrong with what is kept, in words. */
export async function problemsAfter(
	database: Database,
	{rented, destroyed, doubtful}: Answered,
): Promise<readonly string[]> {
	const instances = await database.selectFrom('instances').selectAll().execute();
	const byId = new Map(instances.map(row => [row.id, row]));
	const offers = await database.selectFrom('offers').selectAll().execute();
	const running = instances.filter(row => row.destroyed_at === null && row.current === 'running');
	const doubles = running.flatMap((one, index) =>
		running
			.slice(index + 1)
			.filter(other => other.machine_id === one.machine_id && (other.gpu_mask & one.gpu_mask) !== 0)
			.map(other => `${one.id} and ${other.id} have the same GPU`),
	);
	const free = offers.filter(
		offer =>
			offer.rentable === 1 &&
			running.some(
				row =>
					row.machine_id === offer.machine_id &&
					row.is_bid === 0 &&
					(row.gpu_mask & offer.gpu_mask) !== 0,
			),
	);
	const unanswered = instances.filter(({id}) => !rented.has(id)).length;
	return [
		...doubles,
		...(unanswered <= doubtful ? [] : [`${unanswered} rents were refused or lost, and are there`]),
		...free.map(({id}) => `offer ${id} is rented, and offered`),
		...[...rented].filter(id => !byId.has(id)).map(id => `${id} is lost`),
		...[...destroyed]
			.filter(id => byId.get(id)?.destroyed_at === null)
			.map(id => `${id} came back`),
		...(await lostMoney(database)),
	];
}

/** To the micro-dollar: what was paid in is what was charged and what is left. */
async function lostMoney(database: Database): Promise<readonly string[]> {
	const accounts = await database.selectFrom('accounts').select(['id', 'credit_micros']).execute();
	const payments = await database.selectFrom('payments').selectAll().execute();
	const charges = await database.selectFrom('charges').selectAll().execute();
	const sumOf = (rows: typeof payments | typeof charges, id: number) =>
		rows.reduce((sum, row) => (row.account_id === id ? sum + row.amount_micros : sum), 0);
	return accounts.flatMap(({id, credit_micros: credit}) => {
		const missing = sumOf(payments, id) - sumOf(charges, id) - credit;
		return missing === 0 ? [] : [`${missing} micro-dollars of account ${id} are missing`];
	});
}
