import {expect, test} from 'vitest';
import {endlessLease, readLabel} from '../../../../source/renter/words/lease.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket, type FleetMarket} from '../../../helpers/fleet/fleet.ts';
import {HOUR} from '../../../../source/contract/rules/durations.ts';

async function leaseIn({database}: FleetMarket) {
	const rows = database.selectFrom('instances').select('label').where('id', '=', 1);
	const {lease} = readLabel((await rows.executeTakeFirstOrThrow()).label);
	return lease ?? endlessLease;
}

/** The deadline is put off by another program, of which the list does not know yet. */
async function putOff({database}: FleetMarket, from: number, by: number): Promise<void> {
	const {label} = await database
		.selectFrom('instances')
		.select('label')
		.where('id', '=', 1)
		.executeTakeFirstOrThrow();
	const later = label?.replace(`e${from}`, `e${from + by}`) ?? null;
	await database.updateTable('instances').set({label: later}).where('id', '=', 1).execute();
}

/** A console with an instance that ends in two hours, and the deadline of that. */
async function openLeased(market: FleetMarket) {
	const rentty = await openFleetConsole(market);
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('L');
	await rentty.sees('ends by itself');
	rentty.type('for 2h then destroy');
	await rentty.sees(/That is/);
	rentty.type('\r');
	await rentty.sees('for 2h then destroy. Confirmed: market.');
	return {...rentty, before: (await leaseIn(market)).endsAt ?? NaN};
}

test('a deadline that is put off twice at once is two hours later', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openLeased(market);
	rentty.type('+');
	await rentty.sees('its new end goes to all');
	rentty.type('+');
	await rentty.sees('for 4h then destroy. Confirmed');
	expect(await leaseIn(market)).toMatchObject({endsAt: rentty.before + 2 * HOUR});
});

test('a deadline that was put off elsewhere is put off from there', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openLeased(market);
	await putOff(market, rentty.before, 46 * HOUR);
	rentty.type('+');
	await rentty.sees('for 2d1h then destroy. Confirmed');
	expect(await leaseIn(market)).toMatchObject({endsAt: rentty.before + 47 * HOUR});
});

test('an instance that is kept ends when it was put off to while the question was open', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openLeased(market);
	rentty.type('K');
	await rentty.reads('KEEP INSTANCE');
	await putOff(market, rentty.before, 46 * HOUR);
	rentty.type('y');
	await rentty.sees('for 2d');
	const kept = {endsAt: rentty.before + 46 * HOUR, isKept: true};
	await expect.poll(async () => leaseIn(market)).toMatchObject(kept);
});
