import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openHome} from '../helpers/commands/home.ts';

/** What the user has set, in a home. */
const settingsIn = ({config}: {readonly config: string}) => join(config, 'settings.json');

test('someone saves a search, leaves, comes back another day and finds it again', async () => {
	using home = openHome();
	{
		await using terminal = home.open();
		await terminal.sees(/1 of [\d,]+/);
		terminal.type('/');
		await terminal.sees('filter> _');
		terminal.type('4090 x2\r');
		await terminal.sees(/gpu=.*4090.* qty=2/);
		terminal.type('b');
		await terminal.sees('Nothing is saved');
		terminal.type('n');
		await terminal.sees('name> _');
		terminal.type('pairs');
		await terminal.sees('name> pairs_');
		terminal.type('\r');
		await terminal.sees('Saved as "pairs".');
		terminal.type('q');
		await terminal.sees(/1 of \d+/);
		terminal.type('q');
		expect(await terminal.ends()).toBe(0);
	}
	expect(JSON.parse(readFileSync(settingsIn(home), 'utf8'))).toEqual({
		searches: [{name: 'pairs', words: '4090 x2'}],
	});
	await using terminal = home.open();
	await terminal.sees(/1 of [\d,]+/);
	terminal.type('b');
	await terminal.sees(/▌ pairs +4090 x2/);
	terminal.type('\r');
	await terminal.sees(/gpu=.*4090.* qty=2/);
	await terminal.sees(/1 of \d+$/m);
});

test('a settings file that is saved by hand holds at once, and a broken one is said with its line', async () => {
	using home = openHome();
	mkdirSync(home.config, {recursive: true});
	await using terminal = home.open();
	await terminal.sees('price incl. 40G disk');
	writeFileSync(settingsIn(home), '{"diskGb": 120}');
	await terminal.sees('price incl. 120G disk');
	writeFileSync(settingsIn(home), '{\n"diskGb": 2}');
	await terminal.sees(/settings\.json line 2/);
	await terminal.sees('price incl. 120G disk');
});

test('the name of the window is that of rentty while it runs, and its own again afterwards', async () => {
	using home = openHome();
	await using terminal = home.open();
	await terminal.sees(/1 of [\d,]+/);
	expect(terminal.raw().startsWith('\u001B[22;0t')).toBe(true);
	expect(terminal.raw()).toContain('\u001B]0;rentty\u0007');
	terminal.type('m');
	await terminal.sees('below $/h>');
	terminal.type('1000\r');
	await terminal.sees(/^Offer \d+, /m);
	// oxlint-disable-next-line no-control-regex -- these are the bytes that name a window
	await expect.poll(terminal.raw).toMatch(/\u001B\]0;rentty \d+!\u0007/);
	expect(terminal.raw()).toContain('\u0007');
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	expect(terminal.raw()).toContain('\u001B[23;0t');
});
