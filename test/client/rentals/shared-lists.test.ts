import {expect, test} from 'vitest';
import {pauseBeforeList, shareLists} from '../../../source/client/rentals/match-instance.ts';
import type {InstanceList} from '../../../source/client/nouns/instance-list.ts';
import {listOf} from '../../helpers/fleet/looks.ts';

/** Lists that are answered by hand. */
function openLists() {
	const lists: Array<PromiseWithResolvers<InstanceList>> = [];
	const look = shareLists(async () => {
		const list = Promise.withResolvers<InstanceList>();
		lists.push(list);
		return list.promise;
	});
	return {lists, look};
}

const soon = async () => new Promise(resolve => setImmediate(resolve));

test('those who ask at once get one list, and those who ask meanwhile get the next', async () => {
	const {lists, look} = openLists();
	const first = [look(), look()];
	await soon();
	const second = [look(), look()];
	await soon();
	expect(lists).toHaveLength(1);
	lists[0]?.resolve(listOf([{id: 1}]));
	expect(await Promise.all(first)).toEqual([listOf([{id: 1}]), listOf([{id: 1}])]);
	await soon();
	expect(lists).toHaveLength(2);
	lists[1]?.resolve(listOf([{id: 2}]));
	expect(await Promise.all(second)).toEqual([listOf([{id: 2}]), listOf([{id: 2}])]);
});

test('a list that fails is no answer to those who ask after it', async () => {
	const {lists, look} = openLists();
	const first = look();
	await soon();
	const second = look();
	lists[0]?.reject(new Error('no answer'));
	await expect(first).rejects.toThrow('no answer');
	await soon();
	lists[1]?.resolve(listOf([]));
	expect(await second).toEqual(listOf([]));
});

test('whoever gives up does not keep the others from their list', async () => {
	const {lists, look} = openLists();
	const stop = new AbortController();
	const given = look(stop.signal);
	const other = look();
	await soon();
	stop.abort(new Error('enough'));
	await expect(given).rejects.toThrow('enough');
	lists[0]?.resolve(listOf([]));
	expect(await other).toEqual(listOf([]));
	await expect(look(stop.signal)).rejects.toThrow('enough');
});

test('the next look is soon at first, and never far', () => {
	expect([0, 1, 2, 3, 4, 5, 50].map(pauseBeforeList)).toEqual([
		500, 1000, 2000, 4000, 8000, 8000, 8000,
	]);
});
