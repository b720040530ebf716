import {expect, test} from 'vitest';
import {pauseBeforeLook, shareLooks} from '../../../source/client/rentals/lookout.ts';
import type {Instance} from '../../../source/contract/instance-record.ts';

/** Lists that are answered by hand. */
function openLists() {
	const lists: Array<PromiseWithResolvers<readonly Instance[]>> = [];
	const look = shareLooks(async () => {
		const list = Promise.withResolvers<readonly Instance[]>();
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
	lists[0]?.resolve([{id: 1}]);
	expect(await Promise.all(first)).toEqual([[{id: 1}], [{id: 1}]]);
	await soon();
	expect(lists).toHaveLength(2);
	lists[1]?.resolve([{id: 2}]);
	expect(await Promise.all(second)).toEqual([[{id: 2}], [{id: 2}]]);
});

test('a list that fails is no answer to those who ask after it', async () => {
	const {lists, look} = openLists();
	const first = look();
	await soon();
	const second = look();
	lists[0]?.reject(new Error('no answer'));
	await expect(first).rejects.toThrow('no answer');
	await soon();
	lists[1]?.resolve([]);
	expect(await second).toEqual([]);
});

test('whoever gives up does not keep the others from their list', async () => {
	const {lists, look} = openLists();
	const stop = new AbortController();
	const given = look(stop.signal);
	const other = look();
	await soon();
	stop.abort(new Error('enough'));
	await expect(given).rejects.toThrow('enough');
	lists[0]?.resolve([]);
	expect(await other).toEqual([]);
	await expect(look(stop.signal)).rejects.toThrow('enough');
});

test('the next look is soon at first, and never far', () => {
	expect([0, 1, 2, 3, 4, 5, 50].map(pauseBeforeLook)).toEqual([
		500, 1000, 2000, 4000, 8000, 8000, 8000,
	]);
});
