import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {dropReply} from '../../../helpers/services/faults.ts';
import {openProvided, openRisen} from '../../../helpers/market/provided.ts';

function noon(): Date {
	return new Date(2026, 10, 21, 12, 41, 7);
}

/** The console of a renter of whom more is asked, once it has told so. */
async function openAsked(size: {readonly columns: number; readonly rows: number}) {
	const market = await openRisen();
	let now = noon().getTime();
	const rentty = openTestConsole({service: market, now: () => new Date(now), ...size});
	await rentty.sees('1 alert');
	return {
		...rentty,
		market,
		wait(ms: number) {
			now += ms;
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

async function openIncreases(
	rentty: Pick<Awaited<ReturnType<typeof openAsked>>, 'type' | 'sees'>,
): Promise<string> {
	rentty.type('A');
	await rentty.sees('costs more');
	rentty.type('\r');
	return rentty.sees('PRICE INCREASES');
}

test('a price that increases is an alert, and its list is opened by it at 80x24', async () => {
	await using rentty = await openAsked({columns: 80, rows: 24});
	expect(await openIncreases(rentty)).toMatchInlineSnapshot(`
		" practice market . no money  . $0.50/h  1 no end $0.50/h     * 1  1 alert  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		PRICE INCREASES                                            1 waits for an answer
		--------------------------------------------------------------------------------
		  INSTANCE       WHAT COSTS MORE                         NOT BEFORE  THEN UNTIL
		> train (1)      GPU $0.50 to $0.90/h, disk $0.15 to $0~ 2026-11-19  2026-11-27














		------------------------------------------------------------------------ 1 of 1
		 from 2026-11-19 on, if you accept: GPU $0.50 to $0.90/h, disk $0.15 to $0.36/G~

		Enter accept  x reject  i instance  R refresh  ? help  a actions  q quit"
	`);
});

test('the list at 140x40 has all that costs more', async () => {
	await using rentty = await openAsked({columns: 140, rows: 40});
	const lines = (await openIncreases(rentty)).split('\n');
	expect(lines.slice(1, 7).join('\n')).toMatchInlineSnapshot(`
		" 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		PRICE INCREASES                                                                                                        1 waits for an answer
		--------------------------------------------------------------------------------------------------------------------------------------------
		  INSTANCE                   WHAT COSTS MORE                                                                         NOT BEFORE  THEN UNTIL
		> train (1)                  GPU $0.50 to $0.90/h, disk $0.15 to $0.36/GB a month                                    2026-11-19  2026-11-27
		"
	`);
});

test('accepting asks first, and the alert goes when it is answered', async () => {
	await using rentty = await openAsked({columns: 80, rows: 24});
	await openIncreases(rentty);
	rentty.type('\r');
	expect(await rentty.sees('ACCEPT PRICE INCREASE')).toMatchInlineSnapshot(`
		" practice market . no money  . $0.50/h  1 no end $0.50/h     * 1  1 alert  12:41
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		PRICE INCREASES                                            1 waits for an answer
		--------------------------------------------------------------------------------
		  INSTANCE       WHAT COSTS MORE                         NOT BEFORE  THEN UNTIL
		+- ACCEPT PRICE INCREASE ------------------------------------- as of 12:41:07 -+
		|                                                                              |
		|  1  train (1)                                                                |
		|                                                                              |
		|  You pay  GPU $0.50 to $0.90/h, disk $0.15 to $0.36/GB a month               |
		|  From     2026-11-19 on; until then the price stays                          |
		|  It ends  2026-11-27 at the latest, or when you destroy it                   |
		|                                                                              |
		|                                                                              |
		|  > [ Cancel ]     [ Accept ]                                                 |
		+------------------------------------------------------------------------------+




		------------------------------------------------------------------------ 1 of 1
		 from 2026-11-19 on, if you accept: GPU $0.50 to $0.90/h, disk $0.15 to $0.36/G~

		y yes  n no  Tab other button  Enter press it"
	`);
	rentty.wait(2000);
	rentty.type('n');
	await rentty.sees('PRICE INCREASES');
	expect(await rentty.market.waiting()).toHaveLength(1);
	rentty.type('\r');
	await rentty.sees('ACCEPT PRICE INCREASE');
	rentty.wait(2000);
	rentty.type('y');
	await rentty.sees('No price increase waits for an answer.');
	expect(await rentty.shown()).not.toContain('1 alert');
	expect(await rentty.market.waiting()).toEqual([]);
	expect(await rentty.market.present()).toMatchObject({end_date: rentty.market.laterEnd});
});

test('rejecting lets the instance end at its price', async () => {
	await using rentty = await openAsked({columns: 80, rows: 24});
	await openIncreases(rentty);
	const {end_date: end} = await rentty.market.present();
	rentty.type('x');
	await rentty.sees('REJECT PRICE INCREASE');
	rentty.wait(2000);
	rentty.type('y');
	await rentty.sees('keeps its price');
	expect(await rentty.market.waiting()).toEqual([]);
	expect((await rentty.market.present()).end_date).toBe(end);
});

test('the palette opens the list, which says that it asks, and that nothing waits', async () => {
	await using market = await openProvided();
	for (const [service, shown] of [
		[market, 'No price increase waits for an answer.'],
		[undefined, 'Asking for price increases'],
	] as const) {
		await using rentty = openTestConsole({now: noon, ...(service && {service})});
		await rentty.sees('6 Profiles');
		rentty.type(':');
		await rentty.sees(': command');
		rentty.type('price increases');
		await rentty.sees('go to Price increases');
		rentty.type('\r');
		await rentty.sees(shown);
	}
});

test('a refused list is quoted, and asked for again on R', async () => {
	await using market = await openRisen();
	const permissions = {api: {user_read: {}, misc: {}}};
	const {key} = await market.renter.apiKeys.create({name: 'reader', permissions});
	const service = {url: market.url, key};
	await using rentty = openTestConsole({service, now: noon});
	await rentty.sees('6 Profiles');
	rentty.type(':');
	await rentty.sees(': command');
	rentty.type('price increases');
	await rentty.sees('go to Price increases');
	rentty.type('\r');
	await rentty.sees('instance_read');
	await rentty.sees('R tries again');
});

test('an answer to a price increase whose reply was lost is not said to be refused', async () => {
	await using market = await openRisen();
	await using proxy = await openFaultProxy(market.url);
	let now = noon().getTime();
	const service = {...market, url: proxy.url};
	await using rentty = openTestConsole({service, now: () => new Date(now)});
	await rentty.sees('1 alert');
	await openIncreases(rentty);
	proxy.next({method: 'PUT'}, dropReply);
	rentty.type('\r');
	await rentty.sees('ACCEPT PRICE INCREASE');
	now += 2000;
	rentty.type('y');
	const shown = await rentty.sees('No price increase waits for an answer.');
	expect(await market.present()).toMatchObject({end_date: market.laterEnd});
	expect(shown).not.toContain('Not accepted');
	expect(shown).toMatch(/may have been done\s+all the same/);
});
