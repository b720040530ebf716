import {expect, test} from 'vitest';
import type {Budget} from '../../../../source/renter/leases/budgets.ts';
import {endlessLease, writeLabel} from '../../../../source/renter/words/lease.ts';
import {openUsedMarket} from '../../../helpers/market/billing.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import type {TestConsoleOptions} from '../../../helpers/console/console.ts';

/** Screen of an account whose instance and volume were used on two days. */
async function openAccount(size: Pick<TestConsoleOptions, 'columns' | 'rows' | 'budgets'> = {}) {
	const market = await openUsedMarket();
	await market.database
		.insertInto('mounts')
		.values({instance_id: market.id, volume_id: 1, path: '/data'})
		.execute();
	const rentty = openTestConsole({service: market, ...size});
	await rentty.sees(/12:41/);
	rentty.type('$');
	await rentty.sees(/trainer/);
	await rentty.sees(/lasts/);
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('at 80x24 charges are added up by label, a plot says when they were made, and two forecasts what is to come', async () => {
	await using account = await openAccount();
	expect(await account.shown()).toMatchInlineSnapshot(`
		" practice market . no money  . $2.00/h  1 no end $2.00/h              * 1  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		SPENDING  [by label]  by GPU  by day  by week                   1 to 21 Nov, UTC
		------------------------------------------------------------------------ $29.17
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
});

test('Tab adds the same charges up by GPU, by day and by week', async () => {
	await using account = await openAccount();
	account.type('\t');
	await account.sees('[by GPU]');
	account.type('\t');
	expect(await account.sees('DAY (UTC)')).toMatchInlineSnapshot(`
		" practice market . no money  . $2.00/h  1 no end $2.00/h              * 1  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		SPENDING  by label  by GPU  [by day]  by week                   1 to 21 Nov, UTC
		------------------------------------------------------------------------ $29.17
		  DAY (UTC)                         CHARGED     %
		> 2026-11-19                          $2.10   7.2 ##
		  2026-11-18                         $27.07  92.8 ##########################




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
});

test('at 140x40 the account has room for more', async () => {
	await using account = await openAccount({columns: 140, rows: 40});
	expect(await account.shown()).toMatchInlineSnapshot(`
		" rentty   practice market . no money  . $2.00/h  1 no end $2.00/h . today $2.10 . $70.83 lasts 35h                             * 1  12:41:07
		 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		SPENDING  [by label]  by GPU  by day  by week                                                                               1 to 21 Nov, UTC
		------------------------------------------------------------------------------------------------------------------------------------ $29.17
		  WHAT IT WAS FOR                   CHARGED     %
		> trainer                            $27.78  95.2 ######################################################################################
		  data                                $1.39   4.8 ####.










		--------+-------------------------------------------------------------------------------------------- $ a day, = to come by leases, at most
		  $48.00|                                                                                     === === === === === === === === ===
		        |                                                                                     === === === === === === === === ===
		        |                                                                                     === === === === === === === === ===
		        |                                                                     ---             === === === === === === === === ===
		        |                                                                     ###             === === === === === === === === ===
		        |                                                                     ###             === === === === === === === === ===
		        |                                                                     ###             === === === === === === === === ===
		       0|                                                                     ### :::         === === === === === === === === ===
		            1                   6                  11                  16                  21                  26              30
		------------------------------------------------------------- by GPU   ------------------------------------------------------------ by week
		  RTX A5000               $27.78  #################################    week of 2026-11-16      $29.17  #################################
		  volumes                  $1.39  ##



		-------------------------------------------------------------------------------------------------------------- to 30 Nov, 9 days 11 h to go
		  if each lease ends it   +454.63                = $483.80
		  if nothing ends         +454.63                = $483.80, $2.00 x 227 h
		  credit $70.83 lasts 35h; then what runs is stopped, disks cost on
		  budget: none for a month; budgets.json sets one

		Tab by GPU, day, week  , month  < read a day  y copy  Enter volumes  ; log  # numbers  R refresh  ? help  a actions  q quit"
	`);
});

test('at 60x15 the sums and the forecasts are there', async () => {
	await using account = await openAccount({columns: 60, rows: 15});
	expect(await account.shown()).toMatchInlineSnapshot(`
		" practice . no money  . $2.00/h  1 no end $2.00/h * 1  12:41
		0 Ovr [1 Off] 2 Inst 3 Tpl 4 Keys 5 Act 6 Prof
		SPENDING [label] GPU day week               1 to 21 Nov, UTC
		---------------------------------------------------- $29.17
		  WHAT IT WAS FOR         CHARGED     %
		> trainer                  $27.78  95.2 ################
		  data                      $1.39   4.8 #

		------------------------------ to 30 Nov, 9 days 11 h to go
		  each lease ends it  $483.80
		  nothing ends        $483.80
		  credit $70.83 lasts 35h; then what runs is stopped, disks~
		  budget: none for a month; budgets.json sets one

		Tab by GPU, day, week  , month  < read a day  y copy  ? help"
	`);
});

test('a day is read alone, and the month before has its own charges', async () => {
	await using account = await openAccount();
	account.type('<');
	await account.sees(/2026-11-21: \$0\.00/);
	account.type('<<<');
	await account.sees(/2026-11-18: \$27\.07/);
	account.type('U');
	await account.sees(/ \$29\.17/);
	account.type(',');
	await account.sees('1 to 31 Oct, UTC');
	account.type('.');
	await account.sees('1 to 21 Nov, UTC');
});

test('Enter leads to the volumes, which say who has them, and one in use cannot be deleted', async () => {
	await using account = await openAccount();
	account.type('\r');
	await account.sees('VOLUMES');
	expect(await account.sees('mounted by')).toMatchInlineSnapshot(`
		" practice market . no money  . $2.00/h  1 no end $2.00/h              * 1  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		VOLUMES                                                           $72.00 a month
		--------------------------------------------------------------------------------
		  ID        NAME               SIZE  $/MONTH STATUS   MOUNTED BY       MACHINE
		> 1         data                72G   $72.00 in-use   1                10006














		------------------------------------------------------------------------ 1 of 1
		 mounted by 1; charged until it is deleted; for instances of its machine

		n new  Y clone  x delete  y copy  R refresh  ? help  a actions  q quit"
	`);
	account.type('x');
	await account.sees('instance 1 has it');
});

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])('at %dx%d the last line says how far the month is from its budget', async (columns, rows) => {
	await using account = await openAccount({
		columns,
		rows,
		budgets: () => ({budgets: [monthly(400)]}),
	});
	expect(await account.sees(/budget \$400\.00: \$\d+\.\d\d over/)).toContain('$83.80 over');
	await using roomy = await openAccount({
		columns,
		rows,
		budgets: () => ({budgets: [monthly(1000)]}),
	});
	await roomy.sees('budget $1,000.00: $516.20 under');
});

const monthly = (perMonth: number): Budget => ({
	profile: undefined,
	label: undefined,
	perHour: undefined,
	perDay: undefined,
	perMonth,
	action: 'refuse',
	order: 'cheapest-loss',
});

test('a semicolon makes days that cost little as high as their share of the digits', async () => {
	await using account = await openAccount();
	account.type(';');
	await account.sees('at most, log');
	expect((await account.shown()).split('\n').slice(10, 17).join('\n')).toMatchInlineSnapshot(`
		"
		--------+--------------------------- $ a day, = to come by leases, at most, log
		  $50.00|                                   .       = = = = = = = = =
		        |                                   #       = = = = = = = = =
		        |                                   #       = = = = = = = = =
		   $2.00|                                   # _     = = = = = = = = =
		          1         6        11        16        21        26      30"
	`);
	account.type(';');
	await account.sees(/at most$/m);
});

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])('at %dx%d # lists what was charged each day', async (columns, rows) => {
	await using account = await openAccount({columns, rows});
	account.type('#');
	await account.sees(/DAY \(UTC\) +CHARGED/);
	expect(await account.shown()).toMatch(/2026-11-21 +\d+\.\d{4}/);
	account.type('#');
	await account.sees('SPENDING');
});

test.each([
	['', /> Instance \d+ +\$27\.78/],
	['x', /> x +\$27\.78/],
])('what was rented as %j with a lease is named without it', async (label, named) => {
	await using market = await openUsedMarket();
	const lease = {...endlessLease, endsAt: 1_900_000_000};
	const set = {label: writeLabel(label, lease) ?? ''};
	await market.database.updateTable('instances').set(set).execute();
	await using rentty = openTestConsole({service: market});
	await rentty.sees(/12:41/);
	rentty.type('$');
	expect(await rentty.sees(named)).not.toContain('lease1');
});
