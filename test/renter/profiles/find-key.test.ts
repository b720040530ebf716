import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findKey} from '../../../source/renter/profiles/find-key.ts';
import {chooseTarget} from '../../../source/renter/profiles/target.ts';
import type {Profile} from '../../../source/renter/profiles/profile.ts';

test('a key is printed by a program, whose arguments no shell looks at', async () => {
	const command = ['printf', '%s\n', '$HOME;`id`'];
	expect(await findKey({kind: 'command', command}, process.env)).toBe('$HOME;`id`');
});

test.each([
	[['false'], 'false, which finds the key, ended with 1.'],
	[['there-is-no-such-program'], 'there-is-no-such-program, which finds the key, is not there.'],
	[['echo', 'two words'], 'What echo prints does not hold an API key'],
])('where %j prints no key, it says why and not what', async (command, sentence) => {
	await expect(findKey({kind: 'command', command}, process.env)).rejects.toThrow(sentence);
	await expect(findKey({kind: 'command', command}, process.env)).rejects.not.toThrow('two words');
});

test('a file that others can read is refused', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-key-'));
	const file = join(folder, 'key');
	writeFileSync(file, 'secret\n', {mode: 0o644});
	await expect(findKey({kind: 'file', file}, {})).rejects.toThrow(`chmod 600 ${file}`);
	rmSync(folder, {recursive: true});
});

const lab: Profile = {
	name: 'lab',
	url: 'https://lab.example',
	key: {kind: 'variable', variable: 'LAB'},
	mode: 'read-write',
	colour: 'none',
	settings: {},
};
const book = {
	profiles: {get: () => [lab, {...lab, name: 'last'}]},
	chosen: () => 'last',
	problem: () => undefined,
};
const nothing = {url: undefined, keyFile: undefined, profile: undefined};
const named = {url: 'https://a.example', keyFile: 'k'};
const environment = {RENTTY_URL: 'https://b.example', RENTTY_API_KEY: 'k'};

test.each([
	[{...nothing, ...named}, environment, 'given'],
	[{...nothing, profile: 'lab'}, environment, 'lab'],
	[{...nothing, profile: 'practice'}, environment, 'practice'],
	[nothing, {...environment, RENTTY_PROFILE: 'lab'}, 'given'],
	[nothing, {RENTTY_PROFILE: 'lab'}, 'lab'],
	[nothing, {}, 'last'],
])('of what %j and %j name, %s is opened', (options, variables, expected) => {
	const target = chooseTarget(options, variables, book);
	expect(target.kind === 'profile' ? target.profile.name : target.kind).toBe(expected);
});

test('with nothing named and nothing chosen before, practice is opened', () => {
	const target = chooseTarget(nothing, {}, {...book, chosen: () => undefined});
	expect(target.kind).toBe('practice');
});

test('a profile that cannot be read is not taken for practice', () => {
	const broken = {
		profiles: {get: () => []},
		chosen: () => 'last',
		problem: () => 'line 1: no JSON.',
	};
	expect(() => chooseTarget(nothing, {}, broken)).toThrow(
		'The last profile last cannot be opened: line 1: no JSON.',
	);
	expect(() => chooseTarget({...nothing, profile: 'lab'}, {}, broken)).toThrow(
		'--profile lab cannot be opened: line 1: no JSON.',
	);
	const practised = {...broken, chosen: () => undefined};
	expect(chooseTarget(nothing, {}, practised).kind).toBe('practice');
	expect(chooseTarget({...nothing, profile: 'practice'}, {}, broken).kind).toBe('practice');
});
