import {expect, test} from 'vitest';
import {drawnBytes} from '../helpers/console/terminal-bytes.ts';
import {openTestConsole} from '../helpers/console/console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openTestMarket} from '../helpers/market/market.ts';

test('a key that comes in one go with another acts on what that has opened', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	// The second closes what the first has opened.
	rentty.type('bbj');
	expect(await rentty.sees('2 of ')).not.toContain('SAVED SEARCHES');
	rentty.type('jj\r');
	expect(await rentty.sees('WHAT YOU PAY')).toContain('4 of ');
	rentty.type('qj');
	await rentty.sees('5 of ');
});

test('a key waits for what is opened without a store, too', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	// Opens the columns, leaves them, and moves in the list.
	rentty.type('Wqj');
	expect(await rentty.sees('2 of ')).toContain('ALL-IN');
});

test('what is pasted in one go with the key that opens a field goes into the field', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('/\u001B[200~4090\u001B[201~ x4\r');
	await rentty.sees('filter> gpu=RTX_4090 qty=4');
});

test('keys that come in one go with leaving for the shell are not acted on', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type('j\u001Aq');
	await expect.poll(rentty.stops).toBe(1);
	rentty.terminal.resume();
	rentty.type('j');
	await rentty.sees('3 of ');
});

test('a long burst of moves ends where they lead, and before the key behind them', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type(`${'j'.repeat(500)}${'k'.repeat(9)}\r`);
	expect(await rentty.sees('WHAT YOU PAY')).toMatch(/26 of 35/);
});

test('moves that come in one go are drawn once, where they end', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	const bytesOf = async (keys: string, seen: string) => {
		const before = rentty.written().length;
		rentty.type(keys);
		await rentty.sees(seen);
		return rentty.written().length - before;
	};
	const one = await bytesOf('jj', '3 of ');
	expect(await bytesOf('jjjjjjjjjj', '13 of ')).toBeLessThan(2 * one);
});

test('the whole row under the cursor stands out for less than 300 bytes a move', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	const moves = [
		['j', '2 of 4'],
		['j', '3 of 4'],
		['j', '4 of 4'],
		['k', '3 of 4'],
		['k', '2 of 4'],
	] as const;
	const bytes: number[] = [];
	for (const [key, seen] of moves) {
		const start = rentty.written().length;
		rentty.type(key);
		// oxlint-disable-next-line no-await-in-loop -- each move begins where the last one ended
		await rentty.sees(seen);
		bytes.push(drawnBytes(rentty.written().slice(start)));
	}
	// The clock and a poll are drawn beside some of them.
	expect(Math.min(...bytes)).toBeLessThan(300);
});
