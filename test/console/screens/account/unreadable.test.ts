import {expect, test} from 'vitest';
import {openUsedMarket} from '../../../helpers/market/billing.ts';
import {openBrokenLists} from '../../../helpers/services/broken-lists.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';

test('at 80x24 charges that cannot be read are counted, and are in no sum without a word', async () => {
	await using market = await openUsedMarket();
	const lists = [['/api/v0/charges/', 'results']] as const;
	await using broken = await openBrokenLists(market, lists);
	await using rentty = openTestConsole({service: broken});
	await rentty.sees(/12:41/);
	rentty.type('$');
	await rentty.sees(/credit +\$/);
	// The header has its credit, too, and no room for its name.
	expect(await rentty.sees(/^ practice[^]*could not be read/)).toMatchInlineSnapshot(`
		" practice market . no money  . $2.00/h  1 no end $2.00/h              * 1  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		SPENDING  [by label]  by GPU  by day  by week                   1 to 21 Nov, UTC
		- 2 of 6 could not be read - R names them ---------------------- $29.17 or more
		  WHAT IT WAS FOR                   CHARGED     %
		> trainer                            $27.78  95.2 ##########################
		  data                                $1.39   4.8 #.




		--------+-------------------------------- $ a day, = to come by leases, at most
		  $48.00|                                           = = = = = = = = =
		        |                                   .       = = = = = = = = =
		        |                                   #       = = = = = = = = =
		       0|                                   # _     = = = = = = = = =
		          1         6        11        16        21        26      30
		-------------------------------------------------- to 30 Nov, 9 days 11 h to go
		  if each lease ends it   +454.63                = $483.80
		  if nothing ends         +454.63                = $483.80, $2.00 x 227 h
		  credit $70.83 lasts 35h; then what runs is stopped, disks cost on
		  budget: none for a month; budgets.json sets one

		Tab by GPU, day, week  , month  < read a day  y copy  Enter volumes  ? help"
	`);
	rentty.type('R');
	await rentty.sees('2 of 6 charges could not be read: number 2 with name nameless');
});
