import {expect, test} from 'vitest';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket, type FleetMarket} from '../../../helpers/fleet/fleet.ts';

async function relabel({database}: FleetMarket, label: string): Promise<void> {
	await database.updateTable('instances').set({label}).where('id', '=', 2).execute();
}

async function recordIn({database}: FleetMarket): Promise<unknown> {
	const found = database.selectFrom('instances').select(['label', 'destroyed_at', 'intended']);
	return found.where('id', '=', 2).executeTakeFirst();
}

test.each([
	['x', /DESTROY.*train-c/s, 'running'],
	['S', /STOP.*train-c/s, 'running'],
])(
	'after %s what became another before its end is left, and the line says what changed',
	async (key, question, intended) => {
		await using market = await openFleetMarket();
		await using rentty = await openFleetConsole(market, {columns: 120});
		await rentty.sees(/stuck.*1 of 4/s);
		rentty.type(key);
		await rentty.reads(question);
		await relabel(market, 'prod');
		rentty.type('y');
		await rentty.sees('its label was train-c, and is prod now');
		expect(await recordIn(market)).toEqual({label: 'prod', destroyed_at: null, intended});
	},
);

test.each([
	['prod', 'its label was train-c, and is prod now'],
	['train-c [lease1 e1895003600 td]', 'its lease changed meanwhile'],
])(
	'what a poll shows to be labelled %s while it is reviewed is named there, and asked about again',
	async (label, change) => {
		await using market = await openFleetMarket();
		await using rentty = await openFleetConsole(market, {columns: 120});
		await rentty.sees(/stuck.*1 of 4/s);
		rentty.type('x');
		await rentty.reads(/DESTROY.*train-c/s);
		await relabel(market, label);
		await rentty.pass(11);
		await rentty.sees(`CHANGED train-c: ${change}.`);
		rentty.type('y');
		await rentty.sees('were dropped (1)');
		expect(await recordIn(market)).toMatchObject({label, destroyed_at: null});
		await rentty.pass(1);
		rentty.type('y');
		await rentty.sees('2 is gone.');
	},
);
