import type {Contract} from '../../contract/index.ts';
import {benchmarkQuery} from './store.ts';
import {findBenchmarks} from '../machine-tests/store.ts';
import type {Handler} from '../http/handler.ts';
import type {GpuMarket} from './gpu-market.ts';

type Calls = Contract['gpuMarket'];

type Needs = {readonly gpuMarket: GpuMarket};

export const current: Handler<Calls['current'], Needs> = async ({query}, {gpuMarket, clock}) => ({
	success: true,
	gpus: await gpuMarket.current(query, clock.now()),
});

export const history: Handler<Calls['history'], Needs> = async ({query}, {gpuMarket, clock}) => ({
	success: true,
	gpus: await gpuMarket.history(query, clock.now()),
});

export const locations: Handler<Calls['locations'], Needs> = async (_, {gpuMarket, clock}) => ({
	success: true,
	locations: await gpuMarket.locations(clock.now()),
});

export const benchmarks: Handler<Calls['benchmarks']> = async ({query}, {database}) => {
	const rows = await findBenchmarks(database, benchmarkQuery(query), query.limit);
	return rows.map(found => {
		const {gpu_key: _, ...row} = found;
		const record = {...row, name: row.template_hash, score: row.value};
		if (query.columns === undefined) return record;
		const wanted = new Set(query.columns);
		return Object.fromEntries(Object.entries(record).filter(([name]) => wanted.has(name)));
	});
};
