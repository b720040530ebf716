import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {Report} from '../../../source/contract/nouns/host-work.ts';
import {createReconciler} from '../../../source/host/agent/reconciler.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openNotes, workOf} from '../../helpers/host/host.ts';

function openKeeper() {
	const scheduler = createHandScheduler();
	const notes = openNotes();
	const told: Report[] = [];
	const log: string[] = [];
	const {signal} = new AbortController();
	const patience = {scheduler, random: () => 0, log: (line: string) => log.push(line), signal};
	const reconciler = createReconciler(notes.runtime, report => told.push(report), patience);
	return {...reconciler, ...notes, scheduler, told, log};
}

test('what is wanted twice is done once', async () => {
	const {want, steps} = openKeeper();
	want(workOf());
	want(workOf());
	await setImmediate();
	want(workOf());
	await setImmediate();
	expect(steps).toEqual(['start 7 boot 1']);
});

test('what changes during a step counts when the step is done', async () => {
	const {want, steps, state} = openKeeper();
	const step = Promise.withResolvers<void>();
	state.wait = step.promise;
	want(workOf());
	want(workOf({boot: 2}));
	want(workOf({boot: 3, container: 2}));
	await setImmediate();
	expect(steps).toEqual(['start 7 boot 1']);
	step.resolve();
	await setImmediate();
	expect(steps).toEqual(['start 7 boot 1', 'remove 7', 'start 7 boot 3']);
});

test('an instance that is wanted no more while it starts is removed', async () => {
	const {want, steps} = openKeeper();
	want(workOf());
	want(workOf({wanted: 'gone'}));
	await setImmediate();
	expect(steps).toEqual(['start 7 boot 1', 'remove 7']);
});

test('another instance with the id of an earlier one, as of a restored market, is made anew', async () => {
	const {want, steps, refreshed, keys} = openKeeper();
	want(workOf({serial: 'one', api_key: 'first'}));
	await setImmediate();
	want(workOf({serial: 'another', api_key: null}));
	await setImmediate();
	expect(steps).toEqual(['start 7 boot 1', 'remove 7', 'start 7 boot 1']);
	expect(keys).toEqual(['first', undefined]);
	expect(refreshed.map(({serial}) => serial)).not.toContain('another');
});

test('an instance that was started without a serial takes the first one', async () => {
	const {adopt, want, steps} = openKeeper();
	adopt(new Map([[7, {boot: 1, container: 1, isStarted: true}]]));
	want(workOf());
	await setImmediate();
	want(workOf({serial: 'one'}));
	await setImmediate();
	want(workOf());
	want(workOf({serial: 'one', label: 'x'}));
	await setImmediate();
	expect(steps).toEqual([]);
	want(workOf({serial: 'another', wanted: 'stopped'}));
	await setImmediate();
	expect(steps).toEqual(['remove 7']);
});

test('a start that fails is told and tried again until it succeeds', async () => {
	const {want, steps, state, scheduler, told, log} = openKeeper();
	state.failure = new Error('no space left on device');
	want(workOf());
	await scheduler.until(() => steps.length === 3);
	delete state.failure;
	await scheduler.until(() => steps.length === 4);
	await scheduler.pass(60);
	expect(steps).toEqual(Array.from({length: 4}, () => 'start 7 boot 1'));
	expect(told).toHaveLength(3);
	expect(told[0]).toEqual({
		instance_id: 7,
		boot: 1,
		status: 'loading',
		status_msg: 'The host could not start it, and tries again: no space left on device',
	});
	expect(log[0]).toBe('Could not start instance 7: no space left on device. Trying again.');
});

test('what is there from before is kept where it is wanted and removed where it is not', async () => {
	const {adopt, want, keepOnly, steps} = openKeeper();
	const held = {boot: 1, container: 1, isStarted: true};
	adopt(new Map([7, 8, 9].map(id => [id, held])));
	want(workOf());
	want(workOf({instance_id: 8, boot: 2}));
	keepOnly(new Set([7, 8]));
	await setImmediate();
	expect(steps.toSorted()).toEqual(['remove 9', 'start 8 boot 2', 'stop 8']);
});

test('an instance keeps its API key, which the market tells only once', async () => {
	const {want, keys} = openKeeper();
	want(workOf({api_key: 'secret'}));
	await setImmediate();
	want(workOf({api_key: null, boot: 2, container: 2}));
	await setImmediate();
	expect(keys).toEqual(['secret', 'secret']);
});

test('what changes of an instance without a step is told to the runtime', async () => {
	const {adopt, want, steps, refreshed} = openKeeper();
	adopt(new Map([[7, {boot: 1, container: 1, isStarted: true}]]));
	want(workOf({label: 'adopted'}));
	await setImmediate();
	want(workOf({public_keys: ['ssh-ed25519 AAAA']}));
	await setImmediate();
	want(workOf({boot: 2}));
	await setImmediate();
	expect(steps).toEqual(['stop 7', 'start 7 boot 2']);
	expect(refreshed).toMatchObject([{label: 'adopted'}, {public_keys: ['ssh-ed25519 AAAA']}]);
});

test('dropping what is not there does nothing', async () => {
	const {drop, steps} = openKeeper();
	drop(7);
	await setImmediate();
	expect(steps).toEqual([]);
});
