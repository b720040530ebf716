import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';
import {openTestConsole} from '../helpers/console.ts';

test('looks that are set anew are drawn anew, at once', async () => {
	const settings = createSettingsStore(defaultSettings);
	await using rentty = openTestConsole({settings});
	await rentty.sees('-----');
	settings.change({glyphs: 'unicode'});
	expect(await rentty.sees('─────')).not.toContain('-----');
});
