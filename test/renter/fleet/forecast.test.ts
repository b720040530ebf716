import {expect, test} from 'vitest';
import {forecastOf} from '../../../source/renter/fleet/forecast.ts';
import {fleetRow} from '../../helpers/fleet/fleet-rows.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const HOUR = 3_600_000;
const inHours = (hours: number) => NOW / 1000 + hours * 3600;

/** An instance of two dollars an hour, with a lease in its label. */
const leased = (id: number, lease: string, more: object = {}) =>
	fleetRow(
		{id, label: `run [lease1 ${lease}]`, dph_total: 2, storage_total_cost: 0.1, ...more},
		{now: NOW},
	);

test.each([
	['a deadline ends it', leased(1, `e${inHours(3)} td`), [6, 6]],
	['a stop leaves its disk', leased(1, `e${inHours(3)} ts`), [6.7, 6.7]],
	['it may idle before', leased(1, `e${inHours(3)} i1800 td`), [1, 6]],
	['nothing ends it', fleetRow({id: 1, dph_total: 2}, {now: NOW}), [20, 20]],
	[
		'its limit ends it, of which two are spent',
		leased(1, 'c5 td', {start_date: NOW / 1000 - 3600}),
		[3, 3],
	],
	['its end is late', leased(1, `e${inHours(-1)} td`), [0, 20]],
	[
		'it boots',
		fleetRow({id: 1, actual_status: 'loading', dph_total: 2, storage_total_cost: 0.1}, {now: NOW}),
		[1, 20],
	],
])('over ten hours, where %s', (_, row, [least, most]) => {
	const {byLeases} = forecastOf([row], 10 * HOUR);
	expect([byLeases.least, byLeases.most].map(sum => Math.round(sum * 100) / 100)).toEqual([
		least,
		most,
	]);
});

test('if nothing ends, all goes on at its present price; what is gone costs nothing', () => {
	const gone = {...leased(3, 'td'), condition: 'gone'} as const;
	const rows = [leased(1, `e${inHours(1)} td`), fleetRow({id: 2, dph_total: 3}, {now: NOW}), gone];
	const {ifNothingEnds, unpriced, hours} = forecastOf(rows, 10 * HOUR);
	expect([ifNothingEnds, unpriced, hours]).toEqual([50, 0, 10]);
});

test('an instance without a price is counted, and in no sum', () => {
	expect(forecastOf([fleetRow({id: 1})], HOUR)).toMatchObject({unpriced: 1, ifNothingEnds: 0});
});
