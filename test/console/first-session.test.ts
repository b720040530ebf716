import {expect, test} from 'vitest';
import {openTestConsole} from '../helpers/console/console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openTestMarket} from '../helpers/market/market.ts';

const welcome = 'r rents, Enter looks; nothing is charged before you press y.';
const marked = 'Marked. Keys then act on all that is marked; U marks none, v marks a range.';

test('in a first session the first mark is explained, once', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, welcome});
	await rentty.sees('1 of ');
	await rentty.sees(welcome);
	rentty.type(' ');
	await rentty.sees(marked);
	await rentty.sees('2 of ');
	rentty.type(' ');
	await rentty.sees('2 marked');
	expect(await rentty.shown()).not.toContain('Marked.');
});

test('in later sessions marks are not explained', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type(' ');
	await rentty.sees('2 of ');
	expect(rentty.written()).not.toContain('Marked.');
});

test('the first instance that is stuck is told with what to do, but not over what is being read', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, welcome});
	await rentty.sees(/x 1\b/);
	expect(await rentty.sees(welcome)).not.toContain('Something is stuck');
	rentty.type('2');
	await rentty.sees('trouble first');
	rentty.type('R');
	await rentty.sees('Something is stuck or dead: 2 shows it; there x destroys one');
});
