import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore, settingsWithIds} from '../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {openProfiles} from '../../../helpers/console/profiles.ts';

/** Before the first answer, so that nothing but the keys of the list is there. */
function openWithSearches(size: {readonly columns?: number; readonly rows?: number} = {}) {
	const settings = createSettingsStore({
		...defaultSettings,
		searches: [{name: 'cheap h100', words: 'h100 <2'}],
	});
	return {settings, rentty: openTestConsole({settings, ...size})};
}

/** The palette over the list before its first answer. */
async function openPaletteFor(query: string) {
	const {rentty} = openWithSearches();
	await rentty.sees('Searching');
	rentty.type(':');
	await rentty.sees('command');
	rentty.type(query);
	await rentty.sees(`: ${query}`);
	return rentty;
}

/** Without the tabs, of which there may be more or fewer. */
function belowTabs(screen: string): string {
	return screen.split('\n').slice(2).join('\n');
}

test('the palette lies over the screen with what was typed, the best match, its key and its reason', async () => {
	await using rentty = await openPaletteFor('sort too');
	expect(belowTabs(await rentty.sees('sort too'))).toMatchInlineSnapshot(`
		"filter> what do you need? 4090 x2 <0.80 us,ca      + defaults: verified rentable
		price incl. 40G disk . on-demand                                       searching
		--------------------------------------------------------------------------------

		 Searching offers

		+-- : command -----------------------------------------------------------------+
		| : sort too_                                                                  |
		+------------------------------------------------------------------------------+
		| > sort by it, too: best first, revers~ O            Offers                   |
		|   sweep: destroy all that are stuck o~ X            help: Overview           |
		|   sweep: destroy all that are stuck o~ X            help: Instances          |
		|   the search after, then words to cho~ Down         help: Query line         |
		|   open the review to stop, or to star~ S            help: Instances          |
		|   open the review to stop, or to star~ S            help: Instance           |
		|   search for another offer; Esc comes~ /            help: Rent: the offer i~ |
		+------------------------------------------------------------------------------+

		--------------------------------------------------------------------------------
		7 found: 1 action (a:), 6 help topics (?:)

		Down next  Enter do it  Tab complete  Esc close"
	`);
});

test('at 140 columns the palette stands in, with more of the screen above it', async () => {
	const {rentty: opened} = openWithSearches({columns: 140, rows: 40});
	await using rentty = opened;
	await rentty.sees('Searching');
	rentty.type('\u0010');
	await rentty.sees('command');
	rentty.type('h100');
	expect(belowTabs(await rentty.sees(': h100'))).toMatchInlineSnapshot(`
		"filter> what do you need? 4090 x2 <0.80 us,ca                                                                  + defaults: verified rentable
		saved [cheap h100]   price incl. 40G disk . on-demand                                                                              searching
		--------------------------------------------------------------------------------------------------------------------------------------------

		 Searching offers









		    +-- : command ------------------------------------------------------------------------------------+
		    | : h100_                                                                                         |
		    +-------------------------------------------------------------------------------------------------+
		    | > cheap h100                                                          saved search: h100 <2     |
		    |   search offers with these words                                      offers h100               |
		    |   save these words as a search                                        b lists it h100           |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    |                                                                                                 |
		    | GO      overview  offers  instances  templates  keys  activity  profiles  volumes  price incre~ |
		    | DO      filter (/)  column (>)  order (o)  saved (b)  watch (m)  columns (w)  refresh (R)       |
		    | SHOW    theme default|light|high-contrast|colour-blind|mono  signs ascii|unicode  mouse on|off  |
		    +-------------------------------------------------------------------------------------------------+

		--------------------------------------------------------------------------------------------------------------------------------------------
		3 found: 1 search (b:), 2 offers (o:)

		Down next  Enter do it  Tab complete  Esc close"
	`);
});

test('words that are a search run it, and what was chosen of late comes first', async () => {
	await using market = await openTestMarket({offers: 200});
	await using rentty = openTestConsole({service: market});
	await rentty.sees('1 of ');
	rentty.type(':');
	await rentty.sees('command');
	rentty.type('offers gpus>=4');
	await rentty.sees('> search offers with these words');
	rentty.type('\r');
	await rentty.sees(/filter> qty>=4/);
	rentty.type(':');
	await rentty.sees(/RECENT +search offers/);
	rentty.type('theme mo');
	await rentty.sees('> theme mono');
	rentty.type('\r');
	await rentty.sees('1 of ');
	rentty.type(':');
	expect(await rentty.sees('> theme mono')).toMatch(/RECENT +theme mono {2}search offers/);
});

test('@ finds profiles, says which one is in use, and opens another anew', async () => {
	await using market = await openTestMarket({offers: 1});
	using user = openProfiles(() => [
		{name: 'prod', url: market.url, 'key-file': '/keys/prod'},
		{name: 'lab', url: 'http://127.0.0.1:9', 'key-file': '/keys/lab', mode: 'read-only'},
	]);
	await using rentty = openTestConsole({service: market, switcher: user.switcher});
	await rentty.sees('1 of ');
	rentty.type(':');
	await rentty.sees('command');
	rentty.type('@prod');
	await rentty.sees(/> @prod .*\[it is the one/);
	rentty.type('\u0015@l');
	await rentty.sees(/> @lab .*profile RO 127/);
	rentty.type('\r');
	await expect.poll(user.opened).toMatchObject([{kind: 'profile', profile: {name: 'lab'}}]);
});

test('instances are found by label and number, templates by name, and volumes by theirs', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	await rentty.sees(/x 1\b/);
	rentty.type('3');
	await rentty.sees('ComfyUI');
	const found = async (words: string, line: RegExp, place: string | RegExp) => {
		rentty.type(':');
		await rentty.sees('command');
		rentty.type(words);
		await rentty.sees(line);
		rentty.type('\r');
		await rentty.sees(place);
	};
	const {id} = market.running;
	await found('train-a', new RegExp(`> train-a ${id} .*instance \\* running`), `Instances > ${id}`);
	await found('comfy', /> ComfyUI .*template yanwk/, 'Templates > ComfyUI');
	await found('volumes', /> volumes /, 'There are no volumes.');
});

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])(
	'at %dx%d a letter before a colon finds one kind alone, and all kinds are counted',
	async (columns, rows) => {
		await using market = await openFleetMarket();
		await using rentty = openTestConsole({service: market, columns, rows});
		await rentty.sees(/12:41/);
		rentty.type('4');
		await rentty.sees(/^> test/m);
		rentty.type(':');
		rentty.type('test');
		await rentty.sees(/\d+ found: .*1 key \(k:\)/);
		for (const _ of 'test') rentty.type('\u007F');
		rentty.type('i: train');
		await rentty.sees(/> train-[ac] \d+/);
		await rentty.sees(/^2 found: 2 instances \(i:\)/m);
		expect(await rentty.shown()).not.toMatch(/search offers with these words/);
	},
);

test('words that are a search can be saved under their own name', async () => {
	const {rentty: opened, settings} = openWithSearches();
	await using rentty = opened;
	await rentty.sees('Searching');
	rentty.type(':');
	await rentty.sees('command');
	rentty.type('a100 <1');
	await rentty.sees('> search offers');
	rentty.type('\u001B[B');
	await rentty.sees('> save these words');
	rentty.type('\r');
	await expect
		.poll(() => settings.get().searches.at(-1))
		.toEqual({name: 'a100 <1', words: 'a100 <1'});
});

test('words that begin like others are saved beside them', async () => {
	const {rentty: opened, settings} = openWithSearches();
	await using rentty = opened;
	await rentty.sees('Searching');
	const long = 'a100 x8 rel>0.99 <20 us,ca down>1000 up>100';
	const searches = [`${long}0`, `${long}5`];
	for (const words of searches) {
		rentty.type(':');
		await rentty.sees('command');
		rentty.type(words);
		await rentty.sees('> search offers');
		rentty.type('\u001B[B');
		await rentty.sees('> save these words');
		rentty.type('\r');
		await expect.poll(() => settings.get().searches.at(-1)?.words).toBe(words);
	}
	expect(settings.get().searches.slice(-2)).toEqual([
		{name: long.slice(0, 40), words: searches[0]},
		{name: `${long.slice(0, 38).trim()} 2`, words: searches[1]},
	]);
});

test('a number opens the offer that has it, and Esc leads to the list', async () => {
	await using market = await openTestMarket({offers: 5});
	await using rentty = openTestConsole({service: market, settings: settingsWithIds()});
	const id = /> +(\d{4,})/.exec(await rentty.sees('1 of '))?.[1] ?? '';
	rentty.type(':');
	await rentty.sees('command');
	rentty.type(id);
	await rentty.sees(`> offer ${id}`);
	rentty.type('\r');
	await rentty.sees(`Offers > ${id}`);
	rentty.type('\u001B');
	await rentty.sees('1 of ');
});

test('what is typed in one burst with the key that opens it is typed, and does nothing', async () => {
	const {rentty: opened} = openWithSearches();
	await using rentty = opened;
	await rentty.sees('Searching');
	rentty.type(':quit\r');
	expect(await rentty.sees(': quit')).toContain('> quit');
	rentty.type('\r');
	await rentty.left;
});

test('what cannot be done now says why when it is chosen', async () => {
	await using rentty = await openPaletteFor('open detail');
	await rentty.sees('> open detail');
	rentty.type('\r');
	await rentty.sees('Not now: there is no offer to act on.');
});

test('what was being typed on a screen is still there when the palette has been closed', async () => {
	const {rentty: opened} = openWithSearches();
	await using rentty = opened;
	await rentty.sees('Searching');
	rentty.type('/');
	await rentty.sees('Esc');
	rentty.type('4090');
	await rentty.sees('filter> 4090');
	rentty.type('\u0010');
	await rentty.sees('command');
	rentty.type('\u001B');
	await rentty.sees(/filter> 4090.*\n.*\n/);
});

test('quitting, drawing anew and suspending work from the palette, help and the actions too', async () => {
	for (const over of [':', '?', 'a']) {
		await using rentty = openTestConsole();
		await rentty.sees('Searching');
		rentty.type(over);
		await rentty.sees(/command|HELP|ACTIONS/);
		const before = rentty.written().length;
		rentty.type('\u000C');
		await expect.poll(() => rentty.written().length).toBeGreaterThan(before + 500);
		rentty.type('\u001A');
		await expect.poll(() => rentty.stops()).toBe(1);
		rentty.terminal.resume();
		rentty.type('\u0003');
		await rentty.left;
	}
});
