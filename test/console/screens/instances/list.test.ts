import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';

test('another tab leaves the list of offers as it was, and the last tab is a key away', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	await rentty.sees(/1 of \d\d/);
	rentty.type('jjj');
	await rentty.sees(/4 of \d\d/);
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('1');
	await rentty.sees(/4 of \d\d/);
	rentty.type('-');
	await rentty.sees('3 of 4');
});

test('the filter finds labels, GPUs and states, and Esc shows all again', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('/');
	await rentty.sees('filter> _');
	rentty.type('stopped');
	const found = await rentty.sees('=  state=stopped');
	expect(found).toContain('old-run');
	expect(found).not.toContain('train-a');
	rentty.type('\r');
	await rentty.sees('1 of 4 instances');
	rentty.type('/');
	await rentty.sees('End keeps it');
	rentty.type('\u001B[Fidle\r');
	await rentty.sees('1 of 4 instances');
	rentty.type('/\u001B[Flabel~train\r');
	await rentty.sees('4 instances, none match "stopped idle label~train".');
	rentty.type('\u001B');
	await rentty.sees('. trouble first');
	await rentty.sees('train-a');
});

test('what is in trouble is a view of its own, and its key shows all again', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('T');
	const shown = await rentty.sees(/filter> trouble .*1 of 4 instances \. view trouble \./);
	expect(shown).toContain('train-c');
	expect(shown).not.toContain('train-a');
	rentty.type('T');
	expect(await rentty.sees('4 instances . trouble first')).toContain('train-a');
});

test('a service that is lost leaves the list there with its age, and the keys at work', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	await market.database.updateTable('api_keys').set({deleted_at: 1}).execute();
	rentty.type('R');
	const said = await rentty.sees('Not refreshed, still charging: the key is not accepted (401');
	expect(said).toContain('stale from 12:41:07');
	rentty.type('j');
	await rentty.sees('2 of 4');
});

test('w goes through the sets of columns, and W hides one for good', async () => {
	await using market = await openFleetMarket();
	const settings = createSettingsStore(defaultSettings);
	await using rentty = openTestConsole({service: market, settings, columns: 180});
	rentty.type('2');
	expect(await rentty.sees(/KEPT BY +NOTE +ID SSH +AGE HOST +IMAGE/)).not.toContain('MACHINE');
	rentty.type('w');
	await rentty.sees(/IMAGE +COST/);
	rentty.type('w');
	expect(await rentty.sees(/LABEL +GPU +STATE +FOR +\$\/H +NOW ENDS$/m)).not.toContain('SSH');
	rentty.type('w');
	await rentty.sees('NOTE');
	rentty.type('W');
	await rentty.sees('[x] LABEL');
	for (const key of ['j', ' ']) {
		rentty.type(key);
	}
	await rentty.sees('[ ] GPU');
	rentty.type('\u001B');
	expect(await rentty.sees(/LABEL +STATE/)).not.toContain('GPU ');
	expect(settings.get().columns['instances']?.visible).toEqual({gpu: false});
});

test('a column that the list is ordered by is shown, and one of which nothing is sent is not', async () => {
	await using market = await openFleetMarket();
	await market.database.updateTable('instances').set({image: ''}).execute();
	await using rentty = openTestConsole({service: market, columns: 130});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('w');
	rentty.type('w');
	expect(await rentty.sees(/\$\/H +NOW ENDS *$/m)).not.toContain('NOTE');
	rentty.type('w');
	await rentty.sees('NOTE');
	rentty.type('<');
	rentty.type('o');
	await rentty.sees(/AGE[v^]/);
	rentty.type('w');
	rentty.type('w');
	await rentty.sees(/NOW ENDS +AGE[v^]/);
});

test('the pane beside the list changes, gives way, and has the whole screen where that is wanted', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, columns: 140, rows: 40});
	rentty.type('2');
	await rentty.sees('WASTE');
	rentty.type('i');
	await rentty.sees('Nothing has changed so far.');
	rentty.type('i');
	await rentty.sees('RAW  2 train-c, as the service');
	rentty.type('j');
	await rentty.sees('RAW  4 vllm-2, as the service');
	rentty.type('i');
	expect(await rentty.sees(/KEPT BY +NOTE/)).not.toContain('RAW');
	rentty.type('z');
	expect(await rentty.sees('BURN')).not.toContain('TIMELINE');
	// No key acts on what is not in view.
	rentty.type('x');
	rentty.type('i');
	expect(await rentty.sees('EVENTS')).not.toContain('DESTROY');
	rentty.type('\u001B');
	await rentty.sees('2 of 4');
});

test('where there is no room beside the list, the key says how to see the pane', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('i');
	await rentty.sees(/there is no room\s+beside the list; z/);
	rentty.type('z');
	await rentty.sees(/WASTE up to \$0\.16\/h/);
	rentty.type('z');
	await rentty.sees('1 of 4');
});

test('while the cursor was just moved no row leaves a filtered list, and later it does', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('T');
	await rentty.sees('1 of 1');
	rentty.type('j');
	await market.database
		.updateTable('instances')
		.set({actual: 'running', reported: 'running', running_since: market.stuck.created_at})
		.where('id', '=', market.stuck.id)
		.execute();
	rentty.type('R');
	await rentty.sees(/train-c .*\* running/);
	await rentty.pass(10);
	await rentty.sees('4 instances, none in the view "trouble".');
});

test('a pause is said in the header, and what is not fresh says so on every screen', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns: 48, rows: 16});
	rentty.type('p');
	await rentty.sees(/practice.* paused.*\$0\.24\/h.* x 1/);
	rentty.type('p');
	await rentty.sees(/practice.*\$0\.24\/h.* x 1/);
	await market.database.updateTable('api_keys').set({deleted_at: 1}).execute();
	await rentty.pass(10);
	rentty.type('4');
	await rentty.sees(/practice.* stale 401.*\$0\.24\/h/);
});
