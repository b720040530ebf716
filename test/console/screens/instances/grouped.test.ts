import {expect, test} from 'vitest';
import {openFleetConsole} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {keepHeard, rentRunning} from '../../../helpers/market/instances.ts';
import {TEST_NOW} from '../../../helpers/market/market.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {
	defaultSettings,
	type CustomCommand,
} from '../../../../source/renter/settings/default-settings.ts';
import type {OutsideCommand} from '../../../../source/console/services/outside-program.ts';

/** A fleet of eight: three of train, one of them stuck, three of job, and two alone. */
async function openGroupedFleet() {
	const market = await openFleetMarket();
	for (const label of ['train-x', 'job-1', 'job-2', 'job-3']) {
		// oxlint-disable-next-line no-await-in-loop -- each takes GPUs that the next must not get
		await rentRunning(market.database, {label, created_at: TEST_NOW - 7200});
	}
	await keepHeard(market.database);
	return market;
}

/** The lines between the titles of the columns and the rule below the rows. */
function rowsOf(shown: string): readonly string[] {
	const lines = shown.split('\n');
	const start = lines.findIndex(line => line.includes('AT MOST')) + 1;
	const end = lines.findIndex((line, at) => at > start && / \d+ of \d+$/.test(line));
	return lines.slice(start, end).filter(line => line.trim() !== '');
}

test.each([
	{columns: 80, rows: 24},
	{columns: 140, rows: 40},
])('at $columns x $rows & groups by label, and Enter opens and folds a group', async size => {
	await using market = await openGroupedFleet();
	await using rentty = await openFleetConsole(market, size);
	await rentty.sees('1 of 8');
	rentty.type('&');
	await rentty.sees('GROUP INSTANCES BY');
	rentty.type('\r');
	const folded = rowsOf(await rentty.sees(/AT MOST.*1 of 4/s));
	expect(folded[0]).toMatch(/[+] train +3 +x 1 stuck/);
	expect(folded[1]).toMatch(/[+] job +3 +[*] 3 of 3 run/);
	rentty.type('\r');
	const open = rowsOf(await rentty.sees(/AT MOST.*1 of 7/s));
	expect(open[0]).toMatch(/- train/);
	expect(open.slice(1, 4).join('\n')).toMatch(
		/\d train-c .*stuck loading(.|\n)*train-[ax](.|\n)*train-[ax]/,
	);
	rentty.type('\r');
	await rentty.sees(/[+] train(.|\n)*1 of 4/);
	rentty.type('\u001B');
	await rentty.sees(/1 of 8/);
});

test('trouble in a folded group is in its row, and ! goes into it', async () => {
	await using market = await openGroupedFleet();
	await using rentty = await openFleetConsole(market);
	await rentty.sees('1 of 8');
	rentty.type('&');
	await rentty.sees('GROUP INSTANCES BY');
	rentty.type('\r');
	const shown = await rentty.sees(/AT MOST.*1 of 4/s);
	expect(shown).not.toMatch(/stuck (?:above|below|not listed)/);
	rentty.type('!');
	const after = await rentty.sees('1 of 1 in trouble');
	expect(after).toMatch(/> *.? *\d+ train-c/);
	expect(after).toContain('2 of 7');
	rentty.type('\r');
	await rentty.sees(/TIMELINE|Timeline|stuck/);
});

test('what is marked or destroyed as a group goes through the review of all its instances', async () => {
	await using market = await openGroupedFleet();
	await using rentty = await openFleetConsole(market);
	await rentty.sees('1 of 8');
	rentty.type('&');
	await rentty.sees('GROUP INSTANCES BY');
	rentty.type('\r');
	await rentty.sees(/AT MOST.*1 of 4/s);
	rentty.type('j');
	await rentty.sees('2 of 4');
	rentty.type('x');
	const review = await rentty.reads(/Destroy|DESTROY/);
	for (const label of ['job-1', 'job-2', 'job-3']) expect(review).toContain(label);
	expect(review).not.toContain('train');
	rentty.type('\u001B');
	await rentty.sees('2 of 4');
	expect(await rentty.listed()).toHaveLength(8);
});

const endIt: CustomCommand = {
	name: 'end it',
	key: 'F5',
	screen: 'instances',
	command: ['rentty', 'destroy', '--yes', '{id}'],
	runs: 'aside',
	asks: false,
};

test("a command of the user's own and the pane of the record are about the row that is shown, not about the list behind", async () => {
	await using market = await openGroupedFleet();
	const ran: OutsideCommand[] = [];
	await using rentty = await openFleetConsole(market, {
		settings: createSettingsStore({...defaultSettings, commands: [endIt]}),
		async run(command) {
			ran.push(command);
			return {kind: 'ended', code: 0};
		},
	});
	await rentty.sees('1 of 8');
	rentty.type('&');
	await rentty.sees('GROUP INSTANCES BY');
	rentty.type('\r');
	await rentty.sees(/AT MOST.*1 of 4/s);
	rentty.type('\u001B[15~');
	await rentty.sees('Not now: there is no row to run it for.');
	rentty.type('j\rj');
	const [, id = ''] = /> +(\d+) job-/.exec(await rentty.sees(/> +\d+ job-[^]* 3 of 7/)) ?? [];
	rentty.type('\u001B[15~');
	await rentty.sees('end it: done');
	expect(ran.map(({args}) => args.at(-1))).toEqual([id]);
	rentty.type('zii');
	expect(await rentty.sees('as the service sent it')).toContain(`RAW  ${id} job-`);
});
