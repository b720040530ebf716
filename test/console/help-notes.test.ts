import {expect, test} from 'vitest';
import {openTestConsole} from '../helpers/console/console.ts';

test('help says what the signs of states mean, and finds them by any word of theirs', async () => {
	await using rentty = openTestConsole({columns: 140, rows: 40});
	await rentty.sees('Searching');
	rentty.type('?');
	await rentty.sees('HELP');
	rentty.type('stuck longer');
	expect(await rentty.sees(/page 1\/1\b.*stuck longer than your limit/s)).toContain(
		'destroyed and still listed',
	);
	rentty.type('\u0015');
	rentty.type('never');
	const shown = await rentty.sees(/Ctrl-D +moves half a page, it never deletes/);
	expect(shown).toContain('safe by design'.toUpperCase());
});

test.each(['1', '2'])(
	'at 80 columns every line of the help of screen %s is whole',
	async screen => {
		await using rentty = openTestConsole();
		await rentty.sees('Searching');
		rentty.type(screen);
		rentty.type('?');
		let shown = await rentty.sees(/HELP.*page 1\/\d/s);
		const pages = Number(/page 1\/(\d+)/.exec(shown)?.[1]);
		for (let page = 1; page <= pages; page++) {
			// oxlint-disable-next-line no-await-in-loop -- a page is turned after the one before
			shown = await rentty.sees(`page ${page}/${pages}`);
			expect(shown).not.toContain('…');
			rentty.type('\u001B[6~');
		}
	},
);
