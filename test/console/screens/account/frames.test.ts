import {expect, test} from 'vitest';
import {openUsedMarket} from '../../../helpers/billing.ts';
import {openTestConsole} from '../../../helpers/console.ts';
import type {TestConsoleOptions} from '../../../helpers/console.ts';

/** Screen of an account whose instance and volume were used on two days. */
async function openAccount(size: Pick<TestConsoleOptions, 'columns' | 'rows'> = {}) {
	const market = await openUsedMarket();
	await market.database
		.insertInto('mounts')
		.values({instance_id: market.id, volume_id: 1, path: '/data'})
		.execute();
	const rentty = openTestConsole({service: market, ...size});
	await rentty.sees('12:41:07');
	rentty.type('$');
	await rentty.sees(/trainer/);
	await rentty.sees(/credit +\$/);
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('at 80x24 charges are added up by instance, and a plot says when they were made', async () => {
	await using account = await openAccount();
	expect(await account.shown()).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms | $2.00/h  1 without an end $2.00/h        12:41:07
		[1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		ACCOUNT
		 credit      $70.83, lasts 35h
		 balance     $70.83 by the ledger
		 burn        $2.00/h now, at most $2.00/h, without volumes
		 when empty  what runs is stopped; disks and volumes go on costing
		---------------------------------------------------- charged in 14 days: $29.17
		  WHAT IT WAS FOR                             CHARGED     %   DAYS
		> Instance 1 (trainer)                         $27.78  95.2      2
		  Volume 1 (data)                               $1.39   4.8      2


		--------------------------------------------------------------------------------
		 per day, at most $27.07
		                               ##
		                               ##
		                               ##
		                               ##
		                               ## ##
		 2026-11-08                      2026-11-21


		Tab by instance, by day  Enter volumes  R refresh  ? help  a actions  q quit"
	`);
});

test('Tab adds the same charges up by day', async () => {
	await using account = await openAccount();
	account.type('\t');
	expect(await account.sees('DAY (UTC)')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms | $2.00/h  1 without an end $2.00/h        12:41:07
		[1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		ACCOUNT
		 credit      $70.83, lasts 35h
		 balance     $70.83 by the ledger
		 burn        $2.00/h now, at most $2.00/h, without volumes
		 when empty  what runs is stopped; disks and volumes go on costing
		---------------------------------------------------- charged in 14 days: $29.17
		  DAY (UTC)                                   CHARGED     % THINGS
		> 2026-11-19                                    $2.10   7.2      2
		  2026-11-18                                   $27.07  92.8      2


		--------------------------------------------------------------------------------
		 per day, at most $27.07
		                               ##
		                               ##
		                               ##
		                               ##
		                               ## ##
		 2026-11-08                      2026-11-21


		Tab by instance, by day  Enter volumes  R refresh  ? help  a actions  q quit"
	`);
});

test('at 140x40 the account has room for more', async () => {
	await using account = await openAccount({columns: 140, rows: 40});
	expect(await account.shown()).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms | $2.00/h  1 without an end $2.00/h  credit $70.83 = 35h  1 run 0 boot                                 12:41:07
		[1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		ACCOUNT
		 credit      $70.83, lasts 35h
		 balance     $70.83 by the ledger
		 burn        $2.00/h now, at most $2.00/h, without volumes
		 when empty  what runs is stopped; disks and volumes go on costing
		---------------------------------------------------------------------------------------------------------------- charged in 14 days: $29.17
		  WHAT IT WAS FOR                             CHARGED     %   DAYS
		> Instance 1 (trainer)                         $27.78  95.2      2
		  Volume 1 (data)                               $1.39   4.8      2














		--------------------------------------------------------------------------------------------------------------------------------------------
		 per day, at most $27.07
		                               ##
		                               ##
		                               ##
		                               ##
		                               ##
		                               ##
		                               ##
		                               ##
		                               ## ##
		 2026-11-08                      2026-11-21


		Tab by instance, by day  Enter volumes  R refresh  ? help  a actions  q quit"
	`);
});

test('Enter leads to the volumes, which say who has them, and one in use cannot be deleted', async () => {
	await using account = await openAccount();
	account.type('\r');
	await account.sees('VOLUMES');
	expect(await account.sees('mounted by')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms | $2.00/h  1 without an end $2.00/h        12:41:07
		[1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
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
