import {expect, test} from 'vitest';
import {openTestConsole} from '../helpers/console/console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openTestMarket} from '../helpers/market/market.ts';

test('whoever leaves is told what goes on costing', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	await rentty.sees(/x 1\b/);
	rentty.type('q');
	expect(await rentty.left).toBe(
		'4 instances go on: $0.24/h (max 0.62), 4 without an end $0.24/h. rentty ps lists them.',
	);
});

test('whoever rents nothing is told nothing', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('No offer');
	rentty.type('q');
	expect(await rentty.left).toBe('');
});
