import {expect, test} from 'vitest';
import type {HostTask} from '../../../source/contract/nouns/host-work.ts';
import {logOf, type SimulatedRun} from '../../../source/host/simulated/simulated.ts';
import {trainingLines} from '../../../source/host/simulated/training.ts';
import {HOST_NOW} from '../../helpers/hand-scheduler.ts';
import {workOf} from '../../helpers/host/host.ts';

const task: HostTask = {id: 1, instance_id: 7, kind: 'logs'};
const ran: SimulatedRun = {
	startedAt: HOST_NOW,
	moments: [
		{at: 0, status: 'loading', message: 'Pulling image: ubuntu'},
		{at: 5, status: 'running', message: 'success, running ubuntu/ssh'},
	],
	output: [],
	endedAt: undefined,
};
const work = workOf({onstart: 'echo hi', label: 'mine'});

function linesOf(
	given: Partial<HostTask> = {},
	runs: readonly SimulatedRun[] = [ran],
	seconds = 36,
) {
	const text = logOf({work, runs}, {...task, ...given}, HOST_NOW + seconds);
	return text.split('\n').slice(0, -1);
}

test('a container has written what it said when it began, and what its program said since', () => {
	expect(linesOf()).toMatchInlineSnapshot(`
		[
		  "2026-11-18T11:06:45.000Z Label: mine",
		  "2026-11-18T11:06:45.000Z Server listening on 0.0.0.0 port 22.",
		  "2026-11-18T11:06:45.000Z Server listening on :: port 22.",
		  "2026-11-18T11:06:45.000Z Running onstart",
		  "2026-11-18T11:06:45.000Z onstart: done",
		  "2026-11-18T11:06:48.000Z step 20/24000 loss 4.5757 lr 1.7e-6 115k tok/s",
		  "2026-11-18T11:06:51.000Z step 40/24000 loss 4.5476 lr 3.3e-6 116k tok/s",
		  "2026-11-18T11:06:54.000Z step 60/24000 loss 4.6034 lr 5.0e-6 113k tok/s",
		  "2026-11-18T11:06:57.000Z step 80/24000 loss 4.4847 lr 6.7e-6 109k tok/s",
		  "2026-11-18T11:07:00.000Z step 100/24000 loss 4.5750 lr 8.3e-6 108k tok/s",
		  "2026-11-18T11:07:03.000Z step 120/24000 loss 4.4866 lr 1.0e-5 111k tok/s",
		  "2026-11-18T11:07:06.000Z step 140/24000 loss 4.4959 lr 1.2e-5 115k tok/s",
		  "2026-11-18T11:07:09.000Z step 160/24000 loss 4.5106 lr 1.3e-5 116k tok/s",
		  "2026-11-18T11:07:12.000Z step 180/24000 loss 4.4295 lr 1.5e-5 114k tok/s",
		  "2026-11-18T11:07:15.000Z step 200/24000 loss 4.4957 lr 1.7e-5 110k tok/s",
		]
	`);
});

test('a run that is done says so, rests for some minutes, and another begins', () => {
	const lines = trainingLines(7, 0, 4200).map(({at, text}) => ({at, text}));
	const done = lines.findIndex(({text}) => text === 'Training complete.');
	expect(lines.slice(done - 1, done + 2)).toMatchObject([
		{at: 3600, text: 'saved checkpoint checkpoint-24000'},
		{at: 3603},
		{at: 3903},
	]);
});

test('the host has noted down what it did', () => {
	expect(linesOf({daemon_logs: true}, [{...ran, endedAt: HOST_NOW + 30}])).toMatchInlineSnapshot(`
		[
		  "2026-11-18T11:06:40.000Z C.7: start requested",
		  "2026-11-18T11:06:40.000Z C.7: Pulling image: ubuntu",
		  "2026-11-18T11:06:45.000Z C.7: success, running ubuntu/ssh",
		  "2026-11-18T11:07:10.000Z C.7: stopped",
		]
	`);
});

test('lines are those with a text in them, and of those the last', () => {
	expect(linesOf({filter: 'Server listening'})).toHaveLength(2);
	expect(linesOf({filter: 'Server', tail: 1})[0]).toContain(':: port 22');
	expect(linesOf({tail: 0})).toEqual([]);
	expect(linesOf({filter: 'nothing of the kind'})).toEqual([]);
});

test('a container that crashed has written why, and nothing after it', () => {
	const crash = {at: 40, status: 'exited', message: 'Container exited with code 137'} as const;
	const lines = linesOf({}, [{...ran, moments: [...ran.moments, crash]}], 4000);
	expect(lines.filter(line => line.includes('loss'))).toHaveLength(11);
	expect(lines.at(-1)).toContain('code 137');
});

test('one that has not run has written nothing', () => {
	expect(linesOf({}, [{...ran, moments: ran.moments.slice(0, 1)}])).toEqual([]);
	expect(linesOf({}, [])).toEqual([]);
});

test('the log of months is as long as asked, and a thousand lines where nobody says', () => {
	const months = 90 * 86_400;
	expect(linesOf({}, [ran], months)).toHaveLength(1000);
	expect(linesOf({tail: 5000}, [ran], months).length).toBeLessThan(2100);
});
