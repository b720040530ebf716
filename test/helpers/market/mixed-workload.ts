/** Everything that renters and hosts do at once, by any number of processes, and what must hold afterwards. */
import {setTimeout as sleep} from 'node:timers/promises';
import {MarketError, ApiError} from '../../../source/client/exchange/errors.ts';
import {addCredit} from '../../../source/market/ledger/accounts-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {createRandom, type SeedRandom} from '../../../source/market/seed/parts.ts';
import {testAsk, testPublication} from '../host/hosts.ts';
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
		if (role === 'renter') ids.push(id);
		return (await createKey(database, {accountId: id, name: role, now})).value;
	};
	const ids: number[] = [];
	return {
		host: await open('host'),
		/** Keys of those who rent. */
		renters: await Promise.all(Array.from({length: renters}, async () => open('renter'))),
		ids,
	};
}

type Keys = Awaited<ReturnType<typeof openAccounts>>;

/** What was answered, and so must be true. */
export type Answered = {
	readonly rented: Set<number>;
	readonly destroyed: Set<number>;
	/** Dollars that were paid ahead, and given to others. */
	prepaid: number;
	given: number;
	/** Calls of which nobody knows what became: their answers were lost, or were about that. */
	doubtful: number;
	/** Calls that certainly have not happened, for the database was away. */
	refused: number;
	calls: number;
};

const asks = [[0], [1], [0, 1]].map(gpu_ids =>
	testAsk({gpu_ids, dph_base: 90, min_bid: 0.1, end_date: null, disk_space: 200}),
);
/** Its provider offers each machine at these, which count more than what its host says. */
const terms = {price_gpu: 90, price_min_bid: 0.1, credit_discount_max: 0.4, vol_size: 0};
const order = {image: 'ubuntu:24.04', disk: 10};

type Client = ReturnType<typeof clientOf>;

type World = {
	readonly host: Client;
	readonly renter: Client;
	readonly random: SeedRandom;
	/** Opens a client of another key at the same process. */
	readonly clientOf: (key: string) => Client;
	/** Accounts that rent. */
	readonly ids: readonly number[];
	/** One that there was a moment ago; 0 where there is none. The next one likewise. */
	readonly id: number;
	readonly otherId: number;
	readonly askId: number;
	readonly machineIds: readonly number[];
	readonly answered: Answered;
};

const bidOf = (random: SeedRandom) => random.whole(1, 40) / 10;

async function rent({renter, askId, answered}: World, price?: number): Promise<void> {
	const wish = price === undefined ? order : {...order, price};
	answered.rented.add((await renter.instances.create(askId, wish)).new_contract);
}

/** What somebody may do next, one as often as the other. */
const actions: ReadonlyArray<(world: World) => Promise<unknown>> = [
	async world => rent(world),
	async world => rent(world, bidOf(world.random)),
	async ({renter, id, random}) => renter.instances.changeBid(id, bidOf(random)),
	async ({renter, id}) => renter.instances.stop(id),
	async ({renter, id}) => renter.instances.start(id),
	async ({renter, id, answered}) => {
		await renter.instances.destroy(id);
		answered.destroyed.add(id);
	},
	...[1, 2].map(() => async ({host, id}: World) => {
		const access = {ssh: {host: '127.0.0.1', port: 2222}};
		await host.hosts.report([
			{instance_id: id, boot: 1, status: 'running', status_msg: 'runs', ...access},
		]);
	}),
	async ({host, random}) => host.hosts.publish(publicationOf(random.whole(0, MACHINES - 1))),
	async ({host, machineIds}) => host.hosts.heartbeat(machineIds),
	async ({renter, id, random, answered}) => {
		const dollars = random.whole(1, 50) / 10;
		await renter.instances.prepay(id, dollars);
		answered.prepaid += dollars;
	},
	async ({renter, ids, random, answered}) => {
		await renter.account.transfer({recipient: random.pick(ids), amount: 0.25});
		answered.given += 0.25;
	},
	async ({host, machineIds, random}) =>
		host.machines.offer({...terms, machine: random.pick(machineIds), price_gpu: priceOf(random)}),
	async ({renter, random}) => {
		const {pending_price_increases: increases} = await renter.instances.priceIncreases();
		const [increase] = increases;
		if (increase === undefined) return;
		const {pending_price_increase_id: id} = increase;
		if (random.whole(0, 1) === 0) await renter.instances.acceptPriceIncrease(id);
		else await renter.instances.rejectPriceIncrease(id);
	},
	async ({renter, id}) =>
		renter.scheduledJobs.create({
			api_endpoint: `/api/v0/instances/reboot/${id}/`,
			request_method: 'PUT',
			request_body: {},
			instance_id: id,
			frequency: 'HOURLY',
		}),
	async ({renter, id, otherId}) =>
		renter.copies.start(
			{kind: 'instance', id, path: '/a/'},
			{kind: 'instance', id: otherId, path: '/b'},
		),
	async ({renter, id}) => renter.copies.cancel({kind: 'instance', id}),
	async ({renter, random, clientOf: open}) => {
		const {api_key: key} = await renter.teams.create({
			team_name: `team ${random.whole(1, 1e9)}`,
			transfer_credit: 1.5,
		});
		await open(key).teams.delete();
	},
];

const priceOf = (random: SeedRandom) => random.whole(90, 100);

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
	const money = {prepaid: 0, given: 0};
	const answered: Answered = {rented: new Set(), destroyed: new Set(), ...money, ...counts};
	const clients = new Map<string, ReturnType<typeof clientOf>>();
	const clientAt = (url: string, key: string) => {
		const known = clients.get(`${url} ${key}`) ?? clientOf(url, key);
		clients.set(`${url} ${key}`, known);
		return known;
	};
	const {hosts, machines: listed} = clientAt(urls()[0] ?? '', keys.host);
	const machines = [];
	for (let index = 0; index < MACHINES; index++) {
		machines.push(await hosts.publish(publicationOf(index)));
	}
	const machineIds = machines.map(({id}) => id);
	const askIds = machines.flatMap(machine => machine.asks.map(({id}) => id));
	for (const machine of machineIds) await listed.offer({...terms, machine});
	await hosts.heartbeat(machineIds);

	/** One of many at once: it does so many things, one after the other. */
	async function work(seed: number, calls: number): Promise<void> {
		const random = createRandom(seed);
		for (let call = 0; call < calls; call++) {
			const url = random.pick(urls());
			const known = [...answered.rented].filter(id => !answered.destroyed.has(id));
			const world: World = {
				host: clientAt(url, keys.host),
				renter: clientAt(url, random.pick(keys.renters)),
				clientOf: key => clientAt(url, key),
				ids: keys.ids,
				random,
				id: known.length === 0 ? 0 : random.pick(known),
				otherId: known.length === 0 ? 0 : random.pick(known),
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
