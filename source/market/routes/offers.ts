import type {Contract} from '../../contract/index.ts';
import {offeredGpuNames} from '../store/gpu-names.ts';
import type {Handler} from './handler.ts';

export const search: Handler<Contract['offers']['search']> = async ({body}, {offers, clock}) =>
	offers.find(body, clock.now());

export const gpuNames: Handler<Contract['offers']['gpuNames']> = async (_, {database, clock}) => ({
	gpu_names: [...(await offeredGpuNames(database, clock.now()))],
});
