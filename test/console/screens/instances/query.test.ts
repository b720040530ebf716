import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

/** The screen without what every screen begins with. */
function belowTabs(screen: string): string {
	return screen.split('\n').slice(2).join('\n');
}

test('words are asked of the fleet as they are typed, with what they mean under them', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('/running,stopped price<0.5');
	expect(belowTabs(await rentty.sees(/0\.5_.*2 of 4/s))).toMatchInlineSnapshot(`
		"filter> running,stopped price<0.5_
		     =  state=running,stopped price<0.5                                   2 of 4
		  LABEL        GPU          STATE               FOR   $/H  NOW ENDS     KEPT BY
		> train-a      1x RTX A5000 * running          1h56  .229    - no end   -
		  old-run      1x RTX 4080S o stopped           >0m  .003    - no end   -








		------------------------------------------------------------------------ 1 of 2
		1 train-a   host 50665 / machine 10006                            since 10:41:07
		runs for 1h56 . no SSH answer yet

		Costs $0.229/h. So far $0.44 to $0.46.

		--------------------------------------------------------------------------------

		Enter use  Esc as before  Tab complete  Up earlier"
	`);
	rentty.type('\r');
	expect(await rentty.sees('2 of 4 instances')).toContain('filter> running,stopped pric');
});

test('a wide terminal shows the same', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, columns: 140, rows: 40});
	rentty.type('2');
	await rentty.sees(/today .*WASTE/s);
	rentty.type('/label~train !stuck');
	// The pane follows the cursor once it rests.
	expect(belowTabs(await rentty.sees(/!stuck_.*1 of 4.*TIMELINE {2}1 /s))).toMatchInlineSnapshot(`
		"filter> label~train !stuck_
		     =  label~train state!=stuck                                                                                                      1 of 4
		  LABEL        GPU          STATE               FOR   $/H USE 30 MIN        NOW ENDS     KEPT BY  ID| BURN $/h, last 24 h              $0.24
		> train-a      1x RTX A5000 * running          1h56  .229                     - no end   -         1| at most $0.62/h
		                                                                                                    | today $0.50 . month $0.54
		                                                                                                    | credit $99.46
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
		-------------------------------------------------------------------------------------------- 1 of 1 |
		TIMELINE  1 train-a  running                                                                        |
		                                                                                                    |
		  10:41:07  accepted                                                                                |
		      -     provisioning                                                                            |
		      -     loading                                                                                 |
		  10:45:07  running         1h56                                                                    |
		      -     ssh answers                                                                             |
		                                                                                                    |
		                                                                                                    |
		Costs $0.229/h. So far $0.44 to $0.46.                                                              |
		                                                                                                    |
		                                                                                                    |
		                                                                                                    |
		                                                                                                    |
		----------------------------------------------------------------------------------------------------+---------------------------------------

		Enter use  Esc as before  Tab complete  Up earlier"
	`);
});

test('a word that cannot be understood is marked, and Enter does not ask for it', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('/stuck cots>0.5 ');
	expect(await rentty.sees('Did you mean cost?')).toContain(
		'filter> stuck cots>0.5 _\n              ^^^^^^^^ cots is not a field. Did you mean cost?',
	);
	rentty.type('\r');
	await rentty.sees('^^^^^^^^ Not asked: cots is not a field. Did you mean cost?');
	rentty.type('\u001B');
	await rentty.sees('4 instances . trouble first');
});

test('Tab completes fields, signs and what instances hold', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('/lab\t');
	await rentty.sees('filter> label_');
	rentty.type('\t');
	await rentty.sees('[label~]');
	rentty.type('old\t');
	await rentty.sees('filter> label~old-run_');
	rentty.type('\r');
	expect(await rentty.sees('1 of 4 instances')).toContain('old-run');
	rentty.type('/x\u007F\u001B[A');
	await rentty.sees('filter> label~old-run_');
});

test('the cursor goes to the instance that answers best, also where a word is nearly right', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('/trian');
	await rentty.sees('=  trian is train');
	rentty.type('\u007F\u007F\u007Fain-a');
	expect(await rentty.sees('filter> train-a_')).toMatch(/^>.*train-a/m);
});

test('keys that are typed into the words run no command', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('/xXSqe');
	expect(await rentty.sees('filter> xXSqe_')).not.toContain('DESTROY');
	rentty.type('\u001B');
	await rentty.sees('4 instances');
});
