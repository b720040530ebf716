import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {lookAtAll} from '../../../source/renter/fleet/fleet-looks.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {createNextChange} from '../../../source/renter/alerts/fleet-alerts.ts';
import type {Event} from '../../../source/renter/words/alert.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {listOf, lookAt} from '../../helpers/looks.ts';

const is = (status: string, id = 7): Instance => ({id, label: 'train-a', actual_status: status});

/** A fleet that is looked at every minute, and what is told of it. */
function openAsked() {
	const state = createStore(unseenFleet);
	const told: Event[] = [];
	const asked = createNextChange(
		{state},
		{
			tell: event => told.push(event) > 0,
			alert: () => true,
			setTrouble: () => undefined,
		},
	);
	let minute = 0;
	return {
		...asked,
		texts: () => told.map(({text}) => text),
		states: () => new Set(told.map(event => event.state)),
		look(...instances: readonly Instance[]) {
			minute += 1;
			state.set(lookAtAll(state.get(), listOf(instances), lookAt(minute)));
		},
	};
}

test('the next change of an instance is told to whoever asked for it, once', () => {
	const asked = openAsked();
	asked.look(is('loading'), is('loading', 8));
	expect(asked.toggle(7)).toBe(true);
	asked.look(is('loading'), is('loading', 8));
	expect(asked.texts()).toEqual([]);
	asked.look(is('running'), is('running', 8));
	expect(asked.texts()).toEqual(['train-a (7) was loading, and is now running.']);
	expect(asked.isAsked(7)).toBe(false);
	asked.look(is('exited'), is('exited', 8));
	expect(asked.texts()).toHaveLength(1);
});

test('asked twice is not asked, and asked anew is told even of the same state', () => {
	const asked = openAsked();
	asked.look(is('loading'));
	asked.toggle(7);
	expect(asked.toggle(7)).toBe(false);
	asked.look(is('running'));
	expect(asked.texts()).toEqual([]);
	asked.toggle(7);
	asked.look(is('loading'));
	asked.look(is('running'));
	asked.toggle(7);
	asked.look(is('loading'));
	// Each has a name of its own, so that what tells each thing once tells it again.
	expect(asked.states().size).toBe(2);
});
