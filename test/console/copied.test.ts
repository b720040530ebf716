import {expect, test} from 'vitest';
import {brokenAt} from '../../source/console/ui/notice.tsx';
import {openTestConsole} from '../helpers/console/console.ts';
import {openTestMarket} from '../helpers/market/market.ts';

test('a text that was copied stands below the message, and one too long for that by itself', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees(/1 of /);
	rentty.type('3');
	await rentty.sees('[3 Templates]');
	rentty.type('g');
	await rentty.sees(/^> /m);
	rentty.type('y');
	expect(await rentty.sees('sends no receipt')).toMatch(
		/If paste is empty, select:\n[0-9a-f]{32}$/,
	);
	expect(rentty.written()).toContain('\u001B]52;c;');
	rentty.type('1');
	await rentty.sees(/\[1 Offers\][^]*1 of /);
	expect(await rentty.shown()).not.toContain('receipt');
	rentty.type('J');
	await rentty.sees('"limit"');
	rentty.type('y');
	await rentty.sees(/Esc back$/);
	expect(await rentty.shown()).toMatch(/^.*\n.*\n\{.{79}\n/);
	rentty.type('j');
	await rentty.sees('REQUEST');
});

test('a text is broken where the line is full, and nothing of it is lost', () => {
	expect(brokenAt('abcdefg', 3)).toEqual(['abc', 'def', 'g']);
	expect(brokenAt('a日本é語', 3)).toEqual(['a日', '本é', '語']);
	expect(brokenAt('', 3)).toEqual(['']);
});
