import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {openTorch} from './open-rent.ts';

test('what is rented ends as the form says: the market, its label and the review have it', async () => {
	await using rentty = await openTorch();
	expect(await rentty.openForm()).toMatch(/ends +none +NO END/);
	await rentty.keys('g', '\t'.repeat(12));
	await rentty.fill('for 6h then ');
	await rentty.sees('expected one of');
	await rentty.keys('stop before 2m/5m cp -r out /data', '\r', '\u001B[F', 'k', 'k');
	const review = await rentty.review();
	expect(review).toMatch(/Ends +for 6h then stop;/);
	expect(review).toMatch(/Before +cp -r out \/data, 2m at most; if it fails, the end waits 5m/);
	rentty.agree();
	await rentty.sees('Rented: instance');
	const made = await rentty.market.database
		.selectFrom('instances')
		.select(['label', 'settings'])
		.execute();
	expect(made.at(-1)?.label).toMatch(/\[lease1 e\d+ ts b120\/300 rcp%20-r%20out%20%2Fdata\]$/);
	expect(made.at(-1)?.settings).toContain('cp -r out /data');
});

test('a rental without an end begins with an empty field: its "none" is no text to type behind', async () => {
	await using rentty = await openTorch();
	expect(await rentty.openForm()).toMatch(/ends +none +NO END/);
	await rentty.keys('g', '\t'.repeat(12), '\r', 'for 6h', '\r');
	await rentty.sees(/ends +for 6h +YOU/);
});

test('the settings say when rentals end, and a rental without an end says so in the review', async () => {
	const settings = {...defaultSettings, lease: 'idle 30m then destroy'};
	await using rentty = await openTorch({settings});
	expect(await rentty.openForm()).toMatch(/ends +idle 30m then destroy +your settings/);
	expect(await rentty.review()).toMatch(/Ends +idle 30m then destroy/);
	await using endless = await openTorch();
	await endless.openForm();
	expect(await endless.review()).toMatch(/NO END +it costs until you end it/);
});

test('the terms of a template come before those of the settings, and the row says whose they are', async () => {
	await using rentty = await openTorch({settings: {lease: 'for 1h'}});
	const templateLeases = {[rentty.hash]: 'idle 20m then stop'};
	rentty.settings.change({templateLeases});
	expect(await rentty.openForm()).toMatch(/ends +idle 20m then stop +yours for this template/);
	expect(await rentty.review()).toMatch(/Ends +idle 20m then stop/);
});
