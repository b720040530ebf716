import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';

test('instances are listed with trouble first at 80x24, and the boot of the one under the cursor', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	expect(await rentty.sees(/stuck.*1 of 4/s)).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>                            4 instances . trouble first, then cost . live
		--------------------------------------------------------------------------------
		  LABEL        GPU          STATE               FOR   $/H  NOW ENDS     KEPT BY
		> train-c      1x 3080 Ti   x stuck loading   16m40 <0.16    - no end   -
		  vllm-2       1x RTX 4080S ~ provisioning      30s <0.24    - no end   -
		  train-a      1x RTX A5000 * running          1h56  .229    - no end   -
		  old-run      1x RTX 4080S o stopped           >0m  .003    - no end   -






		------------------------------------------------------------------------ 1 of 4
		2 train-c   host 52303 / machine 10025                            since 12:24:27
		loading for 16:40 (limit 10m)
		Made 16 min ago, loading for 11 min (72 looks). It says: pulling layer 7/19
		Costs $0.002/h now, at most $0.158/h. So far $0.0006 to $0.0136.
		x destroys it    X sweeps all    r rents one like it    m alerts when it changes
		--------------------------------------------------------------------------------

		Enter detail  s ssh  y copy  l logs  S stop  x destroy  X sweep  r rent  ? help"
	`);
});

test('a wide terminal shows the timeline, what everything costs, and what of it is wasted', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, columns: 140, rows: 40});
	rentty.type('2');
	expect(await rentty.sees(/credit [^]*WASTE/)).toMatchInlineSnapshot(`
		" rentty   practice market . no money  . $0.24/h max 0.62  4 no end $0.24/h . today $0.50 . $99.46 lasts 6-17d   * 1  ~ 1  o 1  x 1  12:41:07
		 0 Overview    1 Offers   [2 Instances 1!]   3 Templates    4 Keys    5 Activity    6 Profiles
		filter>                                                                  4 instances . trouble first, then cost . live, every 10s . p pauses
		----------------------------------------------------------------------------------------------------+---------------------------------------
		  LABEL        GPU          STATE               FOR   $/H USE 30 MIN        NOW ENDS     KEPT BY  ID| BURN $/h, last 24 h              $0.24
		> train-c      1x 3080 Ti   x stuck loading   16m40 <0.16                     - no end   -         2| at most $0.62/h
		  vllm-2       1x RTX 4080S ~ provisioning      30s <0.24                     - no end   -         4| today $0.50 . month $0.54
		  train-a      1x RTX A5000 * running          1h56  .229                     - no end   -         1| credit $99.46
		  old-run      1x RTX 4080S o stopped           >0m  .003                     - no end   -         3|
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
		-------------------------------------------------------------------------------------------- 1 of 4 |
		TIMELINE  2 train-c  loading                                                                        |
		                                                                                                    |
		  12:24:27  accepted                                                                                |
		      -     provisioning                                                                            |
		  12:24:27  loading        16:40   limit 10m, <- stuck                                              |
		      -     running                                                                                 |
		      -     ssh answers                                                                             |
		                                                                                                    |
		   0m        2m         4m        6m         8m        10m        12m       14m        16m          |
		  +====================================================###################################|         |
		                                                       ^ limit                                      |
		Made 16 min ago, loading for 11 min (72 looks). It says: pulling layer 7/19                         |
		Costs $0.002/h now, at most $0.158/h. So far $0.0006 to $0.0136.                                    |
		x destroys it    X sweeps all    r rents one like it    m alerts when it changes                    |
		----------------------------------------------------------------------------------------------------+---------------------------------------

		Enter detail  s ssh  y copy  l logs  S stop  x destroy  X sweep  r rent  ! trouble  / filter  i pane  z zoom  ? help  a actions  q quit"
	`);
});

test('a narrow terminal keeps names, states, ages and prices', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, columns: 48, rows: 16});
	rentty.type('2');
	expect(await rentty.sees(/12:41.*stuck.*1 of 4/s)).toMatchInlineSnapshot(`
		" practice . $0.24/h  4 no end $0.24/h x 1  12:41
		0 Ovr 1 Off [2 Inst 1!] 3 Tpl 4 Keys 5 Act 6 Pro
		------------------------------------------------
		> train-c     1x3080Ti x stuck  16m40 <0.16    -
		  vllm-2      1x 4080S ~ prov     30s <0.24    -
		  train-a     1x A5000 * run     1h56  .229    -
		  old-run     1x 4080S o stop     >0m  .003    -





		---------------------------------------- 1 of 4
		2 loading 16m40, limit 10m

		Enter detail  s ssh  x destroy  X sweep  ? help"
	`);
});

test('without instances nothing is charged, and the way to offers is named', async () => {
	await using market = await openTestMarket();
	await using rentty = openTestConsole({service: market});
	rentty.type('2');
	expect(await rentty.sees('Nothing is running')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers [2 Instances] 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>                            0 instances . trouble first, then cost . live
		--------------------------------------------------------------------------------

		 Nothing is running.

		 Nothing is charged as far as this key can see.
		 1 looks for offers.














		/ filter  R refresh  i pane  z zoom  ? help  a actions  q quit"
	`);
});

test('a list that failed says why, and that instances go on', async () => {
	await using market = await openTestMarket();
	await using rentty = openTestConsole({service: {url: market.url, key: 'f'.repeat(64)}});
	rentty.type('2');
	expect(await rentty.sees('not accepted')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview 1 Offers [2 Instances] 3 Templates 4 Keys 5 Activity 6 Profiles
		filter>
		--------------------------------------------------------------------------------

		 Could not list your instances: the key is not accepted (401 Invalid user key).

		 Instances that run are not affected, and keep charging.
		 R tries again.














		/ filter  R refresh  i pane  z zoom  ? help  a actions  q quit"
	`);
});

test.each([
	{columns: 80, rows: 24},
	{columns: 100, rows: 30},
	{columns: 140, rows: 40},
	{columns: 200, rows: 60},
])('at $columns x $rows a GPU keeps its number, and a state its words', async size => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, ...size});
	rentty.type('2');
	const shown = await rentty.sees(/stuck.*1 of 4/s);
	const rows = shown.split('\n').filter(line => /^.{2}(?:train-|vllm-|old-run).*1x/.test(line));
	expect(rows.map(row => row.slice(0, 70)).filter(row => row.includes('…'))).toEqual([]);
	const whole = [/3080 Ti.*x stuck loading/, /4080S.*[~] provisioning/, /A5000.*[*] running/];
	for (const pattern of whole) expect(shown).toMatch(pattern);
	expect(rows).toHaveLength(4);
});
