/** Counts of the market's GPUs, stored figures, and a search of benchmarks. */
import {setImmediate} from 'node:timers/promises';
import {sql, type RawBuilder} from 'kysely';
import type {Database} from '../database/database.ts';
import {gpuIndexesOfMask} from '../base/gpu-mask.ts';
import type {CountedMachine, Price, MachineGroup} from '../database/provider-tables.ts';
import {
	searchableBenchmarks,
	type BenchmarkField,
	type BenchmarkSearch,
} from '../../contract/nouns/benchmarks.ts';
import {comparedSql, conditionsSql, orderSql} from '../database/search-sql.ts';

/** Machines of a read, few enough not to delay other calls. */
const MACHINES_AT_ONCE = 200;

/** Offered and present machines with their rentals. Other calls are served in between. */
export async function* countMachineGpus(
	database: Database,
	now: number,
): AsyncGenerator<CountedMachine & {readonly geolocation: string | null}> {
	for (let last = -1; ;) {
		const machines = await database
			.selectFrom('machines')
			.select(['id', 'num_gpus', 'busy_mask', 'made_up'])
			.where('id', '>', last)
			.where('listed', '=', 1)
			.where('absent', '=', 0)
			.where('num_gpus', '>', 0)
			.orderBy('id')
			.limit(MACHINES_AT_ONCE)
			.execute();
		const ids = machines.map(({id}) => id);
		const end = ids.at(-1);
		if (end === undefined) return;
		last = end;
		const offers = Map.groupBy(await offersOn(database, ids, now), one => one.machine_id);
		const rentals = Map.groupBy(await rentalsOn(database, ids), one => one.machine_id);
		for (const {id, num_gpus: gpus, busy_mask: busyMask, made_up: isMadeUp} of machines) {
			const here = offers.get(id) ?? [];
			const whole = here.toSorted((one, other) => other.num_gpus - one.num_gpus)[0];
			if (whole === undefined) continue;
			const theirs = rentals.get(id) ?? [];
			const inUse = gpuIndexesOfMask(busyMask).length;
			// Rentals of a made-up machine are made up too.
			const [busy, unknown] = isMadeUp === 1 ? [0, inUse] : [inUse, 0];
			const rented = theirs.reduce(
				(sum, {gpu_mask: mask}) => sum + gpuIndexesOfMask(mask).length,
				unknown,
			);
			const perGpu = here
				.filter(({rentable, num_gpus: size}) => rentable === 1 && size > 0)
				.map(offer => Math.round(offer.dph_base_micros / offer.num_gpus));
			const share = whole.num_gpus === 0 ? 1 : gpus / whole.num_gpus;
			yield {
				gpuName: whole.gpu_name,
				verified: whole.verification === 'verified',
				datacenter: whole.hosting_type === 1,
				gpus,
				rented: Math.min(rented, gpus),
				available: Math.max(0, gpus - rented - busy),
				dlperf: (whole.dlperf ?? 0) * share,
				tflops: (whole.total_flops ?? 0) * share,
				// A bid is not a price for others.
				rentedPrices: theirs
					.filter(({is_bid: isBid}) => isBid === 0)
					.map(({gpu_mask: mask, gpu_micros: micros}): Price => {
						const count = gpuIndexesOfMask(mask).length;
						return [Math.round(micros / count), count];
					}),
				micros: perGpu.length === 0 ? undefined : Math.min(...perGpu),
				geolocation: whole.geolocation,
			};
		}
		await setImmediate();
	}
}

const offerColumns = [
	'machine_id',
	'num_gpus',
	'gpu_name',
	'hosting_type',
	'verification',
	'dlperf',
	'total_flops',
	'geolocation',
	'dph_base_micros',
	'rentable',
] as const;

async function offersOn(database: Database, machineIds: readonly number[], now: number) {
	return database
		.selectFrom('offers')
		.select(offerColumns)
		.where('machine_id', 'in', machineIds)
		.where('listed', '=', 1)
		.where(one => one.or([one('end_date', 'is', null), one('end_date', '>', now)]))
		.execute();
}

async function rentalsOn(database: Database, machineIds: readonly number[]) {
	return database
		.selectFrom('instances')
		.select(['machine_id', 'gpu_mask', 'gpu_micros', 'is_bid'])
		.where('machine_id', 'in', machineIds)
		.where('destroyed_at', 'is', null)
		.where('current', '=', 'running')
		.where('default_job', '=', 0)
		.execute();
}

/** Time of the last sample; undefined before the first. */
export async function lastSampleAt(database: Database): Promise<number | undefined> {
	const {at} = await database
		.selectFrom('gpu_samples')
		.select(({fn}) => fn.max<number | null>('at').as('at'))
		.executeTakeFirstOrThrow();
	return at ?? undefined;
}

export async function keepSamples(
	database: Database,
	at: number,
	shares: ReadonlyMap<string, readonly MachineGroup[]>,
): Promise<void> {
	for (const [name, some] of shares) {
		const rented = some.reduce((sum, share) => sum + share.rented, 0);
		const available = some.reduce((sum, share) => sum + share.available, 0);
		const row = {gpu_name: name, at, total: rented + available, rented};
		await database
			.insertInto('gpu_samples')
			.values({...row, shares: JSON.stringify(some)})
			.onConflict(conflict => conflict.columns(['gpu_name', 'at']).doNothing())
			.execute();
	}
}

type Thinning = {readonly before: number; readonly everyFrom: number; readonly step: number};

/** Deletes figures before a moment, and keeps one per step before another moment. */
export async function thinSamples(
	database: Database,
	{before, everyFrom, step}: Thinning,
): Promise<void> {
	await database.deleteFrom('gpu_samples').where('at', '<', before).execute();
	await database
		.deleteFrom('gpu_samples')
		.where('at', '<', everyFrom)
		.where(sql<number>`at % ${sql.lit(step)}`, '<>', 0)
		.execute();
}

type KeptSample = {
	readonly gpuName: string;
	readonly at: number;
	readonly shares: readonly MachineGroup[];
};

/** Time of the first stored figures; undefined for none. */
export async function firstSample(database: Database): Promise<number | undefined> {
	const {at} = await database
		.selectFrom('gpu_samples')
		.select(({fn}) => fn.min<number | null>('at').as('at'))
		.executeTakeFirstOrThrow();
	return at ?? undefined;
}

type Span = {readonly from: number; readonly until: number; readonly step: number};

/** The first stored figures of each step, of the named GPUs or of all. */
export async function samplesOf(
	database: Database,
	names: readonly string[] | undefined,
	{from, until, step}: Span,
): Promise<readonly KeptSample[]> {
	const firsts = database
		.selectFrom('gpu_samples')
		.select(({fn}) => fn.min<number>('at').as('first'))
		.where('at', '>=', from)
		.where('at', '<=', until)
		.groupBy(sql`at / ${sql.lit(step)}`);
	const rows = await database
		.selectFrom('gpu_samples')
		.select(['gpu_name', 'at', 'shares'])
		.where('at', 'in', firsts)
		.$if(names !== undefined, query => query.where('gpu_name', 'in', [...(names ?? [])]))
		.orderBy('at')
		.execute();
	return rows.map(({gpu_name: gpuName, at, shares}) => ({gpuName, at, shares: readShares(shares)}));
}

function readShares(text: string): readonly MachineGroup[] {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return JSON.parse(text) as readonly MachineGroup[];
}

/** Rented share of each GPU's time since a moment. */
export async function usageSince(
	database: Database,
	from: number,
): Promise<ReadonlyMap<string, number>> {
	const rows = await database
		.selectFrom('gpu_samples')
		.select(({fn}) => [
			'gpu_name',
			fn.sum<number>('rented').as('rented'),
			fn.sum<number>('total').as('total'),
		])
		.where('at', '>=', from)
		.groupBy('gpu_name')
		.execute();
	const known = rows.filter(({total}) => total > 0);
	return new Map(known.map(row => [row.gpu_name, row.rented / row.total]));
}

export function benchmarkQuery({filter, order}: BenchmarkSearch): {
	readonly where: ReadonlyArray<RawBuilder<unknown>>;
	readonly orderBy: ReadonlyArray<RawBuilder<unknown>>;
} {
	return {
		where: conditionsSql(filter, {types: searchableBenchmarks.fields, sqlOf}),
		orderBy: orderSql(order, sqlOf, sql`id desc`),
	};
}

/** Field as SQL, with GPU names in the compared form of offers. */
function sqlOf(field: BenchmarkField): RawBuilder<unknown> {
	return field === 'gpu_name'
		? sql.raw('gpu_key')
		: comparedSql(searchableBenchmarks.fields[field], field);
}
