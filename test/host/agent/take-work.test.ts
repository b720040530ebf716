import {openWorld} from '../../helpers/host/agent-world.ts';
import {expect, test} from 'vitest';
import {NetworkError} from '../../../source/client/exchange/errors.ts';
import {folderInside} from '../../../source/host/inside/inside.ts';
import {openDesk} from '../../helpers/host/market-desk.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openNotes, workOf} from '../../helpers/host/host.ts';
import {waitFor} from '../../helpers/wait-for.ts';

const away = new NetworkError('reach the market', new Error('away'));
const volume = {volume_id: 3, machine_id: 1, wanted: 'kept', size: 5} as const;

test('work is done as it comes', async () => {
	await using world = await openWorld();
	world.want(workOf());
	await world.scheduler.until(() => world.steps.length === 1);
	world.want(workOf({wanted: 'stopped'}));
	await world.scheduler.until(() => world.steps.length === 2);
	world.want(workOf({wanted: 'gone'}));
	await world.scheduler.until(() => world.steps.length === 3);
	expect(world.steps).toEqual(['start 7 boot 1', 'stop 7', 'remove 7']);
	expect(world.said.takes.slice(0, 4)).toEqual([0, 0, 1, 2]);
});

test('an agent that starts again goes on with what is there and removes what is not wanted', async () => {
	const held = {boot: 1, container: 1, isStarted: true};
	const desk = openDesk();
	desk.want(workOf());
	desk.want(workOf({instance_id: 9, wanted: 'gone'}));
	const ids = [7, 8, 9];
	await using world = await openWorld({desk, notes: openNotes(new Map(ids.map(id => [id, held])))});
	await world.scheduler.until(() => world.steps.length === 2);
	await world.scheduler.pass(60);
	expect(world.steps.toSorted()).toEqual(['remove 8', 'remove 9']);
});

test('a market that counts anew is asked for everything', async () => {
	await using world = await openWorld();
	world.want(workOf());
	world.want(workOf({instance_id: 8}));
	await world.scheduler.until(() => world.steps.length === 2);
	world.lose();
	world.want(workOf({instance_id: 8}));
	await world.scheduler.until(() => world.steps.length === 3);
	await world.scheduler.pass(60);
	expect(world.steps.slice(2)).toEqual(['remove 7']);
});

test('a market that was restored, and whose count has caught up by the next poll, is asked for everything', async () => {
	await using world = await openWorld();
	world.want(workOf());
	world.want(workOf({instance_id: 8}));
	await world.scheduler.until(() => world.steps.length === 2);
	world.trouble.failure = away;
	world.wake();
	await world.scheduler.pass(60);
	world.lose();
	world.want(workOf({instance_id: 9}));
	world.want(workOf({instance_id: 8, wanted: 'stopped'}));
	world.want(workOf({instance_id: 10}));
	delete world.trouble.failure;
	await world.scheduler.until(() => world.steps.length === 6);
	expect(world.steps.slice(2).toSorted()).toEqual([
		'remove 7',
		'start 10 boot 1',
		'start 9 boot 1',
		'stop 8',
	]);
});

test('volumes are kept and removed, and come before the instances that use them', async () => {
	const desk = openDesk();
	desk.want(workOf());
	desk.keep(volume);
	await using world = await openWorld({desk});
	await world.scheduler.until(() => world.steps.length === 2);
	world.keep({...volume, wanted: 'gone'});
	await world.scheduler.until(() => world.steps.length === 3);
	expect(world.steps).toEqual(['keep volume 3', 'start 7 boot 1', 'remove volume 3']);
});

test('a volume that was deleted while no agent was there is removed', async () => {
	const desk = openDesk();
	desk.keep(volume);
	const notes = openNotes();
	notes.state.volumes = [2, 3];
	await using world = await openWorld({desk, notes});
	await world.scheduler.until(() => world.steps.length === 2);
	await world.scheduler.pass(60);
	expect(world.steps).toEqual(['keep volume 3', 'remove volume 2']);
});

test('a volume that cannot be removed at first is removed later, unless it is wanted again', async () => {
	await using world = await openWorld();
	world.state.failure = new Error('it is in use');
	world.keep({...volume, volume_id: 3, wanted: 'gone'});
	world.keep({...volume, volume_id: 4, wanted: 'gone'});
	await world.scheduler.until(() => world.steps.length > 4);
	expect(world.log).toContain('Could not remove volume 3: it is in use. Trying again.');
	world.keep({...volume, volume_id: 4});
	await world.scheduler.until(() => world.steps.includes('keep volume 4'));
	delete world.state.failure;
	world.steps.length = 0;
	await world.scheduler.pass(60);
	expect(world.steps).toEqual(['remove volume 3']);
});

test('a copy into a volume has ended before the volume is removed', async () => {
	using folder = openFolder();
	const notes = openNotes();
	const files = {
		address: '127.0.0.1',
		async inside() {
			notes.steps.push('enter volume 3');
			return folderInside(folder.path);
		},
	};
	const open: typeof notes.open = tell => ({...notes.open(tell), files});
	await using world = await openWorld({notes: {...notes, open}});
	const copy = {id: 1, target: volume, path: '/', source_path: '/'};
	world.copy({...copy, wanted: 'done'});
	await waitFor(async () => {
		await world.scheduler.pass(0.25);
		expect(world.steps).toEqual(['enter volume 3']);
	});
	world.keep({...volume, wanted: 'gone'});
	world.copy({...copy, wanted: 'gone'});
	await waitFor(async () => {
		await world.scheduler.pass(0.25);
		expect(world.steps).toContain('remove volume 3');
	});
	await world.scheduler.pass(1);
	expect(world.steps).toEqual(['enter volume 3', 'enter volume 3', 'remove volume 3']);
});
