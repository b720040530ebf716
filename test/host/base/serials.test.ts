import {expect, test} from 'vitest';
import {volumeSerialsIn} from '../../../source/host/base/serials.ts';
import {openFolder} from '../../helpers/folder.ts';

test('a volume makes room for another one with its id, and for none but that', async () => {
	using folder = openFolder();
	const removed: number[] = [];
	const trouble: {failure?: Error} = {};
	const remove = async (id: number) => {
		if (trouble.failure !== undefined) throw trouble.failure;
		removed.push(id);
	};
	const open = () => volumeSerialsIn(folder.path, remove);
	const serials = open();
	await serials.replaceOther({volume_id: 3});
	await serials.replaceOther({volume_id: 3, serial: 'one'});
	await open().replaceOther({volume_id: 3, serial: 'one'});
	await serials.replaceOther({volume_id: 3});
	expect(removed).toEqual([]);
	trouble.failure = new Error('it is in use');
	const another = {volume_id: 3, serial: 'another'};
	await expect(serials.replaceOther(another)).rejects.toThrow('cannot be removed');
	await expect(serials.replaceOther(another)).rejects.toThrow('cannot be removed');
	delete trouble.failure;
	await Promise.all([serials.replaceOther(another), serials.replaceOther(another)]);
	expect(removed).toEqual([3]);
	await serials.remove(3);
	await serials.replaceOther({volume_id: 3, serial: 'third'});
	expect(removed).toEqual([3, 3]);
});
