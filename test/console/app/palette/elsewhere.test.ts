import {expect, test} from 'vitest';
import type {KeptLists} from '../../../../source/renter/fleet/kept-list.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openProfiles} from '../../../helpers/console/profiles.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';

const NOW = new Date(2026, 10, 21, 12, 41, 7);

/** A console of one profile, where the other one was listed three hours ago. */
async function openTwo(size: {readonly columns?: number; readonly rows?: number} = {}) {
	const market = await openFleetMarket();
	const asked: string[] = [];
	const lists: KeptLists = {
		follow: () => () => {},
		of({name}) {
			asked.push(name);
			if (name !== 'staging') return undefined;
			return {
				at: NOW.getTime() - 3 * 3_600_000,
				instances: [
					{
						id: 5,
						label: 'train-eu\u001B[2J',
						state: 'stopped',
						gpus: '1x RTX 4090',
						perHour: 0.028,
					},
				],
			};
		},
	};
	const user = openProfiles(() => [
		{name: 'prod', url: market.url, 'key-file': '/nowhere'},
		{name: 'staging', url: 'http://127.0.0.1:1', 'key-file': '/nowhere'},
	]);
	const settings = createSettingsStore(defaultSettings);
	const rentty = openTestConsole({
		service: market,
		switcher: user.switcher,
		lists,
		settings,
		now: () => NOW,
		...size,
	});
	rentty.type('2');
	await rentty.sees('1 of 4');
	return {
		...rentty,
		asked,
		user,
		settings,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			user[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test.each([
	[60, 15],
	[80, 24],
	[140, 40],
])(
	'at %dx%d an instance of another profile is found in its last list, and opened with its profile',
	async (columns, rows) => {
		await using two = await openTwo({columns, rows});
		two.type(':');
		await two.sees('command');
		two.type('train-');
		const shown = await two.sees(/train-eu/);
		// Those of the open profile come first.
		expect(shown.indexOf('train-c')).toBeLessThan(shown.indexOf('train-eu'));
		two.type('eu');
		await two.sees(/> train-eu.* stopped @stag/);
		if (columns > 60) await two.sees(/ stopped @staging 3h/);
		// The list is read as the palette opens, once, and nothing is asked of the other service.
		expect(two.asked).toEqual(['staging', 'practice']);
		two.type('\r');
		await expect
			.poll(two.user.opened)
			.toMatchObject([{kind: 'profile', profile: {name: 'staging'}}]);
		expect(two.written()).not.toContain('train-eu\u001B[2J');
	},
);

test('a setting is found by its name: a switch is turned, and of others it is said where they are', async () => {
	await using two = await openTwo();
	two.type(':');
	await two.sees('command');
	two.type('s: notify.bell');
	await two.sees(/> notify\.bell +setting: on, Enter: off/);
	two.type('\r');
	await two.sees('notify.bell was on, and is turned.');
	expect(two.settings.get().notify.bell).toBe(false);
	two.type(':');
	await two.sees('command');
	two.type('bootMinutes');
	await two.sees('> limits.bootMinutes');
	two.type('\r');
	await two.sees('limits.bootMinutes is 10. settings.json says it');
});

test('help is found by what a key does anywhere, and leads to all keys of that place', async () => {
	await using two = await openTwo();
	two.type(':');
	await two.sees('command');
	two.type('?: smoother curve');
	await two.sees(/> a smoother curve +\) +help: Run/);
	expect(await two.shown()).toMatch(/1 found: 1 help topic \(\?:\)/);
	two.type('\r');
	await two.sees('a rougher curve');
	two.type('\u001B');
	await two.sees('1 of 4');
});
