import {expect, test} from 'vitest';
import {themeNames} from '../../../../source/renter/settings/default-settings.ts';
import type {TestTerminal} from '../../../helpers/console/terminal.ts';
import {openFleetConsole, soonDead} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import type {FleetMarket} from '../../../helpers/fleet/fleet.ts';
import {keepHeard, rentRunning} from '../../../helpers/market/instances.ts';
import {TEST_NOW} from '../../../helpers/market/market.ts';

const sizes = [
	{columns: 80, rows: 24},
	{columns: 140, rows: 40},
];

/** A fleet of 20 in which one is stuck: more than either screen has rows for. */
async function openLongFleet() {
	const market = await openFleetMarket();
	for (let number = 1; number <= 16; number++) {
		// oxlint-disable-next-line no-await-in-loop -- each takes GPUs that the next must not get
		await rentRunning(market.database, {label: `job-${number}`, created_at: TEST_NOW - 7200});
	}
	await keepHeard(market.database);
	return market;
}

/** Ends what runs without being asked to, as a lost container does. */
async function lose({database}: FleetMarket, ...labels: readonly string[]): Promise<void> {
	await database
		.updateTable('instances')
		.set({actual: 'exited', reported: 'exited'})
		.where('label', 'in', labels)
		.execute();
}

test.each(sizes)(
	'at $columns x $rows new trouble comes into view while nobody has moved the cursor',
	async size => {
		await using market = await openLongFleet();
		await using rentty = await openFleetConsole(market, {...size, settings: soonDead()});
		await rentty.sees('1 of 20');
		await lose(market, 'job-1', 'job-2', 'job-3');
		await rentty.pass(10);
		await rentty.pass(10);
		const shown = await rentty.sees(/x 4\b/);
		expect(shown.match(/x dead/g)).toHaveLength(3);
		expect(shown).toContain(' 1 of 20');
	},
);

test.each(sizes)(
	'at $columns x $rows trouble out of sight is counted above the rows, and ! leads to it',
	async size => {
		await using market = await openLongFleet();
		await using rentty = await openFleetConsole(market, {...size, settings: soonDead()});
		await rentty.sees('1 of 20');
		rentty.type('G');
		await rentty.sees('20 of 20');
		await lose(market, 'job-1');
		await rentty.pass(10);
		await rentty.pass(10);
		await lose(market, 'job-2');
		await rentty.pass(10);
		await rentty.pass(10);
		await rentty.sees(/^- x 1 stuck 2 dead above -+$/m);
		rentty.type('!');
		expect(await rentty.sees('1 of 3 in trouble')).toMatch(/^>.*job-2 .*x dead/m);
		rentty.type('!');
		expect(await rentty.sees('2 of 3 in trouble')).toMatch(/^>.*job-1 .*x dead/m);
		rentty.type('!');
		expect(await rentty.sees('3 of 3 in trouble')).toMatch(/^>.*train-c .*x stuck/m);
	},
);

test('a row that ends leaves the cursor where it is', async () => {
	await using market = await openLongFleet();
	await using rentty = await openFleetConsole(market, {settings: soonDead()});
	await rentty.sees('1 of 20');
	rentty.type('j');
	await rentty.sees(/^>.* vllm-2 /m);
	// Rows may move again a while after the cursor did.
	await rentty.pass(6);
	rentty.type('x');
	await rentty.reads('DESTROY');
	rentty.type('y');
	await rentty.sees('4 is gone');
	await rentty.pass(10);
	await rentty.pass(10);
	await rentty.sees(/^>.*job-13 [^]* 2 of \d+ *$/m);
});

test('what has changed is marked until somebody who saw it moves on', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {settings: soonDead()});
	expect(await rentty.sees('1 of 4')).not.toMatch(/^.:/m);
	await lose(market, 'train-a');
	await rentty.pass(10);
	await rentty.pass(10);
	expect(await rentty.sees(/x 2\b/)).toMatch(/^.:.*train-a .*x dead/m);
	rentty.type('j');
	expect(await rentty.sees('2 of 4')).not.toMatch(/^.:/m);
});

test('trouble that a filter leaves out is counted, too', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market);
	rentty.type('/');
	await rentty.sees('filter> _');
	rentty.type('train-a\r');
	await rentty.sees(/^- x 1 stuck not listed -+$/m);
	rentty.type('!');
	await rentty.sees('none that is listed');
});

/** How the first cell of a text on the screen looks. */
function looksOf({emulator}: Pick<TestTerminal, 'emulator'>, text: string, from = 0) {
	const {active} = emulator.buffer;
	for (let row = 0; row < emulator.rows; row++) {
		const line = active.getLine(row);
		const column = line?.translateToString().indexOf(text) ?? -1;
		const cell = column === -1 ? undefined : line?.getCell(column + from);
		if (cell === undefined) continue;
		return {
			sign: cell.getChars(),
			colour: cell.getFgColor(),
			isBold: cell.isBold() !== 0,
			isDim: cell.isDim() !== 0,
			isUnderlined: cell.isUnderline() !== 0,
			isReversed: cell.isInverse() !== 0,
		};
	}
	throw new Error(`${text} is not on the screen`);
}

test.each(themeNames)('in the theme %s a state looks like what it means', async theme => {
	await using market = await openFleetMarket();
	const environment = {LANG: 'C', RENTTY_THEME: theme};
	await using rentty = await openFleetConsole(market, {environment});
	await rentty.sees(/stuck.*1 of 4/s);
	const [stuck, stopped] = [looksOf(rentty, 'x stuck'), looksOf(rentty, 'o stopped')];
	expect({...stuck, sign: ''}).not.toEqual({...stopped, sign: ''});
	expect({...looksOf(rentty, 'x stuck', 2), sign: ''}).toEqual({...stuck, sign: ''});
});

test.each(sizes)('at $columns x $rows the whole row under the cursor stands out', async size => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, size);
	await rentty.sees(/stuck.*1 of 4/s);
	for (const text of ['> train-c', 'train-c', '3080 Ti', 'x stuck']) {
		expect(looksOf(rentty, text)).toMatchObject({isReversed: true});
	}
	expect(looksOf(rentty, '~ provisioning')).toMatchObject({isReversed: false});
	expect(looksOf(rentty, '* running')).toMatchObject({colour: 2});
});

test('fresh trouble is reversed for a minute', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {settings: soonDead()});
	await lose(market, 'train-a');
	await rentty.pass(10);
	await rentty.pass(10);
	rentty.type('j');
	await rentty.sees(/x dead[^]* 2 of 4/);
	expect(looksOf(rentty, 'x dead').isReversed).toBe(true);
	expect(looksOf(rentty, 'x stuck').isReversed).toBe(false);
	// An answer that comes late proves it later, and its minute begins then.
	const later = async () => {
		await rentty.pass(10);
		return looksOf(rentty, 'x dead').isReversed;
	};
	await expect.poll(later).toBe(false);
	expect(await rentty.sees(/x dead exited +\d+m/)).not.toMatch(/x dead exited +0m/);
});
