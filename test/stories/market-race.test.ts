import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ApiError} from '../../source/client/exchange/errors.ts';
import {openDatabase, slowness} from '../helpers/market/postgres.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

const CLIENTS = 50;
const ASKS = 500;
/** How many clients want each offer at about the same time. */
const RIVALS = 10;

/** What each client wants, in its order: every offer is wanted by ten, and each starts elsewhere. */
function wishes(asks: readonly number[], client: number): readonly number[] {
	const wanted = asks.filter((_, index) => (client + index) % (CLIENTS / RIVALS) === 0);
	const start = Math.floor((wanted.length * client) / CLIENTS / 4);
	return [...wanted.slice(start), ...wanted.slice(0, start)];
}

type Renters = ReadonlyArray<ReturnType<typeof clientOf>>;

/** Lets everybody rent what they want, and answers who got what and how the others were refused. */
async function race(asks: readonly number[], renters: Renters) {
	const won: Array<{askId: number; id: number}> = [];
	const refusals = new Map<number, number>();
	const run = async (client: number) => {
		const renter = renters[client % renters.length];
		for (const askId of wishes(asks, client)) {
			try {
				const {new_contract: id} = (await renter?.instances.create(askId, {
					image: 'ubuntu:24.04',
				})) ?? {new_contract: -1};
				won.push({askId, id});
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				refusals.set(error.status, (refusals.get(error.status) ?? 0) + 1);
			}
		}
	};
	await Promise.all(Array.from({length: CLIENTS}, (_, client) => run(client)));
	return {won, refusals};
}

/** What the market's file says afterwards. */
async function readRented(file: string) {
	const database = await openDatabase(file);
	try {
		return {
			instances: await database.selectFrom('instances').selectAll().execute(),
			offers: await database.selectFrom('offers').selectAll().execute(),
		};
	} finally {
		await database.destroy();
	}
}

test.each([1, 2])(
	'fifty clients race for 500 offers on %i processes: each offer goes to one of them',
	async processes => {
		using folder = openFolder();
		const file = join(folder.path, 'market.db');
		const args = ['--offers', '1200', '--trouble', 'none', '--credit', '1000000'];
		await using first = await startMarket(file, ...args);
		const key = await first.key();
		await using second = await startMarket(file);
		const urls = [first.url, second.url].slice(0, processes);
		const renters = urls.map(url => clientOf(url, key));
		const found = await renters[0]?.offers.search({
			filter: [{field: 'rentable', operator: 'eq', value: true}],
			limit: ASKS,
			columns: ['id'],
		});
		const asks = (found?.offers ?? []).map(({id}) => id);
		expect(asks).toHaveLength(ASKS);

		const {won, refusals} = await race(asks, renters);
		await Promise.all(renters.map(async renter => renter.close()));

		expect(new Set(won.map(({askId}) => askId)).size).toBe(won.length);
		expect(new Set(won.map(({id}) => id)).size).toBe(won.length);
		expect([...refusals.keys()]).toEqual([410]);
		expect(won.length + (refusals.get(410) ?? 0)).toBe(ASKS * RIVALS);
		const {instances, offers} = await readRented(file);
		expect(instances.map(({id}) => id).toSorted((a, b) => a - b)).toEqual(
			won.map(({id}) => id).toSorted((a, b) => a - b),
		);
		// No GPU is rented twice, and what nobody got shares a GPU with what somebody did.
		const taken = new Map<number, number>();
		for (const {machine_id: machine, gpu_mask: mask} of instances) {
			expect((taken.get(machine) ?? 0) & mask).toBe(0);
			taken.set(machine, (taken.get(machine) ?? 0) | mask);
		}
		for (const {id, machine_id: machine, gpu_mask: mask, rentable} of offers) {
			if (!asks.includes(id)) continue;
			expect(((taken.get(machine) ?? 0) & mask) !== 0).toBe(true);
			expect(rentable).toBe(0);
		}
	},
	120_000 * slowness,
);
