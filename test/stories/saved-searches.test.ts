import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openPty} from '../helpers/pty.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** A user's home of its own, in which nothing has happened yet. */
function openHome() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	const file = join(folder, 'config', 'rentty', 'settings.json');
	const env = {
		HOME: folder,
		XDG_DATA_HOME: join(folder, 'data'),
		XDG_CONFIG_HOME: join(folder, 'config'),
		XDG_STATE_HOME: join(folder, 'state'),
		XDG_CACHE_HOME: join(folder, 'cache'),
	};
	return {
		file,
		open: () => openPty(rentty, [], {env}),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true}),
	};
}

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
	expect(JSON.parse(readFileSync(home.file, 'utf8'))).toEqual({
		searches: [{name: 'pairs', words: '4090 x2'}],
	});
	await using terminal = home.open();
	await terminal.sees(/1 of [\d,]+/);
	terminal.type('b');
	await terminal.sees(/> pairs +4090 x2/);
	terminal.type('\r');
	await terminal.sees(/gpu=.*4090.* qty=2/);
	await terminal.sees(/1 of \d+$/m);
});

test('a settings file that is saved by hand holds at once, and a broken one is said with its line', async () => {
	using home = openHome();
	mkdirSync(join(home.file, '..'), {recursive: true});
	await using terminal = home.open();
	await terminal.sees('price incl. 40G disk');
	writeFileSync(home.file, '{"diskGb": 120}');
	await terminal.sees('price incl. 120G disk');
	writeFileSync(home.file, '{\n"diskGb": 2}');
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
