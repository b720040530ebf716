import {expect, test} from 'vitest';
import {openTemplates} from './open-templates.ts';

test('L says when what is rented with a template ends, which its form proposes and edits keep', async () => {
	await using rentty = await openTemplates();
	rentty.type('L');
	await rentty.sees('When what is rented with torch ends by itself');
	await rentty.press('idle 30m then ');
	await rentty.sees('expected one of stop, destroy, stop-destroy');
	await rentty.press('stop', '\r');
	await rentty.sees('What is rented with torch ends by itself idle 30m then stop.');
	await rentty.sees('rentals end: idle 30m then stop');
	expect(rentty.settings.get().templateLeases).toEqual({[rentty.hash]: 'idle 30m then stop'});
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t', '\t', '\r', '.', '1', '\r', '\u001B[F', 'k', 'k', '\r');
	await rentty.sees('Saved. Its hash is ..');
	await rentty.sees('rentals end: idle 30m then stop');
	expect(Object.keys(rentty.settings.get().templateLeases)).not.toContain(rentty.hash);
	rentty.read();
	await rentty.press('L', '\u0015', '\r');
	await rentty.sees('ends by itself as the settings say: none.');
	expect(rentty.settings.get().templateLeases).toEqual({});
});
