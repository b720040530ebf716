import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import type {Settings} from '../../../../source/renter/settings/default-settings.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';

const dear = {name: 'dear', words: 'max>0.01', order: ['price'], key: 'F6'};
const trains = {name: 'trains', words: 'label~train'};

/** What terminals send for it. */
const F6 = '\u001B[17~';

async function openViews(patch: Partial<Settings> = {}, size = {columns: 80, rows: 24}) {
	const market = await openFleetMarket();
	const settings = createSettingsStore({...defaultSettings, ...patch});
	const rentty = await openFleetConsole(market, {settings, ...size});
	return {
		...rentty,
		settings,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

/** The screen without what every screen begins with. */
function belowTabs(screen: string): string {
	return screen.split('\n').slice(2).join('\n');
}

test('the list of views at 80x24 says keys, words, order and which one is shown', async () => {
	await using rentty = await openViews({views: [dear, trains], startView: 'trains'});
	rentty.type('b');
	expect(belowTabs(await rentty.sees('VIEWS'))).toMatchInlineSnapshot(`
		"VIEWS OF INSTANCES                                                       2 saved
		--------------------------------------------------------------------------------
		>      trains *             label~train                                    start
		  T    trouble              trouble
		  F6   dear                 max>0.01                                    by price
















		Enter show  n save  e key  s start  x remove  Esc close"
	`);
});

test('a view on a wide terminal is said above its rows', async () => {
	await using rentty = await openViews({views: [dear]}, {columns: 140, rows: 40});
	rentty.type(F6);
	await rentty.sees(/lasts[^]*view dear/);
	// What stands below the rows is drawn for a row where the cursor rests.
	await rentty.pass(1);
	expect(belowTabs(await rentty.sees(/view dear[^]*credit[^]*TIMELINE {2}4/)))
		.toMatchInlineSnapshot(`
			"filter> max>0.01                                                          3 of 4 instances, $0.23/h . view dear . live, every 10s . p pauses
			----------------------------------------------------------------------------------------------------+---------------------------------------
			  LABEL        GPU          STATE               FOR   $/HvUSE 30 MIN        NOW ENDS     KEPT BY  ID| BURN $/h, last 24 h              $0.24
			> vllm-2       1x RTX 4080S ~ provisioning      30s <0.24                     - no end   -         4| at most $0.62/h
			  train-a      1x RTX A5000 * running          1h56  .229                     - no end   -         1| today $0.50 . month $0.54
			| train-c      1x 3080 Ti   x stuck loading   16m40 <0.16                     - no end   -         2| credit $99.46
			                                                                                                    |
			                                                                                                    | WASTE up to $0.16/h         X sweeps 1
			                                                                                                    | x train-c     stuck 16m   #####  $0.16
			                                                                                                    | o old-run     stopped >0m .     $0.003
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			                                                                                                    |
			-------------------------------------------------------------------------------------------- 1 of 3 |
			TIMELINE  4 vllm-2  provisioning                                                                    |
			                                                                                                    |
			  12:40:37  accepted                                                                                |
			  12:40:37  provisioning    0:30   limit 5m                                                         |
			      -     loading                                                                                 |
			      -     running                                                                                 |
			      -     ssh answers                                                                             |
			                                                                                                    |
			   0m              1m             2m              3m              4m             5m                 |
			  +........|                                                                                        |
			                                                                                 ^ limit            |
			                                                                                                    |
			Costs $0.003/h now, at most $0.232/h. So far <$0.0001 to $0.0019.                                   |
			                                                                                                    |
			----------------------------------------------------------------------------------------------------+---------------------------------------

			Enter detail  s ssh  y copy  l logs  S stop  x destroy  X sweep  r rent  ! trouble  / filter  i pane  z zoom  ? help  a actions  q quit"
		`);
});

test('the key of a view shows it in its order, and all of them again', async () => {
	await using rentty = await openViews({views: [dear]});
	rentty.type(F6);
	const shown = await rentty.sees('3 of 4 instances . view dear . live');
	expect(shown).toMatch(/vllm-2 [^]* train-a [^]*train-c/);
	rentty.type(F6);
	expect(await rentty.sees('4 instances . trouble first')).toMatch(/>.*train-c/);
});

test('what is shown is saved as a view under a name, and a key is given to it', async () => {
	await using rentty = await openViews();
	rentty.type('/label~train\r');
	await rentty.sees('2 of 4 instances');
	await rentty.enter('bn');
	await rentty.sees('name> _');
	await rentty.enter('trains\r');
	await rentty.sees('Saved as "trains". b lists the views.');
	expect(rentty.settings.get().views).toEqual([{name: 'trains', words: 'label~train'}]);
	await rentty.enter('je');
	await rentty.sees('key> _');
	await rentty.enter('x\r');
	await rentty.sees('"x" is already "destroy".');
	await rentty.enter('\u0015H\r');
	await rentty.sees('H shows "trains" on Instances.');
	expect(await rentty.sees(/^> H +trains \*/m)).toContain('1 saved');
	rentty.type('\u001B');
	await rentty.sees('2 of 4 instances . view trains');
	rentty.type('H');
	await rentty.sees('4 instances . trouble first');
	rentty.type('H');
	await rentty.sees('2 of 4 instances . view trains');
});

test('a view keeps the groups that it was saved with, and leaving it leaves them', async () => {
	await using rentty = await openViews({views: [dear]});
	await rentty.enter('&\r');
	await rentty.sees('GROUP');
	await rentty.enter('bn');
	await rentty.enter('labels\r');
	await rentty.sees('Saved as "labels".');
	expect(rentty.settings.get().views[1]).toEqual({name: 'labels', words: '', group: 'label'});
	expect(await rentty.sees(/labels \*/)).toContain('in groups by label');
	rentty.type('\u001B');
	await rentty.sees(/view labels[^]*GROUP/);
	rentty.type(F6);
	expect(await rentty.sees('view dear')).not.toContain('GROUP');
	rentty.type(F6);
	expect(await rentty.sees('4 instances')).not.toContain('GROUP');
});

test('a name that is taken by rentty, or none, is refused', async () => {
	await using rentty = await openViews();
	await rentty.enter('bn');
	await rentty.sees('name> _');
	rentty.type('\r');
	await rentty.sees('A view is saved under a name');
	await rentty.enter('trouble\r');
	await rentty.sees('"trouble" is a view that rentty has by itself');
	expect(rentty.settings.get().views).toEqual([]);
});

test('Instances begin with the view that is wanted, and come back as they were left', async () => {
	await using rentty = await openViews({views: [dear, trains], startView: 'trains'});
	await rentty.sees('2 of 4 instances . view trains');
	rentty.type('\u001B');
	await rentty.sees('4 instances . trouble first');
	rentty.type('12');
	await rentty.sees('4 instances . trouble first');
});

test('the view at the top is the one to begin with, until it is no longer', async () => {
	await using rentty = await openViews({views: [dear, trains]});
	await rentty.enter('bjjs');
	await rentty.sees('Instances begin with "trains".');
	await rentty.sees(/^> +trains +label~train +start/m);
	rentty.type('x');
	await rentty.sees('"trains" is removed.');
	expect(rentty.settings.get()).toMatchObject({views: [dear], startView: ''});
});

test('a key that something else has is told, and the view is listed without it', async () => {
	await using rentty = await openViews();
	rentty.settings.change({views: [{...dear, key: 'x'}, trains]});
	await rentty.sees('views: "x" for "dear" is already "destroy". It has no key; b lists it.');
	rentty.type('b');
	await rentty.sees(/^ {7}dear/m);
});

test('other words within a view are said to be other words, and Esc leaves words, order and view', async () => {
	await using rentty = await openViews({views: [dear]});
	rentty.type(F6);
	await rentty.sees('view dear');
	await rentty.enter('/running\r');
	await rentty.sees('1 of 4 instances . view dear, other words');
	rentty.type('\u001B');
	await rentty.sees('4 instances . trouble first');
});

test('a view has columns of its own, and what is chosen while it is shown is kept in it', async () => {
	const columns = {set: 'compact', visible: {}, order: ['price'], widths: {}} as const;
	await using rentty = await openViews({views: [{...dear, columns}]});
	rentty.type(F6);
	expect(await rentty.sees('view dear')).toMatch(/^ +\$\/H.LABEL/m);
	rentty.type('w');
	await expect.poll(() => rentty.settings.get().views[0]?.columns?.set).toBe('normal');
	expect(rentty.settings.get().columns).toEqual({});
	rentty.type(F6);
	await rentty.sees(/^ +LABEL +GPU/m);
});

test('the palette opens a view by its name from anywhere', async () => {
	await using rentty = await openViews({views: [dear]});
	await rentty.enter('1:view dear');
	await rentty.sees(/view dear +.*max>0.01/);
	rentty.type('\r');
	await rentty.sees('3 of 4 instances . view dear');
});
