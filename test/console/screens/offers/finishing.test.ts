import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore, settingsWithIds} from '../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

test('what a small screen has no room for in the detail is scrolled to', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 48, rows: 16});
	await rentty.sees('1 of ');
	rentty.type('\r');
	const first = await rentty.sees('WHAT YOU PAY');
	const last = /^ machine \/ host/m;
	expect(first).not.toMatch(last);
	rentty.type('\u001B[6~'.repeat(20));
	expect(await rentty.sees(last)).not.toContain('WHAT YOU PAY');
	rentty.type('k'.repeat(200));
	await rentty.sees('WHAT YOU PAY');
});

test('a wide screen names what is saved and what is watched', async () => {
	await using market = await openTestMarket({offers: 60});
	const settings = createSettingsStore({
		...defaultSettings,
		searches: [
			{name: 'pairs', words: '4090 x2'},
			{name: 'eu', words: 'eu'},
		],
		watches: [{words: '4090', below: 0.28}],
	});
	await using rentty = openTestConsole({service: market, settings, columns: 140, rows: 40});
	await rentty.sees('saved [pairs] [eu]   price incl. 40G disk');
	await rentty.sees(/WATCH {2}4090 below \$0\.28\/h +not asked yet/);
	rentty.type('/eu\r');
	await rentty.sees('saved [pairs] [eu*]');
});

test('y copies the number of an offer, and a comparison as a table', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, settings: settingsWithIds()});
	const id = /^> *(\d+)/m.exec(await rentty.sees('1 of '))?.[1] ?? '';
	const copied = () => {
		const last = rentty.written().split('\u001B]52;c;').at(-1) ?? '';
		return Buffer.from(last.split('\u0007')[0] ?? '', 'base64').toString('utf8');
	};
	rentty.type('y');
	await expect.poll(copied).toBe(id);
	rentty.type(' j =');
	await rentty.sees('compare 2');
	rentty.type('y');
	await expect.poll(copied).toMatch(new RegExp(`^offer\t${id}\t\\d+\n.*ALL-IN`));
});

const titles = (frame: string) => /^ +GPU .*$/m.exec(frame)?.[0];

test('a word shows the column that it is about, and no others', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	const usual = titles(await rentty.sees('1 of '));
	rentty.type('/all-in<1 x1..4 price<1\r');
	expect(titles(await rentty.sees('price<1'))).toBe(usual);
	rentty.type('/ vcpu>4\r');
	expect(titles(await rentty.sees('vcpu>4'))).toContain('VCPU');
});

test('where no word is to blame, what the disk keeps away is said', async () => {
	await using market = await openTestMarket({offers: 60});
	const settings = createSettingsStore({...defaultSettings, diskGb: 900_000});
	await using rentty = openTestConsole({service: market, settings});
	const frame = await rentty.sees('does not help');
	expect(frame).toContain('For a smaller disk than 900000G there is: 35 offers');
});
