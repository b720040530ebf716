import {expect, test} from 'vitest';
import {openUsedMarket} from '../../../helpers/market/billing.ts';
import {
	amongOthers,
	noneReadable,
	openBrokenLists,
} from '../../../helpers/services/broken-lists.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';

const lists = [
	[/^\/api\/v0\/volumes\/\?/, 'volumes'],
	['/api/v0/volumes/search/', 'offers'],
] as const;

/** The list of volumes of a service that sends records that cannot be read. */
async function openBroken(change = amongOthers) {
	const market = await openUsedMarket();
	const broken = await openBrokenLists(market, lists, change);
	const rentty = openTestConsole({service: broken});
	await rentty.sees(/12:41/);
	rentty.type('$');
	await rentty.sees('SPENDING');
	rentty.type('\r');
	return {
		...rentty,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await broken[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('at 80x24 volumes that cannot be read are counted under the list and in what all of them cost', async () => {
	await using rentty = await openBroken();
	expect(await rentty.sees('could not be read')).toMatchInlineSnapshot(`
		" practice market . no money  . $2.00/h  1 no end $2.00/h              * 1  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		VOLUMES                              $72.00 a month, and 2 without a known price
		--------------------------------------------------------------------------------
		  ID        NAME               SIZE  $/MONTH STATUS   MOUNTED BY       MACHINE
		> 1         data                72G   $72.00 created  -                10006














		- 2 of 3 could not be read - R names them ------------------------------ 1 of 1
		 no instance has it; charged until it is deleted; for instances of its machine

		n new  Y clone  x delete  y copy  R refresh  ? help  a actions  q quit"
	`);
	rentty.type('R');
	expect(lastLines(await rentty.sees('with name nameless'))).toMatchInlineSnapshot(`
		"2 of 3 volumes could not be read: number 2 with name nameless (id is missing),
		number 3 (it is null)."
	`);
});

test('a list of which nothing can be read does not say that there are no volumes', async () => {
	await using rentty = await openBroken(noneReadable);
	expect(await rentty.sees('1 of 1 volumes could not be read')).toMatchInlineSnapshot(`
		" practice market . no money  . $2.00/h  1 no end $2.00/h              * 1  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles

		 1 of 1 volumes could not be read.

		 The service may speak another version of its API.
		 R tries again.

		   number 1 with name nameless (id is missing)














		n new  Y clone  x delete  y copy  R refresh  ? help  a actions  q quit"
	`);
});

test('room for a volume that cannot be read is counted, and R names it', async () => {
	await using rentty = await openBroken();
	await rentty.sees('could not be read');
	rentty.type('n');
	await rentty.sees('GB> 50');
	rentty.type('\r');
	await rentty.sees('ROOM FOR 50 GB');
	expect(await rentty.shown()).toMatch(/2 of \d+ could not be read - R names them/);
	rentty.type('R');
	await rentty.sees(/2 of \d+ volume offers could not be read: number 2 with name nameless/);
});

function lastLines(frame: string): string {
	return frame.split('\n').slice(-2).join('\n');
}
