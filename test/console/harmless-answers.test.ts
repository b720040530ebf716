import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openTestConsole} from '../helpers/console/console.ts';
import {openFleetConsole} from '../helpers/console/fleet-console.ts';
import {openHarmfulService} from '../helpers/services/harmful-service.ts';
import {harmfulText, textsOfAll} from '../helpers/services/harmful-text.ts';
import {openFolder} from '../helpers/folder.ts';
import {openProfiles} from '../helpers/console/profiles.ts';
import {foreignIn} from '../helpers/console/terminal-bytes.ts';

const [enter, tab, pageDown] = ['\r', '\t', '\u001B[6~'];
const look = {columns: 200, rows: 60, environment: {LANG: 'C.UTF-8'}};

test('what a service says of what was sent is seen, and no more', async () => {
	await using service = await openHarmfulService();
	await using rentty = await openFleetConsole({url: service.url, key: 'k'}, look);
	for (const [keys, seen] of [
		['e', /Label of/],
		[enter, /is labelled ".*�/],
		['3', / {2}Templates {2}[^]*\n▌ u�v/],
		['x', /Tab other button/],
		['delete', /> delete_/],
		[tab, /> \[ Delete \]/],
		[enter, /Enter view/],
		['4', / {2}Keys {2}[^]*\n▌ u�v/],
		['x', /Tab other button/],
		['y', /R re-check/],
	] as const) {
		rentty.type(keys);
		await rentty.reads(seen);
	}
	expect(foreignIn(rentty.written())).toEqual([]);
});

test('refusals are seen on every screen, and do no more', async () => {
	await using service = await openHarmfulService({isRefusing: true});
	await using rentty = openTestConsole({service: {url: service.url, key: 'k'}, ...look});
	for (const [keys, seen] of [
		['1', /u�v|u v/],
		['2', /u�v|u v/],
		['3', /u�v|u v/],
		['4', /u�v|u v/],
		['$', /u�v|u v/],
		[enter, /volumes of the account.*u v/],
	] as const) {
		rentty.type(keys);
		await rentty.sees(seen);
	}
	expect(foreignIn(rentty.written())).toEqual([]);
});

test('the journal shows what was once sent and answered, and no more', async () => {
	await using service = await openHarmfulService();
	using folder = openFolder();
	const journalFile = join(folder.path, 'journal');
	const at = new Date(2026, 10, 21, 12, 30).toISOString();
	const lines = Array.from({length: textsOfAll}, (_, number) => {
		const [text, request] = [harmfulText(number), `${number}`];
		return [
			{kind: 'wish', request: text + request, at, action: text, target: text},
			{kind: 'wish', request, at, action: 'instances.change', label: text},
			{kind: 'answer', request, at, outcome: 'refused', says: text},
		];
	});
	writeFileSync(
		journalFile,
		lines
			.flat()
			.map(line => `${JSON.stringify(line)}\n`)
			.join(''),
	);
	const to = {url: service.url, key: 'k', journalFile};
	await using rentty = openTestConsole({service: to, ...look});
	for (const [keys, seen] of [
		['5', /▌ .*u�v/],
		[pageDown, /▌ .*u�v/],
		[enter, /asked for/],
		[pageDown, /u�v/],
	] as const) {
		rentty.type(keys);
		await rentty.sees(seen);
	}
	expect(foreignIn(rentty.written())).toEqual([]);
});

test('whose key it is, and whatever profiles are called, is seen and no more', async () => {
	await using service = await openHarmfulService();
	const name = 'prod';
	using user = openProfiles(home => [
		{name, url: service.url, 'key-file': `${home}/prod`},
		{name: 'other', url: service.url, 'key-command': ['cat', '\u001B[2J\u202E']},
	]);
	user.write('prod', 'k');
	user.switcher.foundKey('k');
	await using rentty = openTestConsole({
		service: {url: service.url, key: 'k'},
		switcher: user.switcher,
		...look,
	});
	for (const [keys, seen] of [
		['6', /▌ prod/],
		['R', /u�v|may|ok/],
		['j', /▌ other/],
		['i', /settings/i],
		['i', /▌ other/],
		['k', /▌ prod/],
		['e', /Profiles > prod/],
	] as const) {
		rentty.type(keys);
		await rentty.sees(seen);
	}
	expect(foreignIn(rentty.written())).toEqual([]);
});
