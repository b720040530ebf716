import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {openTestConsole} from '../helpers/console.ts';
import {openTestMarket} from '../helpers/market.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';

const asked = '\u001B[?1000h\u001B[?1006h';
const left = '\u001B[?1000l\u001B[?1006l';

const wheel = (step: 'up' | 'down') => `\u001B[<${step === 'up' ? 64 : 65};10;10M`;
const click = (column: number, row: number) =>
	`\u001B[<0;${column};${row}M\u001B[<0;${column};${row}m`;

test('the mouse is left to the terminal unless it is asked for', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	expect(rentty.written()).not.toContain(asked);
	// Reports that come all the same move nothing.
	rentty.type(wheel('down') + click(5, 12));
	rentty.type('j');
	await rentty.sees('2 of ');
});

test('where it is asked for, the wheel moves the cursor and a click puts it on a row', async () => {
	await using market = await openTestMarket({offers: 60});
	const settings = createSettingsStore({...defaultSettings, mouse: true});
	await using rentty = openTestConsole({service: market, settings});
	await rentty.sees('1 of ');
	expect(rentty.written()).toContain(asked);
	rentty.type(wheel('down'));
	await rentty.sees('2 of ');
	rentty.type(wheel('up'));
	await rentty.sees('1 of ');
	const lines = (await rentty.shown()).split('\n');
	const first = lines.findIndex(line => line.startsWith('> '));
	rentty.type(click(12, first + 1 + 4));
	await rentty.sees('5 of ');
	settings.change({mouse: false});
	await expect.poll(rentty.written).toContain(left);
});
