import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {applyList, noteGone} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {followDoubles} from '../../../source/renter/orders/doubles.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {listOf, lookAt} from '../../helpers/fleet/looks.ts';

test('a console tells of a double once it is listed, and not again while nothing else comes', async () => {
	const state = createStore(unseenFleet);
	const said: string[] = [];
	let [asked, minutes] = [0, 0];
	const doubles = async (instances: readonly Instance[]) => {
		asked += 1;
		return {certain: instances.filter(({id}) => id === 8), perhaps: []};
	};
	followDoubles({
		fleet: {state},
		client: async () => ({pendingRents: {doubles}}),
		notify: {send: ({text}) => said.push(text) > 0},
	});
	const sees = async (...ids: readonly number[]) => {
		const list = listOf(ids.map(id => ({id, actual_status: 'running', dph_total: 0.4})));
		state.set(applyList(state.get(), list, lookAt((minutes += 1))));
		await new Promise(setImmediate);
	};
	await sees(7);
	expect(said).toEqual([]);
	await sees(7, 8);
	await sees(7, 8);
	const text =
		'The service made 8 of the same order, which costs $0.4000/h more: rentty destroy 8 ends it.';
	expect([said, asked]).toEqual([[text], 2]);
	state.set(noteGone(state.get(), 8, lookAt((minutes += 1))));
	await new Promise(setImmediate);
	await sees(7, 9);
	expect(said).toEqual([text]);
});
