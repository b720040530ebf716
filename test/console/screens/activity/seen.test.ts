import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openFleetConsole, soonDead} from '../../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';

const readText = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

test('what was only seen is listed on demand, in the words of the screens', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {
		columns: 140,
		rows: 40,
		settings: soonDead(),
	});
	await market.database
		.updateTable('instances')
		.set({actual: 'exited', reported: 'exited'})
		.where('id', '=', market.running.id)
		.execute();
	await rentty.pass(10);
	await rentty.pass(10);
	await rentty.sees(/x 1\b/);
	rentty.type('5');
	await rentty.sees(/0 entries \. v shows \d seen/);
	rentty.type('v');
	await rentty.sees(/seen +1 train-a .*now (?:exited|dead)/);
});

test('a sweep that was taken back is listed as that', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-journal-'));
	const journalFile = join(folder, 'journal');
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole({...market, journalFile});
	rentty.type('X');
	await rentty.reads('SWEEP: DESTROY INSTANCE');
	rentty.type('y');
	await rentty.sees('u takes it back');
	rentty.type('u');
	await rentty.sees('Taken back');
	await expect.poll(() => readText(journalFile)).toContain('taken back');
	rentty.type('5');
	await rentty.sees(/destroy +2 .*taken back/);
	rmSync(folder, {recursive: true});
});
