import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';
import {openTestConsole} from '../helpers/console/console.ts';

test('looks that are set anew are drawn anew, at once', async () => {
	const settings = createSettingsStore(defaultSettings);
	await using rentty = openTestConsole({settings});
	await rentty.sees('-----');
	settings.change({glyphs: 'unicode'});
	expect(await rentty.sees('─────')).not.toContain('-----');
});

test('of two buttons only the one that Enter presses is marked', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees(/stuck.*1 of 4/s);
	rentty.type('X');
	const shown = (await rentty.sees('[ Destroy ]')).split('\n');
	const row = shown.findIndex(line => line.includes('[ Destroy ]'));
	const isMarked = (text: string) =>
		rentty.emulator.buffer.active
			.getLine(row)
			?.getCell(shown[row]?.indexOf(text) ?? 0)
			?.isInverse() !== 0;
	expect([isMarked('[ Cancel ]'), isMarked('[ Destroy ]')]).toEqual([true, false]);
});
