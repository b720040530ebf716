import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {openProfileBook} from '../../source/renter/profiles/profile-file.ts';
import {readSettings} from '../../source/renter/settings/settings.ts';
import {openSettingsFile} from '../../source/renter/settings/settings-file.ts';
import {openFolder} from '../helpers/folder.ts';

const inRenter = (file: string) =>
	JSON.stringify(new URL(`../../source/renter/${file}`, import.meta.url).href);

/** Runs a script in several processes at once, each with a name of its own, until all have ended. */
async function runTogether(code: string, folder: string, names: readonly string[]): Promise<void> {
	const started = names.map(name =>
		spawn(process.execPath, ['--input-type=module', '-e', code, folder, name], {
			stdio: ['pipe', 'pipe', 'inherit'],
		}),
	);
	// All of them are loaded before any of them begins.
	await Promise.all(started.map(async ({stdout}) => once(stdout, 'data')));
	for (const {stdin} of started) stdin.end('go');
	await Promise.all(started.map(async child => once(child, 'exit')));
	expect(started.map(({exitCode}) => exitCode)).toEqual(names.map(() => 0));
}

const begin = `
	process.stdout.write('ready');
	await new Promise(resolve => process.stdin.once('data', resolve));
	const [, folder, name] = process.argv;`;

test('two consoles that change settings at the same time lose nobody’s change', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'settings.json');
	writeFileSync(file, JSON.stringify({searches: [{name: 'kept', words: '4090'}], ours: true}));
	const code = `
		import {readFileSync} from 'node:fs';
		const {openSettingsFile} = await import(${inRenter('settings/settings-file.ts')});
		const {readSettings} = await import(${inRenter('settings/settings.ts')});
		${begin}
		const file = folder + '/settings.json';
		const text = readFileSync(file, 'utf8');
		const settings = openSettingsFile({file, text, initial: readSettings(file, text).settings});
		const stop = settings.follow();
		for (let at = 0; at < 20; at++) {
			const {searches, columns} = settings.get();
			settings.change({searches: [...searches, {name: name + at, words: ''}]});
			const choice = {set: 'wide', visible: {}, order: [], widths: {}};
			settings.change({columns: {...columns, [name + at]: choice}});
			await new Promise(resolve => setImmediate(resolve));
		}
		stop();
		// What is not ours in the file may be told of meanwhile.
		const problem = settings.problem.get() ?? '';
		if (problem !== '' && !problem.includes('"ours" is not a setting')) throw new Error(problem);`;
	await runTogether(code, folder.path, ['a', 'b', 'c']);
	const {settings} = readSettings(file, readFileSync(file, 'utf8'));
	const all = ['a', 'b', 'c'].flatMap(name => Array.from({length: 20}, (_, at) => `${name}${at}`));
	const names = settings?.searches.map(({name}) => name);
	expect(names?.toSorted()).toEqual([...all, 'kept'].toSorted());
	expect(Object.keys(settings?.columns ?? {}).toSorted()).toEqual(all.toSorted());
	expect(readFileSync(file, 'utf8')).toContain('"ours": true');
	expect(readdirSync(folder.path)).toEqual(['settings.json']);
});

/** A console that does not hear of what is saved, as between two looks at the file. */
function openConsole(file: string, searches: readonly string[]) {
	const found = searches.map(name => ({name, words: ''}));
	const text = JSON.stringify({searches: found});
	return openSettingsFile({file, text, initial: {...defaultSettings, searches: found}});
}

test('what one console removes is not brought back by another, and what it adds is not removed', () => {
	using folder = openFolder();
	const file = join(folder.path, 'settings.json');
	writeFileSync(file, '{"searches": [{"name": "x", "words": ""}, {"name": "y", "words": ""}]}');
	const [first, second] = [openConsole(file, ['x', 'y']), openConsole(file, ['x', 'y'])];
	first.change({searches: first.get().searches.slice(1)});
	second.change({searches: [...second.get().searches, {name: 'z', words: ''}]});
	first.change({limits: {...first.get().limits, bootMinutes: 3}});
	second.change({limits: {...second.get().limits, idleMinutes: 4}});
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
		searches: [
			{name: 'y', words: ''},
			{name: 'z', words: ''},
		],
		limits: {bootMinutes: 3, idleMinutes: 4},
	});
});

test('a console learns what another had set when it writes, although nobody told it', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'settings.json');
	writeFileSync(file, '{"searches": [{"name": "x", "words": ""}]}');
	const [first, second] = [openConsole(file, ['x']), openConsole(file, ['x'])];
	first.change({hours: 7});
	second.change({diskGb: 90});
	await expect.poll(() => second.get()).toMatchObject({hours: 7, diskGb: 90});
});

test('what is removed is gone from a file that holds something strange as well', () => {
	using folder = openFolder();
	const file = join(folder.path, 'settings.json');
	const text = '{"strange": 1, "searches": [{"name": "x", "words": ""}]}';
	writeFileSync(file, text);
	const {settings = defaultSettings, problem} = readSettings(file, text);
	openSettingsFile({file, text, problem, initial: settings}).change({searches: []});
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({strange: 1});
});

test('two consoles that save profiles at the same time lose none of them', async () => {
	using folder = openFolder();
	mkdirSync(join(folder.path, 'settings'));
	const code = `
		const {openProfileBook} = await import(${inRenter('profiles/profile-file.ts')});
		${begin}
		const book = openProfileBook({settings: folder + '/settings', state: folder});
		for (let at = 0; at < 20; at++) {
			const file = book.keepKey(name + at, 'key of ' + name + at);
			const url = 'https://' + name + at + '.example';
			book.save({name: name + at, url, key: {kind: 'file', file}, mode: 'read-write', colour: 'none', settings: {}}, undefined);
		}`;
	await runTogether(code, folder.path, ['a', 'b', 'c']);
	const book = openProfileBook({settings: join(folder.path, 'settings'), state: folder.path});
	const all = ['a', 'b', 'c'].flatMap(name => Array.from({length: 20}, (_, at) => `${name}${at}`));
	expect(
		book.profiles
			.get()
			.map(({name}) => name)
			.toSorted(),
	).toEqual(all.toSorted());
	for (const {name, key} of book.profiles.get()) {
		if (key.kind !== 'file') throw new TypeError(`${name} has no file`);
		expect(readFileSync(key.file, 'utf8')).toBe(`key of ${name}\n`);
	}
});
