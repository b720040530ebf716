import type {Contract} from '../../contract/index.ts';
import {offeredGpuNames} from '../store/gpu-names.ts';
import type {Handler} from './handler.ts';

export const gpuNames: Handler<Contract['offers']['gpuNames']> = async (_, {database, clock}) => ({
	gpu_names: [...(await offeredGpuNames(database, clock.now()))],
});
