import {settleMachine} from '../../../source/market/lifecycle/claims.ts';
import {refreshOffers} from '../../../source/market/lifecycle/claims-store.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {maskOf} from '../../../source/market/base/gpu-mask.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {
	openTestMarketFile,
	readInstance,
	rentDirectly,
	rentRunning,
	type TestInstance,
} from './instances.ts';
import {TEST_NOW, type CallInit, type Reply} from './market.ts';

/** Dollars an hour. */
export const FLOOR_BID = 0.1;

export type Rented = TestInstance & {
	/** Which of the machine's GPUs. */
	readonly gpus: readonly number[];
	/** Dollars an hour, for one that can be outbid. */
	readonly bid?: number;
};

/** A market with a machine whose four GPUs are offered one by one, in twos and all together. */
export async function openSharedMachine() {
	const market = await openTestMarketFile({offers: 40});
	const {database} = market;
	const machineId = await machineOfFour(database);

	const termsOf = async ({gpus, bid, ...given}: Rented): Promise<TestInstance> => ({
		ask_id: await offerId(database, machineId, gpus.length),
		gpu_mask: maskOf(gpus),
		is_bid: bid === undefined ? 0 : 1,
		gpu_micros: bid === undefined ? 1_000_000 : Math.round(bid * 1_000_000),
		...given,
	});

	return {
		...market,
		machineId,
		/** Calls an action on instances with a body, or with none. */
		async act(
			method: string,
			path: string,
			body?: unknown,
			headers: CallInit['headers'] = {},
		): Promise<Reply> {
			const sent = body === undefined ? null : JSON.stringify(body);
			return market.call(`/api/v0/instances/${path}`, {method, body: sent, headers});
		},
		/** Rents GPUs that nobody else has; the instance runs. */
		async rent(rented: Rented): Promise<number> {
			return (await rentRunning(database, await termsOf(rented))).id;
		},
		/** An instance that wants GPUs which it does not have. */
		async wait(rented: Rented): Promise<number> {
			const terms = await termsOf(rented);
			return (await rentDirectly(database, {...waiting, ...terms})).id;
		},
		/** An instance that its renter has stopped. */
		async halt(rented: Rented): Promise<number> {
			const terms = await termsOf(rented);
			return (await rentDirectly(database, {...halted, ...terms})).id;
		},
		async settle(at = TEST_NOW): Promise<void> {
			await database.transaction().execute(async transaction => {
				await settleMachine(transaction, machineId, at);
			});
		},
		row: async (id: number): Promise<InstanceRow> => readInstance(database, id),
		/** Which of these have their GPUs. */
		async running(...ids: readonly number[]): Promise<readonly boolean[]> {
			const rows = await Promise.all(ids.map(async id => readInstance(database, id)));
			return rows.map(({current}) => current === 'running');
		},
		/** The offer of so many GPUs. */
		async offer(size: number) {
			return database
				.selectFrom('offers')
				.selectAll()
				.where('id', '=', await offerId(database, machineId, size))
				.executeTakeFirstOrThrow();
		},
		[Symbol.asyncDispose]: market[Symbol.asyncDispose],
	};
}

export type SharedMachine = Awaited<ReturnType<typeof openSharedMachine>>;

const halted: TestInstance = {
	actual: 'exited',
	reported: 'exited',
	contact: 'heard',
	intended: 'stopped',
	current: 'stopped',
	next: 'stopped',
};

const waiting: TestInstance = {...halted, intended: 'running', waiting_since: TEST_NOW};

/** All its GPUs are free, and each share of it costs a dollar an hour or is bid for. */
async function machineOfFour(database: Database): Promise<number> {
	const {id} = await database
		.selectFrom('machines')
		.innerJoin('offers', 'offers.machine_id', 'machines.id')
		.select('machines.id')
		.where('machines.num_gpus', '=', 4)
		.groupBy('machines.id')
		.having(({fn}) => fn.countAll<number>(), '=', 3)
		.orderBy('machines.id')
		.executeTakeFirstOrThrow();
	await database.updateTable('machines').set({busy_mask: 0}).where('id', '=', id).execute();
	await database
		.updateTable('offers')
		.set({dph_base_micros: 1_000_000, floor_bid_micros: FLOOR_BID * 1_000_000, listed: 1})
		.where('machine_id', '=', id)
		.execute();
	await refreshOffers(database, id, TEST_NOW);
	return id;
}

async function offerId(database: Database, machineId: number, size: number): Promise<number> {
	const {id} = await database
		.selectFrom('offers')
		.select('id')
		.where('machine_id', '=', machineId)
		.where('num_gpus', '=', size)
		.executeTakeFirstOrThrow();
	return id;
}
