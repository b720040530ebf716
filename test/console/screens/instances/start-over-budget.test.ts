import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {openTestConsole} from '../../../helpers/console.ts';
import {openFleetMarket} from '../../../helpers/fleet.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';

test('a start over the budget asks for its sum, and y is not enough', async () => {
	await using market = await openFleetMarket();
	const spend = {askOverPerHour: null, fleetMaxPerHour: 0.5};
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	await using rentty = openTestConsole({
		service: market,
		columns: 120,
		now: () => new Date((now += 10)),
		settings: createSettingsStore({...defaultSettings, spend}),
	});
	rentty.type('2');
	await rentty.sees(/old-run.*4 instances|4 instances.*old-run/s);
	rentty.type('G');
	await rentty.sees(/> old-run/);
	rentty.type('S');
	const review = await rentty.sees(/START.*old-run/s);
	expect(review).toMatch(
		/Budget +With this all that is rented may cost \$0\.\d+\/h, over your budget/,
	);
	const [sentence = ''] = /spend \$[\d.]+\/h/.exec(review) ?? [];
	const intended = async () => {
		const found = market.database.selectFrom('instances').select('intended');
		return (await found.where('id', '=', market.stopped.id).executeTakeFirstOrThrow()).intended;
	};
	now += 1000;
	rentty.type('y');
	rentty.type('\r');
	await rentty.sees('nothing was changed');
	expect(await intended()).toBe('stopped');
	rentty.type('\u007F');
	for (const letter of sentence) rentty.type(letter);
	rentty.type('\r');
	await expect.poll(intended).toBe('running');
});
