import {expect, test} from 'vitest';
import {createGpuRounds} from '../../../source/renter/history/gpu-rounds.ts';
import {openUseHistory} from '../../../source/renter/history/use-history.ts';

const NOON = Date.UTC(2026, 10, 23, 12);

function openRounds(answer: () => Promise<string | undefined>) {
	const clock = {now: NOON};
	const use = openUseHistory(undefined);
	const entered: number[] = [];
	const rounds = createGpuRounds({
		use,
		now: () => clock.now,
		async inside({id}) {
			entered.push(id);
			return answer();
		},
	});
	return {clock, use, entered, rounds};
}

const instances = [
	{id: 1, actual_status: 'running', num_gpus: 8},
	{id: 2, actual_status: 'running', num_gpus: 1},
	{id: 3, actual_status: 'exited', num_gpus: 8},
	{id: 4, actual_status: 'running', num_gpus: 2},
	{id: 5, actual_status: 'running', num_gpus: 4},
];

test('a guard looks at each GPU once a minute, where an instance has several and runs', async () => {
	const {clock, use, entered, rounds} = openRounds(async () => '0, 97, 1024, 66, 684, 81559, 700');
	const {samples} = use.follow(4, NOON);
	for (let second = 0; second <= 60; second += 10) {
		clock.now = NOON + second * 1000;
		rounds.sample(instances);
		await rounds.settle();
	}
	expect(entered).toEqual([1, 4, 5, 1, 4, 5]);
	expect(samples.get().filter(({gpus}) => gpus !== undefined)).toHaveLength(2);
});

test('instances that do not answer hold up no look, and end no guard', async () => {
	const held = Promise.withResolvers<undefined>();
	const {clock, use, entered, rounds} = openRounds(async () => held.promise);
	const {samples} = use.follow(4, NOON);
	rounds.sample(instances);
	clock.now += 120_000;
	rounds.sample(instances);
	expect(entered).toEqual([1, 4]);
	held.reject(new Error('the connection is lost'));
	await rounds.settle();
	expect(entered).toEqual([1, 4, 5]);
	expect(samples.get().filter(({gpus}) => gpus !== undefined)).toEqual([]);
	clock.now += 60_000;
	rounds.sample(instances);
	await rounds.settle();
	expect(entered).toHaveLength(6);
});
