import {expect, test} from 'vitest';
import {printFilter} from '../../../../../source/contract/filter.ts';
import {parseLine} from '../../../../../source/renter/offers/words/parse.ts';
import {defaultSettings} from '../../../../../source/renter/settings/default-settings.ts';
import {searchOfWords} from '../../../../../source/console/screens/offers/asked.ts';
import {addedConditions} from '../../../../../source/console/screens/offers/query/preview.ts';
import {defaultSearch} from '../../../../../source/console/screens/offers/search.ts';

function added(before: string, now: string) {
	const search = searchOfWords({parsed: parseLine(before)}, defaultSearch(defaultSettings));
	const filter = addedConditions(search, parseLine(now));
	return filter === undefined ? undefined : printFilter(filter);
}

test('words that narrow the list are tested on its rows', () => {
	expect(added('', '4090 x4')).toEqual({gpu_name: {eq: 'RTX 4090'}, num_gpus: {eq: 4}});
	expect(added('4090', 'x2 4090')).toEqual({num_gpus: {eq: 2}});
	expect(added('', '4090 unfinishe')).toEqual({gpu_name: {eq: 'RTX 4090'}});
});

test('words that widen it, change it, or are about what was not sent, are left to the service', () => {
	expect(added('', '')).toBeUndefined();
	expect(added('4090', 'x2')).toBeUndefined();
	expect(added('', '4090 verified=any')).toBeUndefined();
	expect(added('', '4090 bid')).toBeUndefined();
	expect(added('', 'cpu_name=Xeon')).toBeUndefined();
	expect(added('', 'rented=yes')).toBeUndefined();
});

test('without words the list asks for exactly what was kept from last time', () => {
	const usual = defaultSearch(defaultSettings);
	const search = searchOfWords({parsed: parseLine('')}, usual);
	expect(JSON.stringify(search)).toBe(JSON.stringify(usual));
});
