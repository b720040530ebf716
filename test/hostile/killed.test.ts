import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, watch} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {readJournal} from '../../source/client/journal/journal.ts';
import {openPendingRents} from '../../source/client/rentals/pending-rents.ts';
import {isUndecided} from '../../source/client/rentals/pending-rent.ts';
import {openClient} from '../../source/client/client.ts';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {openSettingsFile} from '../../source/renter/settings/settings-file.ts';
import {readSettings} from '../../source/renter/settings/settings.ts';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {openFolder} from '../helpers/folder.ts';
import {startMarket} from '../helpers/market/market-process.ts';

type Killed = {
	readonly file: string;
	readonly args: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly onOutput?: (text: string) => void;
};

/** Starts a program, and kills it at the n-th change of a folder; answers whether it ended before. */
async function killAt(
	n: number,
	folder: string,
	{file, args, env, onOutput}: Killed,
): Promise<boolean> {
	let changes = 0;
	const watcher = watch(folder, () => {
		changes += 1;
		if (changes === n) child.kill('SIGKILL');
	});
	const child = spawn(file, args, {
		stdio: ['ignore', 'pipe', 'ignore'],
		env: {...process.env, ...env},
	});
	child.stdout.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
	await once(child, 'close');
	watcher.close();
	return child.signalCode === null;
}

// The same order is not sent again before it is known what became of the one before.
const orderOf = (label: string) => [
	'rent',
	'any',
	'--image',
	'ubuntu:24.04',
	'--yes',
	'--label',
	label,
];

test('a rental that is killed at any write of its files is known, and is rented once', async () => {
	using home = openHome();
	const state = join(home.env.XDG_STATE_HOME, 'rentty');
	mkdirSync(state, {recursive: true});
	await using market = await startMarket(join(home.folder, 'market.db'), '--offers', '60');
	const key = await market.key();
	const env = {...home.env, RENTTY_URL: market.url, RENTTY_API_KEY: key};
	const pendingRentsFile = join(state, 'wishes.json');
	const journalFile = join(state, 'activity.jsonl');
	let rounds = 0;
	for (let ended = 0; ended < 2; rounds++) {
		const args = orderOf(`round-${rounds}`);
		if (await killAt(1 + rounds, state, {file: rentty, args, env})) ended += 1;
		if (existsSync(pendingRentsFile)) JSON.parse(readFileSync(pendingRentsFile, 'utf8'));
	}
	expect(rounds).toBeGreaterThan(6);

	// The next start finds out what became of each.
	const time = {now: () => Date.now() + 60_000, pause: async () => {}};
	const client = openClient({url: market.url, key, pendingRentsFile, time, paceScale: 0});
	for (const pending of await client.pendingRents.open()) await client.pendingRents.settle(pending);
	const pendingRents = await openPendingRents(pendingRentsFile).all();
	expect(pendingRents.filter(isUndecided)).toEqual([]);
	const {instances} = await client.instances.list();
	await client.close();
	const created = pendingRents.flatMap(({state: known}) =>
		known.kind === 'created' ? known.id : [],
	);
	expect(new Set(created)).toEqual(new Set(instances.map(({id}) => id)));
	expect(new Set(created).size).toBe(created.length);
	const asked = (await readJournal(journalFile)).filter(
		({change}) => change.action === 'instances.create',
	);
	expect(asked.length).toBeGreaterThanOrEqual(created.length);
});

/** Sets one thing after the other, and says each once it is set. */
const setMany = `
	const {openSettingsFile} = await import(${JSON.stringify(
		new URL('../../source/renter/settings/settings-file.ts', import.meta.url).href,
	)});
	const {readSettings} = await import(${JSON.stringify(
		new URL('../../source/renter/settings/settings.ts', import.meta.url).href,
	)});
	import {existsSync, readFileSync, writeSync} from 'node:fs';
	const file = process.argv[1] + '/settings.json';
	const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
	const initial = readSettings(file, text ?? '{}').settings;
	const settings = openSettingsFile({file, text, initial});
	for (let at = 0; at < 5; at++) {
		const name = process.pid + '-' + at;
		settings.change({searches: [...settings.get().searches, {name, words: ''}]});
		if (settings.problem.get() !== undefined) throw new Error(settings.problem.get());
		writeSync(1, name + '\\n');
	}`;

test('settings that are killed at any write are whole, hold what was set, and keep nobody out', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'settings.json');
	const said: string[] = [];
	const onOutput = (text: string) => said.push(...text.split('\n').filter(line => line !== ''));
	const args = ['--input-type=module', '-e', setMany, folder.path];
	for (let n = 1; ; n += 2) {
		const hasEnded = await killAt(n, folder.path, {file: process.execPath, args, onOutput});
		if (existsSync(file)) expect(namesIn(file)).toEqual(expect.arrayContaining(said));
		if (hasEnded) break;
	}
	expect(said.length).toBeGreaterThan(10);
	const {settings = defaultSettings} = readSettings(file, readFileSync(file, 'utf8'));
	const text = readFileSync(file, 'utf8');
	const later = openSettingsFile({file, text, initial: settings});
	later.change({hours: 3});
	expect(later.problem.get()).toBeUndefined();
});

function namesIn(file: string): readonly string[] {
	const {settings, problem} = readSettings(file, readFileSync(file, 'utf8'));
	expect(problem).toBeUndefined();
	return settings?.searches.map(({name}) => name) ?? [];
}
