import type {Machine} from '../contract/machines.ts';
import {money} from './format.ts';

/** The job that a machine runs on its idle GPUs, in words; undefined where it has none. */
export function defaultJobWords(machine: Machine): string | undefined {
	const {bid_image: image, bid_gpu_cost: cost, bid_gpus_running: running, ...rest} = machine;
	if (typeof image !== 'string' || image === '') return undefined;
	const gpus = rest.num_gpus ?? 0;
	const where =
		typeof running !== 'number' ? '' : gpus > 0 ? `, on ${running} of ${gpus} GPUs` : '';
	const price = typeof cost === 'number' ? ` at ${money(cost)}/h` : '';
	const trouble = rest.bid_trouble;
	const why = typeof trouble === 'string' && trouble !== '' ? `: ${trouble}` : '';
	return `own job ${image}${price}${where}${why}`;
}
