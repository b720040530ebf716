import {expect, test} from 'vitest';
import {fleetTexts, hoursText} from '../../../source/renter/fleet/fleet-texts.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {atMinute, listOf, lookAt} from '../../helpers/fleet/looks.ts';

test.each([
	[12.5, 26.9, '12-26h'],
	[12.1, 12.9, '12h'],
	[0.7, 0.75, '42-45m'],
	[0.5, 0.5, '30m'],
	[0.99, 2, '59m-2h'],
	[0, 0, '0m'],
	[3448.3, 3448.9, '143d'],
	[0.25, Infinity, '15m or more'],
	[35, Infinity, '35h or more'],
])('credit for %d to %d hours lasts %s', (least, most, written) => {
	expect(hoursText({least, most})).toBe(written);
});

test.each([
	[0.0042, 1000, '$0.004/h', '$1,000.00'],
	[0.0001, 0.003, '<$0.001/h', '<$0.01'],
	[1.25, -3.2, '$1.25/h', '-$3.20'],
	[0, -0.000_01, '$0.00/h', '$0.00'],
])('what costs %d an hour, with a credit of %d, is never written as free', (...given) => {
	const [perHour, credit, burn, left] = given;
	const instance = {id: 1, actual_status: 'running', dph_total: perHour};
	const words = fleetTexts({...applyList(unseenFleet, listOf([instance]), lookAt(0)), credit});
	expect(words.burn).toBe(burn);
	expect(words.credit).toBe(left);
});

test('a lease that nobody keeps counts as without an end', () => {
	const instance = {id: 1, actual_status: 'running', dph_total: 1, label: 'a [lease1 i900 td]'};
	const words = (keepers: string) =>
		fleetTexts(applyList(unseenFleet, listOf([instance]), {...lookAt(0), keepers: () => keepers}))
			.endless;
	expect(words('-?-')).toBe('1 without an end $1.00/h');
	expect([words('?G-'), words('.--')]).toEqual(['', '']);
});

test.each([
	[0, ''],
	[9, ''],
	[10, '10 min ago'],
	[61, '61 min ago'],
])('money that is %d minutes older than the list says "%s"', (minutes, said) => {
	const instance = {id: 1, actual_status: 'running', dph_total: 1};
	const seen = applyList(unseenFleet, listOf([instance]), lookAt(100));
	const words = fleetTexts({...seen, credit: 5, moneyAt: atMinute(100 - minutes)});
	expect(words.moneyAge).toBe(said);
});
