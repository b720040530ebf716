/** Samples the GPUs of all instances in turn, for a guard, which runs without a screen. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {RunInside} from '../leases/inside.ts';
import {GPU_SAMPLE_MS, readGpuUse} from './gpu-samples.ts';
import type {UseHistory} from './use-history.ts';

/** Most concurrent logins: a guard should stay small. */
const MOST_AT_ONCE = 2;

type Rounds = {
	readonly inside: RunInside;
	readonly use: Pick<UseHistory, 'noteList' | 'noteGpus'>;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: () => number;
};

/**
 * Records a list, and samples each GPU of instances with several: for a single GPU the list is
 * enough. A round in progress is not started again.
 */
export function createGpuRounds({inside, use, now}: Rounds) {
	let startedAt = Number.NEGATIVE_INFINITY;
	let round: Promise<unknown> = Promise.resolve();
	let isUnderWay = false;

	async function work(queue: Iterator<Instance>): Promise<void> {
		for (let next = queue.next(); next.done !== true; next = queue.next()) {
			// oxlint-disable-next-line no-await-in-loop -- a worker enters one after the other
			const gpus = await readGpuUse(inside, next.value).catch(() => undefined);
			if (gpus !== undefined) use.noteGpus(next.value.id, gpus, now());
		}
	}

	return {
		sample(instances: readonly Instance[]): void {
			use.noteList(instances, now());
			if (isUnderWay || Math.abs(now() - startedAt) < GPU_SAMPLE_MS) return;
			startedAt = now();
			isUnderWay = true;
			const queue = instances
				.filter(
					({actual_status: status, num_gpus: gpus}) => status === 'running' && (gpus ?? 1) > 1,
				)
				.values();
			const workers = Array.from({length: MOST_AT_ONCE}, async () => work(queue));
			round = Promise.all(workers).finally(() => (isUnderWay = false));
		},
		settle: async () => round,
	};
}
