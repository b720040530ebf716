import {withoutBox} from '../../../helpers/console/box.ts';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openUndoHistory} from '../../../../source/renter/actions/undo-history.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {createGate, delayed} from '../../../helpers/services/faults.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

async function labelled(market: Awaited<ReturnType<typeof openFleetMarket>>, id: number) {
	const {label} = await market.database
		.selectFrom('instances')
		.select('label')
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	return label;
}

type Rentty = Awaited<ReturnType<typeof openFleetConsole>>;

/** Changes the label of the instance under the cursor. */
async function relabel(rentty: Rentty, more: string): Promise<void> {
	rentty.type('e');
	await rentty.sees('label> train-c_');
	await rentty.enter(more);
	await rentty.sees(`label> train-c${more}_`);
	rentty.type('\r');
	await rentty.sees(`is labelled "train-c${more}".`);
}

test('a label that was changed is listed after a restart, and taken back once it was asked for again', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'undo.json');
	await using market = await openFleetMarket();
	const {id} = market.stuck;
	{
		await using rentty = await openFleetConsole(market, {undo: openUndoHistory(file)});
		await relabel(rentty, '-2');
		await expect.poll(() => readFileSync(file, 'utf8')).toContain('train-c-2');
	}
	expect(statSync(file).mode & 0o777).toBe(0o600);
	await using rentty = await openFleetConsole(market, {undo: openUndoHistory(file)});
	rentty.type('Z');
	expect(await rentty.sees('can be taken back')).toMatchInlineSnapshot(`
		" practice . no money  . $0.24/h max 0.62  4 no end $0.24/h       * 1  x 1  12:41
		0 Overview 1 Offers [2 Instances 1!] 3 Templates 4 Keys 5 Activity 6 Profiles
		Changes that can be taken back
		--------------------------------------------------------------------------------
		  WHEN        WHAT             ABOUT                  BACK TO
		> 11-21 12:41 label            2 train-c-2            train-c














		------------------------------------------------------------------------ 1 of 1
		 label of 2 train-c-2: train-c.

		Enter take back  ? help  a actions  q quit"
	`);
	rentty.type('\r');
	expect(withoutBox(await rentty.reads('since then'))).toMatch(
		/back to +train-c\n since then +nothing has changed/,
	);
	rentty.type('y');
	await rentty.sees('Taken back: label of');
	expect(await labelled(market, id)).toBe('train-c');
	// Within a minute both are one change, which ended where it began.
	await rentty.sees('Nothing can be taken back.');
	await expect.poll(() => readFileSync(file, 'utf8')).toContain('"changes":[]');
});

test('what changed since is said before anything is sent, at 140x40', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns: 140, rows: 40});
	await relabel(rentty, '-2');
	await market.database
		.updateTable('instances')
		.set({label: 'from elsewhere'})
		.where('id', '=', market.stuck.id)
		.execute();
	rentty.type('Z');
	await rentty.sees('can be taken back');
	rentty.type('\r');
	const asked = withoutBox(await rentty.reads('its label became "from elsewhere"'));
	expect(asked.split('\n').slice(2, 12).join('\n')).toMatchInlineSnapshot(`
		"TAKE BACK CHANGE as of 12:41:07

		 1  label of 2 train-c-2

		 back to     train-c
		 since then  its label became "from elsewhere"


		 > [ Cancel ]     [ Take back ]
		"
	`);
	rentty.type('n');
	await rentty.sees('Changes that can be taken back');
	expect(await labelled(market, market.stuck.id)).toBe('from elsewhere');
});

test('columns that were chosen go back to what they were', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('w');
	rentty.type('Z');
	await rentty.sees(/view +columns +-instances/);
	rentty.type('\r');
	await rentty.reads('since then');
	rentty.type('y');
	await rentty.sees('Taken back: view of columns');
});

test('without changes the screen says what would be listed', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('Z');
	await rentty.sees('Nothing can be taken back.');
	rentty.type('\r');
	await rentty.sees(/nothing can be\s+taken\s+back/);
});

test('of two changes that are asked for, the last one is asked about, and is taken back', async () => {
	await using market = await openFleetMarket();
	await using proxy = await openFaultProxy(market.url);
	await using rentty = await openFleetConsole(market, {through: proxy});
	await relabel(rentty, '-2');
	rentty.type('wZ');
	await rentty.sees('1 of 2');
	const read = createGate();
	proxy.next({method: 'GET', path: /\/instances\//}, delayed(read.opened), 100);
	rentty.type('j');
	await rentty.sees('2 of 2');
	rentty.type('\r');
	await rentty.sees('Asking how it is at present');
	rentty.type('k');
	await rentty.sees('1 of 2');
	rentty.type('\r');
	const asked = await rentty.reads('since then');
	expect(asked).toContain('view of columns');
	read.open();
	// The answer about the other one has come by the time of one that is asked for after it.
	await rentty.listed();
	await rentty.pass(1);
	rentty.type('y');
	await rentty.sees('Taken back: view of columns');
	expect(await labelled(market, market.stuck.id)).toBe('train-c-2');
});
