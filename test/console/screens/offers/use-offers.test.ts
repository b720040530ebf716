import {expect, test} from 'vitest';
import {settingsWithIds} from '../../../helpers/settings-store.ts';
import {printFilter} from '../../../../source/contract/grammar/filter.ts';
import {parseLine} from '../../../../source/renter/offers/words/parse.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {searchOfFilter} from '../../../../source/console/screens/offers/query/query.ts';
import {addedConditions} from '../../../../source/console/screens/offers/use-offers.ts';
import {defaultSearch} from '../../../../source/console/screens/offers/search.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

function added(before: string, now: string) {
	const search = searchOfFilter({parsed: parseLine(before)}, defaultSearch(defaultSettings));
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
	const search = searchOfFilter({parsed: parseLine('')}, usual);
	expect(JSON.stringify(search)).toBe(JSON.stringify(usual));
});

/** The rows of offers on a screen. */
function offersOn(screen: string): readonly string[] {
	return screen.split('\n').filter(line => /^[> ] ?\d{8} /.test(line));
}

async function openList(size: {readonly columns?: number; readonly rows?: number} = {}) {
	const market = await openTestMarket({offers: 60});
	const rentty = openTestConsole({service: market, ...size, settings: settingsWithIds()});
	await rentty.sees('1 of 35');
	return {
		rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

for (const [columns, rows] of [
	[80, 24],
	[140, 40],
] as const) {
	test(`the cursor is on the first offer of the words while they are typed, at ${columns}x${rows}`, async () => {
		await using list = await openList({columns, rows});
		const {rentty} = list;
		rentty.type('G');
		await rentty.sees('35 of 35');
		rentty.type('/h200');
		const [dear = ''] = offersOn(await rentty.sees('gpu=H200'));
		expect(dear).toMatch(/^>/);
		rentty.type(',5090');
		const typed = offersOn(await rentty.sees('gpu=H200,RTX_5090'));
		// The offer that had the cursor is not the best any more: the cursor does not go with it.
		expect(typed.findIndex(line => line.slice(1, 11) === dear.slice(1, 11))).toBeGreaterThan(0);
		expect(typed.findIndex(line => line.startsWith('>'))).toBe(0);
		rentty.type('\u0015rtx 5090');
		const joined = offersOn(await rentty.sees(/rtx 5090_.*gpu=RTX_5090/s));
		expect(joined.length).toBeGreaterThan(1);
		expect(joined.findIndex(line => line.startsWith('>'))).toBe(0);
	});
}
