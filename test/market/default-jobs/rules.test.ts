import {expect, test} from 'vitest';
import {defaultJobOf, type DefaultJobFiles} from '../../../source/market/default-jobs/rules.ts';
import {maskOf} from '../../../source/market/base/gpu-mask.ts';

type Job = DefaultJobFiles['jobs'][number];

const running: Job = {
	actual: 'running',
	reported: 'running',
	intended: 'running',
	current: 'running',
	message: null,
	gpu_mask: 1,
};
const waiting: Job = {...running, actual: 'exited', reported: 'exited', current: 'stopped'};
const loading: Job = {...running, actual: 'loading', reported: 'loading', message: 'Pulling'};
const rented = (gpu: number) => ({current: 'running', gpu_mask: maskOf([gpu])});

/** A machine of as many GPUs as there are jobs, with one on each. */
function trouble(
	jobs: readonly Job[],
	{rentals = [], ...state}: Partial<DefaultJobFiles['machine'] & DefaultJobFiles> = {},
) {
	const machine = {num_gpus: jobs.length, busy_mask: 0, contact: 'heard', heard_at: 9} as const;
	const defaultJob = {machine_id: 1, gpu_micros: 1, image: 'lab/miner', args: '[]'};
	const placed = jobs.map((job, gpu) => ({...job, gpu_mask: maskOf([gpu])}));
	return defaultJobOf({machine: {...machine, ...state}, defaultJob, jobs: placed, rentals})
		.bid_trouble;
}

test('a default job that runs on every GPU that nobody rents has no trouble', () => {
	expect(trouble([running, running])).toBeNull();
	expect(trouble([waiting, running], {rentals: [rented(0)]})).toBeNull();
	expect(trouble([running], {num_gpus: 0})).toBeNull();
});

test.each<[string, string, ReturnType<typeof trouble>]>([
	[
		'a start that failed',
		'no such image',
		trouble([{...waiting, intended: 'stopped', message: 'no such image'}, running]),
	],
	[
		'a start that failed without a word',
		'It cannot be started.',
		trouble([{...waiting, intended: 'stopped'}]),
	],
	[
		'an end',
		'It has ended by itself.',
		trouble([{...running, actual: 'exited', reported: 'exited'}]),
	],
	[
		'a silent host',
		'Its host is not heard.',
		trouble([{...running, actual: 'unknown'}], {contact: 'silent'}),
	],
	[
		'a host that is gone',
		'Its host is not heard.',
		trouble([{...running, actual: 'offline'}], {contact: 'lost'}),
	],
	[
		'a host that never came',
		'Its host was never heard.',
		trouble([{...running, actual: null, reported: null}], {heard_at: null}),
	],
	[
		'GPUs that are busy',
		'Its host says that something else uses GPU 1, 2.',
		trouble([running, waiting, waiting], {busy_mask: 6}),
	],
	['a start', 'It is starting on GPU 0, 1: Pulling', trouble([loading, loading, running])],
	[
		'a start on a GPU that it uses',
		'It is starting on GPU 0: Pulling',
		trouble([loading], {busy_mask: 1}),
	],
	[
		'a start of which nothing was heard',
		'It is starting on GPU 0.',
		trouble([{...loading, actual: null, reported: null, message: null}]),
	],
	[
		'a GPU that is in no offer',
		'Its host offers nothing that has GPU 1.',
		trouble([running], {num_gpus: 2}),
	],
	['a queue', 'It waits for GPU 0.', trouble([waiting])],
])('a default job says of %s: %s', (_, words, said) => {
	expect(said).toBe(words);
});

test('a default job always runs on all idle GPUs or says why not', () => {
	for (const job of [running, waiting, loading, {...waiting, intended: 'stopped'}]) {
		for (const rentals of [[], [rented(0)]]) {
			for (const contact of ['heard', 'silent', 'lost'] as const) {
				for (const busy of [0, 1, 2]) {
					const said = trouble([running, job], {rentals, contact, busy_mask: busy});
					expect(said === null).toBe(job === running);
				}
			}
		}
	}
});
