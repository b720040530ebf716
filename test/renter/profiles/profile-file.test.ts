import {existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openProfileBook, readProfiles} from '../../../source/renter/profiles/profile-file.ts';
import type {Profile} from '../../../source/renter/profiles/profile.ts';

const prod: Profile = {
	name: 'prod',
	url: 'https://console.example',
	key: {kind: 'command', command: ['pass', 'show', 'a b']},
	mode: 'read-only',
	colour: 'red',
	settings: {diskGb: 80},
};

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-profiles-'));
	const files = {settings: join(folder, 'config'), state: join(folder, 'state')};
	return {
		...files,
		book: () => openProfileBook(files),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true}),
	};
}

test('profiles are found again as they were saved, in a file for their owner alone', () => {
	using folder = openFolder();
	folder.book().save(prod, undefined);
	expect(folder.book().profiles.get()).toEqual([prod]);
	expect(statSync(join(folder.settings, 'profiles.json')).mode & 0o777).toBe(0o600);
	folder.book().save({...prod, name: 'main', mode: 'read-write'}, 'prod');
	expect(folder.book().profiles.get()).toEqual([{...prod, name: 'main', mode: 'read-write'}]);
});

test('a key is kept for its owner alone, and goes with the last profile that has it', () => {
	using folder = openFolder();
	const book = folder.book();
	const file = book.keepKey('prod', 'secret-key');
	book.save({...prod, key: {kind: 'file', file}}, undefined);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readFileSync(join(folder.settings, 'profiles.json'), 'utf8')).not.toContain('secret');
	// Under its new name it still has the file, and another profile of the old name gets its own.
	book.save({...prod, name: 'main', key: {kind: 'file', file}}, 'prod');
	expect(book.keepKey('prod', 'other-key')).not.toBe(file);
	book.remove('main');
	expect(existsSync(file)).toBe(false);
});

test('a file of the user that holds a key is left alone', () => {
	using folder = openFolder();
	const book = folder.book();
	book.save(prod, undefined);
	const file = join(folder.settings, 'mine');
	writeFileSync(file, 'key');
	book.save({...prod, key: {kind: 'file', file}}, 'prod');
	book.remove('prod');
	expect(existsSync(file)).toBe(true);
});

test('a file that cannot be read is never written over', () => {
	using folder = openFolder();
	folder.book().save(prod, undefined);
	const file = join(folder.settings, 'profiles.json');
	writeFileSync(file, '{"profiles": [');
	const book = folder.book();
	expect(book.problem()).toMatch(/profiles\.json line 1: expected JSON/);
	expect(() => book.save(prod, undefined)).toThrow('Nothing was written.');
	expect(readFileSync(file, 'utf8')).toBe('{"profiles": [');
});

const url = 'https://a.example';

test.each([
	[{name: 'a', url, key: 'SECRET'}, 'a key does not belong into this file'],
	[{name: 'a', url}, 'expected one of "key-file", "key-command" and "key-variable"'],
	[{name: 'a', url, 'key-command': 'pass show it'}, '"key-command": expected a list'],
	[{name: 'a', url, 'key-file': 'key'}, '"key-file": expected the whole path'],
	[{name: '../a', url, 'key-variable': 'K'}, '"name": a name is up to 24 letters'],
	[{name: 'practice', url, 'key-variable': 'K'}, '"name": practice is the market'],
	[{name: 'a', url: 'ftp://a', 'key-variable': 'K'}, '"url": it must start with http'],
	[{name: 'a', url, 'key-variable': 'K', mode: 'ro'}, '"mode": expected "read-only"'],
	[{name: 'a', url, 'key-variable': 'K', colour: 'pink'}, '"colour": expected one of'],
])('%j is refused with its line, and the others stay', (wrong, sentence) => {
	const good = {name: 'good', url, 'key-variable': 'K'};
	const text = JSON.stringify({profiles: [good, wrong]}, undefined, '\t');
	const {profiles, problem} = readProfiles('profiles.json', text);
	expect(profiles.map(({name}) => name)).toEqual(['good']);
	expect(problem).toContain(sentence);
	expect(problem).toMatch(/^profiles\.json line 8: /);
	expect(problem).not.toContain('SECRET');
});
