import {expect, test} from 'vitest';
import {createRuns} from '../../../source/renter/connect/runs.ts';

/** Instances that nobody can enter, so that no program runs. */
function world(prepare: () => Promise<void> = async () => undefined) {
	const asked: Array<number | undefined> = [];
	const runs = createRuns({
		prepare,
		known: (id, kind) => ({file: '/known', alias: `a-${id}-${kind}`}),
		identities: {
			files: {get: () => [], subscribe: () => () => undefined},
			async findFor(id) {
				asked.push(id);
				return [];
			},
		},
	});
	return {runs, asked};
}

const loading = {instance: {id: 7, actual_status: 'loading'}, label: 'train-a', route: undefined};
const unreachable = {...loading, instance: {id: 8, actual_status: 'running'}};

test('who cannot be entered says why, and the account is asked for its keys once', async () => {
	const {runs, asked} = world();
	const run = await runs.start([loading, unreachable], 'true');
	await expect.poll(runs.underWay).toBeUndefined();
	expect(run.rows.get().map(({id, state, problem}) => [id, state, problem])).toEqual([
		[7, 'failed', 'it is loading'],
		[8, 'failed', 'the service names no way in'],
	]);
	expect(runs.last.get()).toBe(run);
	expect(asked).toEqual([undefined]);
});

test('a run that cannot begin fails, and the one before stays the last', async () => {
	const {runs} = world(async () => {
		throw new Error('no room');
	});
	await expect(runs.start([loading], 'true')).rejects.toThrow('no room');
	expect(runs.last.get()).toBeUndefined();
});
