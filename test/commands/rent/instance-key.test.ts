import {mkdirSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openKeyFile} from '../../../source/commands/rent/order.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {foldersOf} from '../../../source/renter/files/folders.ts';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const usual = ['--image', 'ubuntu:24.04', '--spend', '99', '--yes'];

test('rent keeps the key of the instance in a new file, and writes it nowhere else', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const file = join(folder.path, 'new', 'key');
	const rent = commandsOf(market);
	const ran = await rent('rent', String(market.offer.id), ...usual, '--keep-key', file, '--json');
	expect(ran.code).toBe(0);
	expect(jsonOf(ran)).toMatchObject([{key_file: file}]);
	const key = readFileSync(file, 'utf8').trim();
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(ran.out + ran.err).not.toContain(key);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
});

test('a person is told the file, and without the option the key is kept nowhere', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const file = join(folder.path, 'key');
	const rent = commandsOf(market);
	const [first = '', second = ''] = jsonOf(
		await rent('offers', 'any', 'rentable=yes', '--json', '--limit', '2'),
	).map(({id}) => String(id));
	const kept = await rent('rent', first, ...usual, '--keep-key', file);
	expect(kept.err).toContain(`rentty: Its own key is kept in ${file}.\n`);
	const ran = await rent('rent', second, ...usual, '--json');
	expect(jsonOf(ran)).toMatchObject([{key_file: null}]);
	expect(ran.out + ran.err).not.toMatch(/[0-9a-f]{64}/);
});

test('where there cannot be such a file nothing is rented', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const taken = join(folder.path, 'taken');
	writeFileSync(taken, 'mine');
	mkdirSync(join(folder.path, 'folder'));
	const run = commandsOf(market);
	for (const [file, why] of [
		[taken, 'there is something of that name already, and it is left as it is'],
		[join(taken, 'below'), 'a part of that path is a file and no folder'],
		[join(folder.path, 'folder'), 'there is something of that name already'],
	] as const) {
		const offer = String(market.offer.id);
		// oxlint-disable-next-line no-await-in-loop -- one after the other, to name the one that fails
		const refused = await run('rent', offer, ...usual, '--keep-key', file);
		expect([refused.code, refused.out]).toEqual([2, '']);
		expect(refused.err).toContain(why);
		expect(refused.err).toContain('Nothing was sent.');
	}
	expect(readFileSync(taken, 'utf8')).toBe('mine');
	expect(jsonOf(await run('ps', '--json'))).toEqual([]);
});

test('a rent that is refused leaves no file behind', async () => {
	await using market = await openRentable();
	using folder = openFolder();
	const run = commandsOf(market);
	await run('rent', String(market.offer.id), ...usual);
	const file = join(folder.path, 'key');
	const gone = await run('rent', String(market.offer.id), ...usual, '--keep-key', file);
	expect(gone.code).toBe(4);
	const refused = await run('rent', 'any', '--image', 'x', '--spend', '99', '--keep-key', file);
	expect(refused.code).toBe(2);
	expect(readdirSync(folder.path)).toEqual([]);
});

/** What a place for keys is made from, with what is said. */
function contextIn(folder: string, isWanted: boolean) {
	const said: string[] = [];
	return {
		said,
		context: {
			textOf: () => undefined,
			settings: {...defaultSettings, keepInstanceKeys: isWanted},
			folders: foldersOf({XDG_STATE_HOME: folder}),
			service: () => ({name: 'a/b', url: undefined, keyFile: undefined, isReadOnly: false}),
			environment: {},
			output: {
				isTerminal: false,
				line: () => {},
				text: () => {},
				log: () => {},
				json: () => {},
				say: (text: string) => void said.push(text),
				ask: undefined,
			},
		},
	};
}

test('where the settings want keys kept, commands keep them where the console does', async () => {
	using folder = openFolder();
	const {context, said} = contextIn(folder.path, true);
	const place = await openKeyFile(context);
	const file = join(folder.path, 'rentty', 'instance-keys', 'a-b', '7');
	expect(await place.keep(7, 'secret')).toBe(file);
	expect(readFileSync(file, 'utf8')).toBe('secret\n');
	expect(await place.keep(8, undefined)).toBeUndefined();
	const other = await openKeyFile(contextIn(folder.path, false).context);
	expect(await other.keep(9, 'secret')).toBeUndefined();
	expect(readdirSync(join(file, '..'))).toEqual(['7']);
	expect(said).toEqual([]);
});

test('a key that the settings want kept and that cannot be is said, and nothing is lost but that', async () => {
	using folder = openFolder();
	writeFileSync(join(folder.path, 'rentty'), 'no folder');
	const {context, said} = contextIn(folder.path, true);
	const place = await openKeyFile(context);
	expect(await place.keep(7, 'secret')).toBeUndefined();
	expect(said.join()).toMatch(/^rentty: Its own key could not be kept: /);
	expect(said.join()).not.toContain('secret');
});
