/** A market where somebody rents a lot, as it is after a day of work: for pictures. */
import {openUseHistory} from '../../../source/renter/history/use-history.ts';
import type {Observation} from '../../../source/renter/instance/observations.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {openFolder} from '../folder.ts';
import {seenLoading} from './fleet.ts';
import {
	keepHeard,
	leaseDirectly,
	openTestMarketFile,
	rentDirectly,
	rentRunning,
} from '../market/instances.ts';
import {TEST_NOW} from '../market/market.ts';

const MINUTE = 60;
const HOUR = 3600;
/** As long as `seenLoading` has looked at it. */
const STUCK_FOR = 1000;

type Rented = {
	readonly name: string;
	readonly gpu: string;
	/** Hours since it was made. */
	readonly age: number;
	/** Hours until it ends, or how long it may idle; without them it has no end. */
	readonly ends?: number;
	readonly idles?: string;
	/** Percent of its GPU in the last half hour, about which it goes up and down. */
	readonly use: number;
	readonly isStuck?: boolean;
};

const rented: readonly Rented[] = [
	{name: 'ablate-11', gpu: 'RTX 3090', age: STUCK_FOR / HOUR, use: 0, isStuck: true},
	{name: 'sweep-7', gpu: 'RTX 4090', age: STUCK_FOR / HOUR, use: 0, isStuck: true},
	{name: 'llama-8b-sft', gpu: 'RTX 5090', age: 26, ends: 19.3, use: 97},
	{name: 'train-a', gpu: 'RTX 5090', age: 8.2, ends: 4.1, use: 91},
	{name: 'train-b', gpu: 'RTX 5090', age: 8.2, ends: 4.1, use: 88},
	{name: 'sweep-1', gpu: 'RTX 4090', age: 3.5, idles: 'i900', use: 79},
	{name: 'sweep-2', gpu: 'RTX 4090', age: 3.5, idles: 'i900', use: 64},
	{name: 'sweep-3', gpu: 'RTX 4090', age: 3.5, idles: 'i900', use: 83},
	{name: 'sweep-4', gpu: 'RTX 4090', age: 3.5, idles: 'i900', use: 38},
	{name: 'eval-1', gpu: 'RTX 4090', age: 1.2, ends: 0.8, use: 55},
	{name: 'eval-2', gpu: 'RTX 4090', age: 1.2, ends: 0.8, use: 42},
	{name: 'ablate-5', gpu: 'RTX 3090', age: 5.4, ends: 5.8, use: 79},
	{name: 'ablate-6', gpu: 'RTX 3090', age: 5.4, ends: 5.8, use: 72},
	{name: 'ablate-7', gpu: 'RTX 3090', age: 5.4, ends: 5.8, use: 67},
	{name: 'ablate-9', gpu: 'RTX 3090', age: 5.4, ends: 5.8, use: 55},
	{name: 'bench-5', gpu: 'RTX 3060', age: 12.1, use: 67},
	{name: 'bench-6', gpu: 'RTX 3060', age: 12.1, use: 61},
];

function labelOf({name, ends, idles}: Rented): string {
	const end = ends === undefined ? idles : `e${TEST_NOW + Math.round(ends * HOUR)}`;
	return end === undefined ? name : `${name} [lease1 ${end} td]`;
}

/** The first offer of one such GPU that can still be rented. */
async function offerOf(database: Database, gpu: string): Promise<number> {
	const {id} = await database
		.selectFrom('offers')
		.innerJoin('machines', 'machines.id', 'offers.machine_id')
		.select('offers.id')
		.where('offers.rentable', '=', 1)
		.where('offers.num_gpus', '=', 1)
		.where('offers.gpu_name', '=', gpu)
		.orderBy('offers.id')
		.executeTakeFirstOrThrow();
	return id;
}

/** Use at a minute before now: it goes up and down, and never by chance. */
function percentAt(mean: number, minute: number, place: number): number {
	const wave = Math.sin(minute / 3 + place) * 9 + Math.sin(minute / 1.3 + place * 2) * 5;
	return Math.round(Math.max(2, Math.min(100, mean + wave)));
}

/** @param consoleNow clock of the console that looks at it, in milliseconds */
export async function openLargeFleet(consoleNow: number) {
	const market = await openTestMarketFile({offers: 600});
	const {database} = market;
	const made: Array<Rented & {readonly id: number}> = [];
	for (const one of rented) {
		const created_at = TEST_NOW - Math.round(one.age * HOUR);
		const ask_id = await offerOf(database, one.gpu);
		const common = {label: labelOf(one), created_at, ask_id};
		const usage = JSON.stringify({gpu_util: percentAt(one.use, 0, made.length)});
		const loading = {actual: 'loading', reported: 'loading', contact: 'heard'} as const;
		const {id} = one.isStuck
			? await rentDirectly(database, {...common, ...loading, message: 'pulling layer 7/19'})
			: await rentRunning(database, {...common, running_since: created_at + 60, usage});
		if (one.ends !== undefined) {
			await leaseDirectly(database, id, {ends_at: TEST_NOW + Math.round(one.ends * HOUR)});
		}
		made.push({...one, id});
	}
	await keepHeard(database);
	await market.sweep();
	const folder = openFolder();
	const use = openUseHistory(`${folder.path}/use.jsonl`);
	const running = made.filter(({isStuck}) => isStuck !== true);
	for (let minute = 24 * 60; minute > 0; minute -= minute > 40 ? 30 : 1) {
		const there = running.filter(({age}) => age * 60 > minute);
		const instances = there.map(({id, use: mean}, place) => ({
			id,
			actual_status: 'running',
			gpu_util: percentAt(mean, minute, place),
		}));
		const now = 0.12 + there.length * 0.27;
		use.noteList(instances, consoleNow - minute * MINUTE * 1000, {now, atMost: now});
	}
	await use.settle();
	const stuck = made.filter(({isStuck}) => isStuck === true);
	const seen = (localNow: number): ReadonlyMap<number, Observation> =>
		new Map(stuck.map(({id}) => [id, seenLoading(id, localNow)]));
	return {
		...market,
		seen,
		use,
		async [Symbol.asyncDispose]() {
			await market[Symbol.asyncDispose]();
			folder[Symbol.dispose]();
		},
	};
}
