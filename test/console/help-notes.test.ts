import {expect, test} from 'vitest';
import {openTestConsole} from '../helpers/console.ts';

test('help says what the signs of states mean, and finds them by any word of theirs', async () => {
	await using rentty = openTestConsole({columns: 140, rows: 40});
	await rentty.sees('Searching');
	rentty.type('?');
	await rentty.sees('HELP');
	rentty.type('undead');
	expect(await rentty.sees('! UNDEAD')).toContain('destroyed, and still listed');
	rentty.type('\u0015');
	rentty.type('never');
	const shown = await rentty.sees(/Ctrl-D +moves half a page, it never deletes/);
	expect(shown).toContain('safe by design'.toUpperCase());
});
