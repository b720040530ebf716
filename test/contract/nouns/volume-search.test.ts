import {expect, test} from 'vitest';
import {
	anyVolumeOffers,
	parseVolumeSearch,
	printVolumeSearch,
} from '../../../source/contract/nouns/volume-search.ts';

test('a search that says nothing asks for anything', () => {
	expect(parseVolumeSearch({})).toEqual(anyVolumeOffers);
	const nulls = {order: null, limit: null, allocated_storage: null, verified: null};
	expect(parseVolumeSearch(nulls)).toEqual(anyVolumeOffers);
	expect(parseVolumeSearch({owner: 'me', client_id: 'me'})).toEqual(anyVolumeOffers);
});

test('a search is read back as it was written', () => {
	const search = parseVolumeSearch({
		reliability2: {gt: '0.9'},
		cuda_vers: {gte: '12.4'},
		driver_version: {gte: '535.86.05'},
		order: [['reliability2', 'desc'], ['disk_space']],
		limit: '5',
		allocated_storage: '1.0',
	});
	expect(search).toEqual({
		filter: [
			{field: 'reliability', operator: 'gt', value: 0.9},
			{field: 'cuda_max_good', operator: 'gte', value: 12.4},
			{field: 'driver_version', operator: 'gte', value: 535_086_005},
		],
		order: [
			['reliability', 'desc'],
			['disk_space', 'asc'],
		],
		limit: 5,
		sizeGb: 1,
	});
	expect(parseVolumeSearch(printVolumeSearch(search))).toEqual(search);
});
