import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openTorch} from '../screens/rent/open-rent.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openFleetMarket} from '../../helpers/fleet/fleet.ts';

test('on a screen that came by itself no key counts before it could be read', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.agree();
	const landed = await rentty.sees(/its key: [0-9a-f]/);
	expect(landed).toContain('Rented: instance 1');
	for (const key of 'whoamiY') await rentty.keys(key);
	// Each key waits some turns of the loop: none may still wait when the clock is moved, for then it would count.
	// oxlint-disable-next-line no-await-in-loop -- one turn after the other
	for (let turn = 0; turn < 200; turn++) await setImmediate();
	const same = await rentty.shown();
	expect(same).toContain('Rented: instance 1');
	expect(same).not.toContain('KEY OF');
	expect(same).not.toContain('file>');
	rentty.pass(1000);
	await rentty.keys('Y');
	await rentty.sees('KEY OF INSTANCE 1');
});

test('what was typed before another screen was drawn moves there, and opens no review', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('1');
	await rentty.sees('[1 Offers]');
	for (const key of '2jjx') rentty.type(key);
	await rentty.sees('3 of 4');
	await rentty.sees(/Not done, as other keys came with it/);
	expect(await rentty.shown()).not.toContain('DESTROY');
});
