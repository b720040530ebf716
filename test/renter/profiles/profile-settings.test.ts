import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	defaultSettings,
	type SpendBudget,
} from '../../../source/renter/settings/default-settings.ts';
import {overlaySettings} from '../../../source/renter/profiles/profile-settings.ts';
import type {Profile} from '../../../source/renter/profiles/profile.ts';
import {openProfileBook} from '../../../source/renter/profiles/profile-file.ts';
import {openFolder} from '../../helpers/folder.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';

const profile: Profile = {
	name: 'lab',
	url: 'http://127.0.0.1:9',
	key: {kind: 'variable', variable: 'KEY'},
	mode: 'read-write',
	colour: 'none',
	settings: {diskGb: 77, spend: {askOverPerHour: 1}},
};

const nothingWrong = {get: () => undefined, subscribe: () => () => {}};

/** The settings of a profile over those of a file, and the file's own. */
async function lay(settings: Profile['settings'], spend: Partial<SpendBudget> = {}) {
	const file = createSettingsStore({
		...defaultSettings,
		diskGb: 50,
		hours: 6,
		spend: {askOverPerHour: 9, fleetMaxPerHour: 20, ...spend},
	});
	const target = {kind: 'profile', profile: {...profile, settings}} as const;
	const saved: unknown[] = [];
	const laid = await overlaySettings({...file, problem: nothingWrong}, target, {
		problem: () => undefined,
		keepSettings: (...kept) => saved.push(kept),
	});
	return {file, saved, ...laid};
}

test('the profile goes before the file, name by name, and the file before what is usual', async () => {
	const {settings} = await lay(profile.settings);
	expect(settings.get()).toMatchObject({
		diskGb: 77,
		hours: 6,
		inGbPerHour: defaultSettings.inGbPerHour,
		spend: {askOverPerHour: 1, fleetMaxPerHour: 20},
	});
});

test('what the profile has of its own is changed there, and all else in the file, where it holds at once', async () => {
	const {settings, file, saved} = await lay(profile.settings);
	settings.change({diskGb: 99, hours: 8});
	expect(settings.get()).toMatchObject({diskGb: 99, hours: 8});
	expect(file.get()).toMatchObject({diskGb: 50, hours: 8});
	expect(saved).toEqual([['lab', {diskGb: 99}]]);
	file.change({hours: 12, diskGb: 60});
	expect(settings.get()).toMatchObject({diskGb: 99, hours: 12});
});

test('settings of a profile that cannot be read are left out, and that is said', async () => {
	const {settings, problem} = await lay({diskGb: 'much'});
	expect(settings.get().diskGb).toBe(50);
	expect(problem.get()).toMatch(/^settings of profile lab, line \d+: .*; they are left out\.$/);
});

test('limits that cannot be read, of the file or of the profile, are not taken for those that can', async () => {
	const problem = 'settings.json line 3: expected JSON';
	const ofFile = await lay(profile.settings, {problem});
	expect(ofFile.settings.get().spend).toMatchObject({askOverPerHour: 1, problem});
	const ofProfile = await lay({spend: {fleetMaxPerHour: '5'}});
	expect(ofProfile.settings.get().spend.problem).toMatch(/^settings of profile lab, line \d+: /);
});

/** A window with a profile that has settings of its own, and another window beside it. */
async function openTwoWindows(folder: string) {
	const folders = {settings: join(folder, 'settings'), state: join(folder, 'state')};
	const own = {...profile, settings: {diskGb: 77, spend: {fleetMaxPerHour: 20}}};
	openProfileBook(folders).save(own, undefined);
	const file = {...createSettingsStore(defaultSettings), problem: nothingWrong};
	const target = {kind: 'profile', profile: own} as const;
	const {settings} = await overlaySettings(file, target, openProfileBook(folders));
	return {
		own,
		settings,
		beside: openProfileBook(folders),
		kept: () => openProfileBook(folders).profiles.get(),
	};
}

test('a setting that is changed in one window leaves what another changed of the profile meanwhile', async () => {
	using folder = openFolder();
	const {own, settings, beside, kept} = await openTwoWindows(folder.path);
	const key = {kind: 'file', file: beside.keepKey('lab', 'NEW-KEY')} as const;
	const spend = {fleetMaxPerHour: 2};
	const changed = {...own, key, mode: 'read-only', settings: {...own.settings, spend}} as const;
	beside.save(changed, 'lab');
	settings.change({diskGb: 99});
	expect(kept()).toEqual([{...changed, settings: {diskGb: 99, spend}}]);
	expect(existsSync(key.file)).toBe(true);
});

test('a profile that another window removed is not back after a change of a setting', async () => {
	using folder = openFolder();
	const {settings, beside, kept} = await openTwoWindows(folder.path);
	beside.remove('lab');
	settings.change({diskGb: 99});
	expect(kept()).toEqual([]);
});
