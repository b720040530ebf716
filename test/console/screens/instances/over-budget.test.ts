import {expect, test} from 'vitest';
import {readBudgets} from '../../../../source/renter/leases/budgets.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
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

test.each([
	[
		'beyond it',
		{budgets: readBudgets('[{"perHour": 0.001}]')},
		/With this it costs at least .* more than budgets\.json allows\. Nothing was started\./,
	],
	[
		'whose file cannot be read',
		{budgets: [], problem: 'expected a list'},
		/budgets\.json cannot be read: expected a list\. Nothing was started\./,
	],
] as const)('a start under a budget of budgets.json, %s, is refused', async (_, file, words) => {
	await using market = await openFleetMarket();
	let now = new Date(2026, 10, 21, 12, 41, 7).getTime();
	await using rentty = openTestConsole({
		service: market,
		columns: 140,
		now: () => new Date((now += 10)),
		budgets: () => file,
	});
	rentty.type('2');
	await rentty.sees(/old-run/);
	rentty.type('G');
	await rentty.sees(/> old-run/);
	rentty.type('S');
	await rentty.sees(/START.*old-run/s);
	now += 1000;
	rentty.type('y');
	await rentty.sees(words);
	const found = market.database.selectFrom('instances').select('intended');
	const {intended} = await found.where('id', '=', market.stopped.id).executeTakeFirstOrThrow();
	expect(intended).toBe('stopped');
});

test('a bid over the budget is refused until its sum is typed', async () => {
	await using market = await openFleetMarket();
	const {id} = market.running;
	const changed = market.database.updateTable('instances').set({is_bid: 1, gpu_micros: 200_000});
	await changed.where('id', '=', id).execute();
	const spend = {askOverPerHour: 1, fleetMaxPerHour: null};
	await using rentty = openTestConsole({
		service: market,
		columns: 120,
		settings: createSettingsStore({...defaultSettings, spend}),
	});
	const bid = async () => {
		const found = market.database.selectFrom('instances').select('gpu_micros');
		return (await found.where('id', '=', id).executeTakeFirstOrThrow()).gpu_micros;
	};
	rentty.type('2');
	await rentty.sees(/train-a/);
	rentty.type('/');
	for (const letter of 'train-a') rentty.type(letter);
	rentty.type('\r');
	await rentty.sees(/> train-a/);
	rentty.type(':');
	for (const letter of 'change the bid') rentty.type(letter);
	await rentty.sees(/change the bid/);
	rentty.type('\r');
	await rentty.sees(/Dollars an hour for its GPUs/);
	rentty.type('\u0015');
	for (const letter of '0x2') rentty.type(letter);
	await rentty.sees('A bid is a number from');
	rentty.type('\u0015');
	for (const letter of '2.5') rentty.type(letter);
	await rentty.sees(/This costs \$2\.\d+\/h, over your budget of \$1\.\d+\/h/);
	rentty.type('\r');
	expect(await bid()).toBe(200_000);
	rentty.type('\u0015');
	for (const letter of 'spend 2.5') rentty.type(letter);
	rentty.type('\r');
	await expect.poll(bid).toBe(2_500_000);
});
