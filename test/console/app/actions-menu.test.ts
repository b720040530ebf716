import {expect, test} from 'vitest';
import {openFleetConsole} from '../../helpers/fleet-console.ts';
import {openFleetMarket} from '../../helpers/fleet.ts';

test('letters leave those actions that have them, and what is left is chosen', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	await rentty.sees('1 of 4');
	rentty.type('a');
	await rentty.sees('type to find: _');
	rentty.type('label');
	const found = await rentty.sees(/find: label_[^]*> /);
	expect(found).not.toContain('sweep');
	rentty.type('xyz');
	await rentty.sees('No action here is called so.');
	rentty.type('\u0015');
	await rentty.sees('sweep');
	rentty.type('order of trouble q');
	await rentty.sees('order of trouble q_');
	rentty.type('\u001B');
	await rentty.sees(/Enter detail/);
	expect(await rentty.listed()).toHaveLength(4);
});
