import type {Contract} from '../../contract/index.ts';
import type {Handler} from './handler.ts';

type Calls = Contract['gpuMarket'];

export const current: Handler<Calls['current']> = async ({query}, {gpuMarket, clock}) => ({
	success: true,
	gpus: await gpuMarket.current(query, clock.now()),
});

export const history: Handler<Calls['history']> = async ({query}, {gpuMarket, clock}) => ({
	success: true,
	gpus: await gpuMarket.history(query, clock.now()),
});

export const locations: Handler<Calls['locations']> = async (_, {gpuMarket, clock}) => ({
	success: true,
	locations: await gpuMarket.locations(clock.now()),
});
