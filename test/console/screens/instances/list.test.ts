import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console.ts';
import {openFleetMarket} from '../../../helpers/fleet.ts';

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
	const found = await rentty.sees('1 of 4 instances');
	expect(found).toContain('old-run');
	expect(found).not.toContain('train-a');
	rentty.type('lab');
	await rentty.sees('4 instances, none match "stoppedlab".');
	rentty.type('\r');
	rentty.type('\u001B');
	await rentty.sees('| trouble first');
	await rentty.sees('train-a');
});

test('only problems are shown where only they are wanted', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('!');
	const shown = await rentty.sees('problems only');
	expect(shown).toContain('train-c');
	expect(shown).not.toContain('train-a');
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

test('the detail shows the boot, and on other pages what it is and all that was sent', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('\r');
	expect(await rentty.sees('TIMELINE')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms | $0.24/h (max 0.62)              1 STUCK  12:41:07
		 1 Offers   [2 Instances 1!]   3 Templates    4 Keys    5 Activity    6 Profile~
		Instances > 2 train-c   ! STUCK loading 16m40   at most $0.158/h   about $0.000~
		 Connect   Ports   Logs   Usage  [Timeline]  Spec   JSON                [ ] tabs
		--------------------------------------------------------------------------------
		TIMELINE  2 train-c  loading

		  12:24:27  accepted
		      -     provisioning
		  12:24:27  loading        16:40   limit 10m, <- STUCK
		      -     running
		      -     ssh answers

		Still loading after 16m40. It says: pulling layer 7/19







		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
	rentty.type(']');
	expect(await rentty.sees('[Spec]')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms | $0.24/h (max 0.62)              1 STUCK  12:41:07
		 1 Offers   [2 Instances 1!]   3 Templates    4 Keys    5 Activity    6 Profile~
		Instances > 2 train-c   ! STUCK loading 16m40   at most $0.158/h   about $0.000~
		 Connect   Ports   Logs   Usage   Timeline  [Spec]  JSON                [ ] tabs
		--------------------------------------------------------------------------------
		 GPUs            1x RTX 3080 Ti
		 machine / host  10025 / 52303
		 where           Minnesota, US
		 image           ubuntu:24.04
		 launch          ssh ssh_direc ssh_proxy
		 template        -
		 disk            16 GB
		 label           train-c
		 rented          on demand
		 running         $0.1578/h
		 disk alone      $0.0022/h
		 so far          about $0.0006, without traffic




		--------------------------------------------------------------------------------

		s ssh  y copy  l logs  ] next tab  S stop  x destroy  r rent  ? help  a actions"
	`);
});
