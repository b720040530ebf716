import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../../source/renter/settings/default-settings.ts';
import type {Settings} from '../../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../../helpers/console/console.ts';
import {openTestMarket} from '../../../../helpers/market/market.ts';

/** The console on a real market, with settings to look into. */
async function openSaved(patch: Partial<Settings> = {}, size = {columns: 80, rows: 24}) {
	const market = await openTestMarket({offers: 60});
	const settings = createSettingsStore({...defaultSettings, ...patch});
	const rentty = openTestConsole({service: market, settings, ...size});
	await rentty.sees(/1 of /);
	return {
		...rentty,
		settings,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** What is below the lines that every screen has. */
function body(shown: string): string {
	return shown.split('\n').slice(4).join('\n');
}

const searches = [
	{name: '4090-cheap', words: '4090 <0.28'},
	{name: 'h100-now', words: 'gpu=H100'},
];
const watches = [{words: '4090', below: 0.28}];

test('the list of what is saved, at 80 columns', async () => {
	await using rentty = await openSaved({searches, watches});
	rentty.type('b');
	const shown = body(await rentty.sees(/below .* cheapest/));
	expect(shown.replace(/(?<=cheapest \$[\d.]+ )[\d:]+/, '12:00')).toMatchInlineSnapshot(`
		"--------------------------------------------------------------------------------
		SAVED SEARCHES AND WATCHES                                    2 saved, 1 watched
		--------------------------------------------------------------------------------
		> 4090-cheap         4090 <0.28
		  h100-now           gpu=H100
		  below $0.28/h      4090                                   cheapest $0.33 12:00













		Enter search  n save  m watch  x remove  Esc close"
	`);
});

test('the list of what is saved, narrow and with nothing in it', async () => {
	await using rentty = await openSaved({}, {columns: 48, rows: 16});
	rentty.type('b');
	expect(body(await rentty.sees('SAVED'))).toMatchInlineSnapshot(`
		"------------------------------------------------
		SAVED SEARCHES AND WATCHES    0 saved, 0 watched
		------------------------------------------------

		 Nothing is saved or watched yet. n saves the
		 present words under a name; m alerts when an
		 offer costs less than a price.




		Enter search  n save  m watch  x remove"
	`);
});

test('a watch is asked for by its price, beside what the cheapest costs now', async () => {
	await using rentty = await openSaved();
	rentty.type('m');
	await rentty.sees('below $/h>');
	rentty.type('cheap');
	await rentty.sees('cheap_');
	rentty.type('\r');
	expect(body(await rentty.sees('is no price'))).toMatchInlineSnapshot(`
		"--------------------------------------------------------------------------------
		SAVED SEARCHES AND WATCHES                                    0 saved, 0 watched
		--------------------------------------------------------------------------------
		 words    every offer
		 below $/h> cheap_
		 "cheap" is no price: expected dollars per hour, like 0.28.
		 cheapest now $0.16/h all-in
		 You are told here, by bell and title, when one costs less, all in. It is
		 looked for every 2 min while rentty runs.










		Enter keep  Esc leave"
	`);
	rentty.type('\u0015$.28\r');
	await rentty.sees('Watched below $.28 while rentty runs.');
	expect(rentty.settings.get().watches).toEqual([{words: '', below: 0.28}]);
	expect(await rentty.shown()).toMatch(/1 of /);
});

test('an offer is watched from its detail', async () => {
	await using rentty = await openSaved();
	rentty.type('\r');
	await rentty.sees('WHAT YOU PAY');
	rentty.type('m');
	await rentty.sees(/words +id=\d+/);
	rentty.type('9\r');
	await rentty.sees('WHAT YOU PAY');
	expect(rentty.settings.get().watches[0]).toMatchObject({below: 9});
	expect(rentty.settings.get().watches[0]?.words).toMatch(/^id=\d+$/);
});

test('what is saved is searched for with Enter, and saved with n', async () => {
	await using rentty = await openSaved({searches, watches});
	rentty.type('b');
	await rentty.sees('> 4090-cheap');
	rentty.type('j');
	await rentty.sees('> h100-now');
	rentty.type('\r');
	expect(await rentty.sees(/filter>.*H100/)).not.toContain('SAVED');
	rentty.type('b');
	await rentty.sees('h100-now *');
	rentty.type('n');
	await rentty.sees('name>');
	rentty.type('\r');
	await rentty.sees('A search is saved under a name');
	rentty.type('my h100');
	await rentty.sees('my h100_');
	rentty.type('\r');
	await rentty.sees('Saved as "my h100".');
	expect(rentty.settings.get().searches).toEqual([
		...searches,
		{name: 'my h100', words: 'gpu=H100'},
	]);
});

test('a search that takes the name of another says what words that had', async () => {
	await using rentty = await openSaved({searches, watches});
	rentty.type('b');
	await rentty.sees('> 4090-cheap');
	rentty.type('j');
	await rentty.sees('> h100-now');
	rentty.type('\r');
	await rentty.sees(/filter>.*H100/);
	rentty.type('b');
	await rentty.sees('h100-now *');
	rentty.type('n');
	await rentty.sees('name>');
	rentty.type('4090-cheap');
	await rentty.sees('4090-cheap_');
	rentty.type('\r');
	await rentty.sees('Saved as "4090-cheap". Its words were: 4090 <0.28');
	expect(rentty.settings.get().searches[0]).toEqual({name: '4090-cheap', words: 'gpu=H100'});
});

test('x removes what the cursor is on, one press at a time', async () => {
	await using rentty = await openSaved({searches, watches});
	rentty.type('b');
	await rentty.sees('> 4090-cheap');
	rentty.type('x');
	await rentty.sees('"4090-cheap" is removed. Its words were: 4090 <0.28');
	expect(rentty.settings.get().searches).toEqual(searches.slice(1));
	// What comes with other keys in one burst may be meant for something else.
	rentty.type('Gx');
	await rentty.sees('other keys came with it: remove it from the list');
	await rentty.sees('> below $0.28/h');
	rentty.type('x');
	await rentty.sees('1 saved, 0 watched');
	rentty.type('q');
	expect(await rentty.sees(/1 of /)).not.toContain('SAVED');
});

test('a name of the settings file commands no terminal, and words that are broken are said', async () => {
	const evil = [{name: '\u001B]0;owned\u0007x', words: 'price<abc \u001B[2J'}];
	await using rentty = await openSaved({searches: evil});
	rentty.type('b');
	await rentty.sees('price<abc');
	rentty.type('\r');
	await rentty.sees('These words cannot be understood');
	expect(rentty.written()).not.toContain('\u001B]0;owned');
	expect(rentty.written()).not.toContain('price<abc \u001B[2J');
});
