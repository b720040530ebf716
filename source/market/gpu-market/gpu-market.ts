/** Figures of the GPU market: taken every five minutes, kept for three months. */
import {setImmediate} from 'node:timers/promises';
import type {Contract} from '../../contract/index.ts';
import type {ReplyOf, RequestOf} from '../../contract/grammar/endpoint.ts';
import {comparable} from '../../contract/grammar/filter.ts';
import type {GpuFigures, GpuLocation} from '../../contract/nouns/gpu-market.ts';
import {
	byTotal,
	filterShares,
	createShares,
	figuresOf,
	coordinatesOf,
	historyOf,
	stepsOf,
} from './rules.ts';
import type {Database} from '../database/database.ts';
import type {MachineGroup} from '../database/provider-tables.ts';
import {
	countMachineGpus,
	keepSamples,
	lastSampleAt,
	firstSample,
	samplesOf,
	thinSamples,
	usageSince,
} from './store.ts';
import {writing} from '../database/writing.ts';
import {DAY, HOUR} from '../../contract/rules/durations.ts';

const EVERY_SECONDS = 300;
const KEPT_SECONDS = 90 * DAY;
/** Age from which one figure an hour is kept. */
const CLOSELY_KEPT_SECONDS = 2 * DAY;
const USAGE_SECONDS = 30 * DAY;
const PLACES_SECONDS = 2 * HOUR;

export type GpuSampler = (now: number) => Promise<void>;

export function createGpuSampler(database: Database): GpuSampler {
	let last: number | undefined;
	return async now => {
		const at = Math.floor(now / EVERY_SECONDS) * EVERY_SECONDS;
		last ??= (await lastSampleAt(database)) ?? -Infinity;
		if (at <= last) return;
		const shares = await readShares(database, now);
		await writing(database, async transaction => {
			await keepSamples(transaction, at, shares);
			const everyFrom = now - CLOSELY_KEPT_SECONDS;
			if (at % HOUR === 0 || last === -Infinity) {
				await thinSamples(transaction, {before: now - KEPT_SECONDS, everyFrom, step: HOUR});
			}
		});
		last = at;
	};
}

async function readShares(
	database: Database,
	now: number,
): Promise<ReadonlyMap<string, readonly MachineGroup[]>> {
	const shares = createShares();
	for await (const machine of countMachineGpus(database, now)) shares.add(machine);
	const read = new Map<string, readonly MachineGroup[]>();
	for (const [name, some] of shares.read()) {
		read.set(name, some);
		await setImmediate();
	}
	return read;
}

type Calls = Contract['gpuMarket'];
type Choice = RequestOf<Calls['current']>['query'];

type Dated<Value> = {readonly at: number; readonly value: Value};

/** Reads figures of the market, from samples up to five minutes old. */
export function createGpuMarket(database: Database) {
	let shares: Dated<ReadonlyMap<string, readonly MachineGroup[]>> | undefined;
	let usage: Dated<ReadonlyMap<string, number>> | undefined;
	let places: Dated<readonly GpuLocation[]> | undefined;

	return {
		async current(choice: Choice, now: number): Promise<GpuFigures[]> {
			if (shares === undefined || now - shares.at >= EVERY_SECONDS) {
				shares = {at: now, value: await readShares(database, now)};
				usage = {at: now, value: await usageSince(database, now - USAGE_SECONDS)};
			}
			const used = usage?.value;
			return [...shares.value]
				.map(([name, some]) => figuresOf(name, filterShares(some, choice), used?.get(name) ?? null))
				.filter(({total = 0}) => (total ?? 0) > 0)
				.toSorted(byTotal);
		},

		async history(
			{gpu_name: named, start, end, step, ...choice}: RequestOf<Calls['history']>['query'],
			now: number,
		): Promise<ReplyOf<Calls['history']>['gpus']> {
			const isAll = named === undefined || named === '' || named === 'all';
			const names = isAll ? undefined : named.split(',').map(name => comparable(name.trim()));
			const steps = stepsOf({start, end, step}, now, await firstSample(database));
			const span = {from: steps.start, until: steps.end, step: steps.step};
			const samples = await samplesOf(database, names, span);
			const byName = Map.groupBy(samples, ({gpuName}) => gpuName);
			const wanted = names ?? [...byName.keys()].toSorted();
			return Object.fromEntries(
				wanted.map(name => {
					const here = (byName.get(name) ?? []).map(({at, shares: some}) => ({
						at,
						shares: filterShares(some, choice),
					}));
					return [name, historyOf(here, steps)];
				}),
			);
		},

		async locations(now: number): Promise<GpuLocation[]> {
			if (places === undefined || now - places.at >= PLACES_SECONDS) {
				const value: GpuLocation[] = [];
				for await (const machine of countMachineGpus(database, now)) {
					const place =
						machine.geolocation === null ? undefined : coordinatesOf(machine.geolocation);
					if (place === undefined) continue;
					value.push({
						...place,
						gpu_name: machine.gpuName,
						num_gpus: machine.gpus,
						rented: machine.rented > 0,
						verified: machine.verified,
						datacenter: machine.datacenter,
					});
				}
				places = {at: now, value};
			}
			return [...places.value];
		},
	};
}

export type GpuMarket = ReturnType<typeof createGpuMarket>;
