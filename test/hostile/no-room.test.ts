import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {openJournal, readJournal} from '../../source/client/journal/journal.ts';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

/** A file system of a few kB of its own, which only root can make. */
function mount(folder: string, ...how: readonly string[]): boolean {
	return spawnSync('mount', [...how, folder], {stdio: 'ignore'}).status === 0;
}

function openSmallDisk(folder: string) {
	mkdirSync(folder, {recursive: true});
	if (!mount(folder, '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs')) throw new Error('cannot mount');
	const fill = join(folder, 'fill');
	return {
		makeReadOnly: () => mount(folder, '-o', 'remount,ro'),
		/** Writes until there is no room for a byte more. */
		fill() {
			try {
				for (;;) appendFileSync(fill, 'x'.repeat(1024));
			} catch {
				return;
			}
		},
		[Symbol.dispose]: () => spawnSync('umount', ['-l', folder], {stdio: 'ignore'}),
	};
}

const noMount = (() => {
	using folder = openFolder();
	if (!mount(folder.path, '-t', 'tmpfs', 'tmpfs')) return 'nothing can be mounted here';
	spawnSync('umount', [folder.path]);
	return undefined;
})();

/** The built program with a home of its own, whose state is kept on a disk of a few kB. */
async function openUser() {
	const home = openHome();
	const market = await startMarket(join(home.folder, 'market.db'), '--offers', '20');
	const key = await market.key();
	const client = clientOf(market.url, key);
	const disk = openSmallDisk(home.env.XDG_STATE_HOME);
	const env = {
		...home.env,
		PATH: process.env['PATH'],
		RENTTY_URL: market.url,
		RENTTY_API_KEY: key,
	};
	function start(...argv: readonly string[]) {
		const child = spawn(rentty, argv, {stdio: ['ignore', 'pipe', 'pipe'], env});
		const closed = once(child, 'close');
		const said = Promise.all([text(child.stdout), text(child.stderr), closed]);
		return {child, ended: said.then(([out, err]) => ({code: child.exitCode, out, err}))};
	}
	return {
		home,
		disk,
		env,
		state: join(home.env.XDG_STATE_HOME, 'rentty'),
		start,
		rentty: async (...argv: readonly string[]) => start(...argv).ended,
		instances: async () => (await client.instances.list()).instances.map(({id}) => id),
		async [Symbol.asyncDispose]() {
			disk[Symbol.dispose]();
			await client[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
			home[Symbol.dispose]();
		},
	};
}

const rentAny = ['rent', 'any', '--image', 'ubuntu:24.04', '--yes'] as const;

test.skipIf(noMount !== undefined).each([
	['read-only', 'nothing can be written there'],
	['full', 'the disk is full'],
])('where the state folder is %s, renting is refused before it costs: %s', async (how, why) => {
	await using user = await openUser();
	expect(await user.rentty(...rentAny)).toMatchObject({code: 0});
	const kept = readFileSync(join(user.state, 'wishes.json'), 'utf8');
	if (how === 'full') user.disk.fill();
	else user.disk.makeReadOnly();
	const {code, out, err} = await user.rentty(...rentAny);
	const last = err.trimEnd().split('\n').at(-1);
	expect(last).toBe(
		`rentty: Could not rent an offer: ${user.state}/wishes.json cannot be written (${why}), so nothing was sent. Nothing was rented.`,
	);
	expect({code, out}).toEqual({code: 1, out: ''});
	expect(await user.instances()).toHaveLength(1);
	expect(readFileSync(join(user.state, 'wishes.json'), 'utf8')).toBe(kept);
	const files = readdirSync(user.state).toSorted();
	const recent = expect.stringMatching(/^recent-.*\.json$/) as unknown;
	expect(files).toEqual(['activity.jsonl', recent, 'wishes.json']);
});

test.skipIf(noMount !== undefined)(
	'a folder that cannot be written keeps nobody from destroying what costs, and is said once',
	async () => {
		await using user = await openUser();
		const {out: id} = await user.rentty(...rentAny);
		user.disk.makeReadOnly();
		const {code, err} = await user.rentty('destroy', id.trim(), '--yes');
		expect(code).toBe(0);
		expect(err).toBe(
			`rentty: What rentty changes cannot be written down in ${user.state} (nothing can be written there): it is done, but Activity may not show it.\n`,
		);
		expect(await user.instances()).toEqual([]);
	},
);

test.skipIf(noMount !== undefined).each([
	['read-only', 'nothing can be written there'],
	['full', 'the disk is full'],
])('a guard whose state folder is %s goes on ending what is due', async (how, why) => {
	await using user = await openUser();
	const {out: id} = await user.rentty(...rentAny);
	await user.rentty('lease', id.trim(), '--for', '2s');
	if (how === 'full') user.disk.fill();
	else user.disk.makeReadOnly();
	const guard = user.start('guard', 'run', '--every', '1');
	await expect.poll(user.instances).toEqual([]);
	expect(guard.child.exitCode).toBe(null);
	guard.child.kill('SIGTERM');
	const {code, err} = await guard.ended;
	expect(code).toBe(0);
	const said = `rentty: ${user.state}/guard.json cannot be written (${why}): what is due is ended all the same, and other guards and consoles do not see this one.\n`;
	expect(err.split(said)).toHaveLength(2);
});

test('what another process was cut off in writing takes no line of the journal with it', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'activity.jsonl');
	const journal = openJournal({file, profile: undefined, secret: 's3cret', onTrouble: undefined});
	await journal.change({request: 'r1', action: 'a.b'});
	appendFileSync(file, '{"at":"2026-11-22T');
	await journal.change({request: 'r2', action: 'a.b'});
	expect((await readJournal(file)).map(({change}) => change.request)).toEqual(['r2', 'r1']);
});

test.skipIf(noMount !== undefined).each([
	['read-only', 'nothing can be written there'],
	['full', 'the disk is full'],
])('settings that cannot be kept are said in a sentence, the folder being %s', async (how, why) => {
	await using user = await openUser();
	const config = join(user.home.env.XDG_CONFIG_HOME, 'rentty');
	using disk = openSmallDisk(config);
	const file = join(config, 'settings.json');
	writeFileSync(file, '{"hours": 7}');
	if (how === 'full') disk.fill();
	else disk.makeReadOnly();
	const env = {...user.env, PATH: user.env.PATH ?? ''};
	await using terminal = user.home.open([], {columns: 160, rows: 30, env});
	await terminal.sees('ALL-IN');
	terminal.type('w');
	await terminal.sees(`cannot be written (${why}); what was set holds until rentty ends.`);
	expect(readFileSync(file, 'utf8')).toBe('{"hours": 7}');
	expect(readdirSync(config).filter(name => name !== 'fill')).toEqual(['settings.json']);
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
});
