import {expect, test} from 'vitest';
import type {Report} from '../../../source/contract/nouns/host-work.ts';
import {createMachines} from '../../../source/host/simulated/machines.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';

function openMachines() {
	const scheduler = createHandScheduler();
	const told: Report[] = [];
	return {...createMachines(report => told.push(report), scheduler), scheduler, told};
}

test('what happens on a machine that cannot be heard is told when it is back', async () => {
	const {fallIll, report, unwell, scheduler, told} = openMachines();
	fallIll(1, 'silent', 60);
	expect([...unwell()]).toEqual([[1, 'silent']]);
	report(1, {instance_id: 7, boot: 1, status: 'loading', status_msg: '10%'});
	report(1, {instance_id: 7, boot: 1, status: 'loading', status_msg: '20%'});
	report(1, {instance_id: 7, boot: 1, status: 'running'});
	report(2, {instance_id: 8, boot: 1, status: 'running'});
	expect(told).toEqual([{instance_id: 8, boot: 1, status: 'running'}]);
	await scheduler.pass(61);
	expect(told.slice(1)).toEqual([
		{instance_id: 7, boot: 1, status: 'loading', status_msg: '20%'},
		{instance_id: 7, boot: 1, status: 'running'},
	]);
	expect(unwell().size).toBe(0);
	report(1, {instance_id: 7, boot: 1, status: 'exited'});
	expect(told).toHaveLength(4);
});

test('a machine that cannot be heard does not fall ill again', async () => {
	const {fallIll, unwell, scheduler} = openMachines();
	fallIll(1, 'away', 60);
	fallIll(1, 'silent', 600);
	expect(unwell().get(1)).toBe('away');
	await scheduler.pass(61);
	expect(unwell().size).toBe(0);
});

test('closing leaves nothing planned', () => {
	const {fallIll, close, scheduler} = openMachines();
	fallIll(1, 'away', 60);
	fallIll(2, 'silent', 60);
	close();
	expect(scheduler.planned()).toBe(0);
});
