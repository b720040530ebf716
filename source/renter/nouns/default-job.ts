import type {Machine} from '../../contract/nouns/machines.ts';
import {money} from '../text/format.ts';

/** The job that a machine runs on its idle GPUs, in words; undefined where it has none. */
export function defaultJobWords(machine: Machine): string | undefined {
	const {bid_image: image, bid_gpu_cost: cost, bid_gpus_running: running, ...rest} = machine;
	if (typeof image !== 'string' || image === '') return undefined;
	const gpus = rest.num_gpus ?? 0;
	const where = typeof running === 'number' && gpus > 0 ? ` on ${running} of ${gpus} GPUs` : '';
	const what = typeof cost === 'number' ? `${image} at ${money(cost)}/h` : image;
	const trouble = rest.bid_trouble;
	const isTroubled = typeof trouble === 'string' && trouble !== '';
	return `own job${where}: ${isTroubled ? `${trouble} (${what})` : what}`;
}
