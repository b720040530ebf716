import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openHome} from '../helpers/commands/home.ts';

const line = {bytesPerSecond: 960, delayMs: 300};
/**
 * What is on its way at most: two round trips, which a busy machine lengthens, and one frame of keys. A
 * program that does not wait for its terminal has 24 kB on the way after those keys.
 */
const MOST_WAITING = 5300;

test('over 960 bytes a second a held key, and leaving, wait for no more than a screen is long', async () => {
	using home = openHome();
	await using terminal = home.open([], {line});
	await terminal.sees(/1 of 1,[^]*slow line|slow line[^]*1 of 1,/);
	let most = 0;
	for (let press = 0; press < 90; press += 1) {
		terminal.type('j');
		// oxlint-disable-next-line no-await-in-loop -- a key that is held repeats
		await sleep(33);
		most = Math.max(most, terminal.waiting());
	}
	expect(most).toBeLessThan(MOST_WAITING);
	await terminal.sees('91 of 1,');
	terminal.type('k'.repeat(5));
	terminal.type('q');
	const written = terminal.raw().length;
	expect(await terminal.ends()).toBe(0);
	expect(terminal.raw().length - written).toBeLessThan(MOST_WAITING);
	await expect.poll(terminal.isAlternate).toBe(false);
});
