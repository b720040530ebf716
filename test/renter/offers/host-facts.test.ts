import {expect, test} from 'vitest';
import {
	dayOf,
	unknownHost,
	bootFacts,
	curveOf,
	historyInShort,
	lastEarlierPrice,
} from '../../../source/renter/offers/host-history.ts';
import type {DatedPrice} from '../../../source/renter/offers/host-history.ts';

const now = new Date('2026-11-21T12:00:00Z');
const today = dayOf(now);
const at = Date.UTC(2026, 10, 2);

test('boots are told with how long they took, and those that got stuck first', () => {
	const boots = [110, 125.4].map(seconds => ({at, seconds}));
	const stuck = [{at, seconds: 600}];
	expect(historyInShort(undefined)).toBe('-');
	expect(historyInShort(unknownHost)).toBe('-');
	expect(historyInShort({...unknownHost, boots})).toBe('2 ok, 2:05');
	expect(historyInShort({...unknownHost, boots, stuck})).toBe('1 stuck 11-02, 2 ok, 2:05');
	expect(bootFacts({...unknownHost, boots, stuck})).toEqual([
		['stuck', '1, last 2026-11-02'],
		['boots', '2 ok: 1:50, 2:05'],
	]);
	expect(bootFacts(unknownHost)).toEqual([]);
});

test('a moment that no calendar has breaks nothing', () => {
	expect(historyInShort({...unknownHost, stuck: [{at: 1e300, seconds: 1}]})).toBe('1 stuck -');
});

test('the last price is the one before today', () => {
	const prices: readonly DatedPrice[] = [
		[today - 9, 0.28],
		[today - 3, 0.289],
		[today, 0.2955],
	];
	expect(lastEarlierPrice(prices, now)).toEqual({dollars: 0.289, daysAgo: 3});
	expect(lastEarlierPrice([[today, 0.3]], now)).toBeUndefined();
	expect(lastEarlierPrice(undefined, now)).toBeUndefined();
});

test('the curve has a character a day, low ones at the bottom, and blanks where nothing was seen', () => {
	const days = [0.28, 0.28, undefined, 0.29, 0.3, 0.31].flatMap((price, day): DatedPrice[] =>
		price === undefined ? [] : [[today - 5 + day, price]],
	);
	expect(curveOf(days, now)).toBe('__ .-^');
	expect(curveOf([[today, 0.3]], now)).toBe('_');
	expect(curveOf([], now)).toBe('');
	expect(curveOf([[today - 1_000_000, 0.3]], now)).toBe('');
});
