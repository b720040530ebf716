import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {openSettingsFile} from '../../../source/renter/settings/settings-file.ts';

/** A user's settings file, not written yet. */
function openFile() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	const file = join(folder, 'config', 'settings.json');
	mkdirSync(dirname(file));
	const settings = openSettingsFile({file, initial: defaultSettings, text: undefined});
	const stop = settings.follow();
	return {
		file,
		settings,
		/** Saves the file as an editor does that writes beside it and renames. */
		save(text: string) {
			writeFileSync(`${file}~`, text);
			renameSync(`${file}~`, file);
		},
		[Symbol.dispose]() {
			stop();
			rmSync(folder, {recursive: true});
		},
	};
}

test('what is set in rentty is in the file at once, as what differs alone, for its user alone', () => {
	using place = openFile();
	place.settings.change({hours: 5, diskGb: 40});
	expect(place.settings.get().hours).toBe(5);
	expect(readFileSync(place.file, 'utf8')).toBe('{\n\t"hours": 5\n}\n');
	expect(statSync(place.file).mode & 0o777).toBe(0o600);
	place.settings.change({hours: 24});
	expect(readFileSync(place.file, 'utf8')).toBe('{}\n');
	expect(readdirSync(dirname(place.file))).toEqual(['settings.json']);
});

test('a file that somebody saves is read again, however it was saved and though it was not there', async () => {
	using place = openFile();
	place.save('{"hours": 7}');
	await expect.poll(() => place.settings.get().hours).toBe(7);
	writeFileSync(place.file, '{"hours": 8}');
	await expect.poll(() => place.settings.get().hours).toBe(8);
	rmSync(place.file);
	await expect.poll(() => place.settings.get()).toEqual(defaultSettings);
});

test('a file that is broken by hand changes nothing, is said with its line, and is not written to', async () => {
	using place = openFile();
	place.save('{"hours": 7}');
	await expect.poll(() => place.settings.get().hours).toBe(7);
	place.save('{\n"hours": 7,,\n}');
	await expect.poll(place.settings.problem.get).toContain('settings.json line 2:');
	expect(place.settings.problem.get()).toMatch(/; the settings stay as they were\.$/);
	expect(place.settings.get().hours).toBe(7);
	place.settings.change({diskGb: 90});
	expect(place.settings.get().diskGb).toBe(90);
	expect(place.settings.problem.get()).toMatch(/line 2: .* holds until rentty ends\.$/);
	expect(readFileSync(place.file, 'utf8')).toBe('{\n"hours": 7,,\n}');
	place.save('{"hours": 9}');
	await expect.poll(() => place.settings.get().hours).toBe(9);
	expect(place.settings.problem.get()).toBeUndefined();
});

test('a folder that is not there is made when something is set', () => {
	using place = openFile();
	rmSync(dirname(place.file), {recursive: true});
	place.settings.change({hours: 3});
	expect(readFileSync(place.file, 'utf8')).toContain('"hours": 3');
});

test('what another rentty has set meanwhile stays, and what is not known too', () => {
	using place = openFile();
	place.save('{"outGbPerHour": 2, "aura": {"of": [1]}}');
	place.settings.change({inGbPerHour: 3});
	expect(JSON.parse(readFileSync(place.file, 'utf8'))).toEqual({
		outGbPerHour: 2,
		aura: {of: [1]},
		inGbPerHour: 3,
	});
});

test('a file that is a link stays one', () => {
	using place = openFile();
	const real = join(dirname(dirname(place.file)), 'dotfiles.json');
	writeFileSync(real, '{}');
	symlinkSync(real, place.file);
	place.settings.change({hours: 3});
	expect(lstatSync(place.file).isSymbolicLink()).toBe(true);
	expect(readFileSync(real, 'utf8')).toContain('"hours": 3');
});

test('where the file cannot be written, what was set holds and the reason is said', () => {
	using place = openFile();
	mkdirSync(place.file, {recursive: true});
	place.settings.change({hours: 3});
	expect(place.settings.get().hours).toBe(3);
	expect(place.settings.problem.get()).toMatch(
		/cannot be written \(that is a folder\); what was set holds/,
	);
});
