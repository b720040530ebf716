import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openFirstKey} from '../../../source/commands/market/market.ts';
import {openFolder} from '../../helpers/folder.ts';

test('a file for a key that was never made is taken away, and one with a key stays', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'key');
	await (await openFirstKey(file)).close();
	expect(existsSync(file)).toBe(false);
	const first = await openFirstKey(file);
	expect(await first.write('secret')).toEqual({
		line: `API key, kept for you alone in ${file}`,
		isKept: true,
	});
	await first.close();
	expect(readFileSync(file, 'utf8')).toBe('secret\n');
});

test('a key that cannot be kept is printed, since nobody could get in without it', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'below', 'key');
	const first = await openFirstKey(file);
	rmSync(join(folder.path, 'below'), {recursive: true});
	writeFileSync(join(folder.path, 'below'), 'in the way');
	expect((await first.write('secret')).line).toMatch(
		/^API key, shown this once \(.* cannot be .*\): secret$/,
	);
	await first.close();
});

test('a file that is there already is no place for a key, and starts the market all the same', async () => {
	using folder = openFolder();
	mkdirSync(join(folder.path, 'key'));
	const taken = await openFirstKey(join(folder.path, 'key'));
	const {line, isKept} = await taken.write('secret');
	expect(line).toMatch(/ is there already, and left as it is\): secret$/);
	// The commands that follow do not name it: it has another key, or none.
	expect(isKept).toBe(false);
	await taken.close();
	expect(existsSync(join(folder.path, 'key'))).toBe(true);
	const printed = await (await openFirstKey(undefined)).write('secret');
	expect(printed.line).toBe('API key, shown this once: secret');
	await expect(openFirstKey(join(folder.path, 'k\u0000'))).rejects.toThrow('Nothing was started.');
});
